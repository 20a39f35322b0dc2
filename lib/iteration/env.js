import { CookieJar } from './session/cookies.js';

/**
 * @import { UserTimers } from '../measure/user-timers.js'
 */

/** The state of one iteration for its hooks. Hooks may write any value to it, because no measurement depends on it. */
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
    /** @type {UserTimers} */
    this.stats = timers;
  }

  /** The cookie jar, created when first read. */
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
