/**
 * @import { ConnectionShare } from './connection-share.js'
 * @import { HookStats } from '../measure/user-metrics.js'
 * @import { IterationJar } from './session/cookie-jar.js'
 * @import { CookieJars } from './session/cookie-jars.js'
 */

/**
 * The state of one iteration for its hooks, and the scope of tokens and functions of the flow. Hooks may write any value to
 * it, because no measurement depends on it.
 */
export class Env {
  /** @type {IterationJar | null} */
  #jar = null;
  #jars;
  #share;
  #runCtx;
  /** @type {Record<string, string> | undefined} */
  etags = undefined;
  /** @type {Record<string, any>} */
  iterCtx;
  /** @type {unknown[]} */
  #values = NONE;

  /**
   * @param {number | undefined} index
   * @param {{ user?: string, password?: string, stats: HookStats, jars: CookieJars, runCtx: Record<string, any>, createIterCtx: () => Record<string, any> }} run
   * @param {ConnectionShare} share of the lane
   */
  constructor(index, { user, password, stats, jars, runCtx, createIterCtx }, share) {
    this.index = index;
    this.#runCtx = runCtx;
    this.iterCtx = createIterCtx();
    this.#share = share;
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

  /** Itself: functions of the flow find the same names as hooks. */
  get env() {
    return this;
  }

  get runCtx() {
    return this.#runCtx;
  }

  /** What the functions of the current operation have returned. @returns {unknown[]} */
  get values() {
    return this.#values;
  }

  set values(values) {
    this.#values = values;
  }

  /** The number of the virtual user, from 0, different in all threads; undefined in `before` and `after`. */
  get lane() {
    return this.#share.number;
  }

  /** An object of the virtual user. */
  get laneCtx() {
    return this.#share.context;
  }

  set laneCtx(laneCtx) {
    this.#share.context = laneCtx;
  }

  get hasJar() {
    return this.#jar !== null;
  }
}

/** @type {unknown[]} */
const NONE = [];
