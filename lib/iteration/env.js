/**
 * @import { CookieJar } from 'tough-cookie'
 * @import { UserTimers } from '../measure/user-timers.js'
 * @import { CookieJars } from './session/cookie-jars.js'
 */

/** The state of one iteration for its hooks. They may write anything to it: no measurement depends on it. */
export class Env {
  /** @type {CookieJar | null} */
  #jar = null;
  #jars;
  /** @type {Record<string, string> | undefined} */
  etags = undefined;
  /** @type {Record<string, any>} */
  iterCtx = {};

  /**
   * @param {number | undefined} index
   * @param {{ user?: string, password?: string, timers: UserTimers, jars: CookieJars }} run
   */
  constructor(index, { user, password, timers, jars }) {
    this.index = index;
    this.#jars = jars;
    this.user = user;
    this.password = password;
    /** @type {UserTimers} */
    this.stats = timers;
  }

  /** The cookie jar, created when first read. */
  get jar() {
    return (this.#jar ??= this.#jars.create());
  }

  set jar(jar) {
    this.#jar = jar;
  }

  get hasJar() {
    return this.#jar !== null;
  }
}
