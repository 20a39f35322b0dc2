import { IterationJar } from './session/cookie-jar.js';

/**
 * @import { HookStats } from '../measure/user-metrics.js'
 */

/** The state of one iteration for its hooks. They may write anything to it: no measurement depends on it. */
export class Env {
  /** @type {IterationJar | null} */
  #jar = null;
  /** @type {Record<string, string> | undefined} */
  etags = undefined;
  /** @type {Record<string, any>} */
  iterCtx = {};

  /**
   * @param {number | undefined} index
   * @param {{ user?: string, password?: string, stats: HookStats }} run
   */
  constructor(index, { user, password, stats }) {
    this.index = index;
    this.user = user;
    this.password = password;
    this.stats = stats;
  }

  /** The cookie jar, created when first read. */
  get jar() {
    return (this.#jar ??= new IterationJar());
  }

  set jar(jar) {
    this.#jar = jar;
  }

  get hasJar() {
    return this.#jar !== null;
  }
}
