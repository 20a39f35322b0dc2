import { CookieJar } from './session/cookies.js';

/**
 * @import { UserTimers } from '../measure/user-timers.js'
 */

/** What one iteration owns. Hooks may write to it, whatever they like: nothing is measured by it. */
export class Env {
  /** @type {CookieJar | null} */
  #jar = null;
  /** @type {Record<string, string> | undefined} */
  etags = undefined;
  /** @type {Record<string, any>} */
  iterCtx = {};

  /**
   * @param {number | undefined} index
   * @param {{ user?: string, password?: string, timers: UserTimers }} run
   */
  constructor(index, { user, password, timers }) {
    this.index = index;
    this.user = user;
    this.password = password;
    this.stats = timers;
  }

  /** The cookie jar, made when first asked for. */
  get jar() {
    return (this.#jar ??= new CookieJar());
  }

  set jar(jar) {
    this.#jar = jar;
  }

  get hasJar() {
    return this.#jar !== null;
  }
}
