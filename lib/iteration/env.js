/**
 * @import { HookStats } from '../measure/user-metrics.js'
 * @import { IterationJar } from './session/cookie-jar.js'
 * @import { CookieJars } from './session/cookie-jars.js'
 */

/** The state of one iteration for its hooks. Hooks may write any value to it, because no measurement depends on it. */
export class Env {
  /** @type {IterationJar | null} */
  #jar = null;
  #jars;
  /** @type {Record<string, string> | undefined} */
  etags = undefined;
  /** @type {Record<string, any>} */
  iterCtx = {};

  /**
   * @param {number | undefined} index
   * @param {{ user?: string, password?: string, stats: HookStats, jars: CookieJars }} run
   */
  constructor(index, { user, password, stats, jars }) {
    this.index = index;
    this.#jars = jars;
    this.user = user;
    this.password = password;
    this.stats = stats;
  }

  /**
   * Becomes the state of the next iteration, of a flow without hooks: no hook has kept or changed it.
   *
   * @param {number} index
   */
  renew(index) {
    this.index = index;
    this.#jar = null;
  }

  /** The cookie jar, created when first read. */
  get jar() {
    return (this.#jar ??= this.#jars.create(this));
  }

  set jar(jar) {
    this.#jar = jar;
  }

  get hasJar() {
    return this.#jar !== null;
  }
}
