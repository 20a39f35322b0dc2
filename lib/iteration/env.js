/**
 * @import { Feeders } from '../flow/data/feeders.js'
 * @import { Row } from '../flow/data/types.js'
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
  #runVars;
  /** those of the iteration, created when first read @type {Record<string, any> | null} */
  #vars = null;
  #feeders;
  /** the rows of the iteration, created when first read @type {Record<string, Row> | null} */
  #data = null;
  /** those of the iteration, created when first read @type {Record<string, string> | undefined} */
  #etags = undefined;
  /** @type {Record<string, any>} */
  iterCtx;
  /** the name of the scenario that the iteration runs @type {string | undefined} */
  scenario = undefined;
  /** @type {unknown[]} */
  #values = NONE;

  /**
   * @param {number | undefined} index
   * @param {{ user?: string, password?: string, stats: HookStats, jars: CookieJars, runCtx: Record<string, any>, vars: Record<string, any>, feeders: Feeders | null, createIterCtx: () => Record<string, any> }} run
   * @param {ConnectionShare} share of the lane
   */
  constructor(index, { user, password, stats, jars, runCtx, vars, feeders, createIterCtx }, share) {
    this.index = index;
    this.#runCtx = runCtx;
    this.#runVars = vars;
    this.#feeders = feeders;
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
    this.#vars = null;
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

  /** The stored ETags by URL. @returns {Record<string, string>} */
  get etags() {
    return (this.#etags ??= Object.create(null));
  }

  set etags(etags) {
    this.#etags = etags;
  }

  /** The name that functions of flows for bench-rest 1 read. */
  get INDEX() {
    return this.index;
  }

  get runCtx() {
    return this.#runCtx;
  }

  /** The variables of the iteration, which inherit those of the run; in `before` and `after` those of the run itself. */
  get vars() {
    return (this.#vars ??= this.index === undefined ? this.#runVars : Object.create(this.#runVars));
  }

  /** The row that the iteration has of each feeder. @returns {Record<string, Row>} */
  get data() {
    return (this.#data ??= this.#feeders?.rowsOf(this.index) ?? {});
  }

  /** The values that the functions of the current operation have returned. @returns {unknown[]} */
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

// as the argument of functions in bench-rest 1: for (const name in tokens)
Object.defineProperty(Env.prototype, 'INDEX', { enumerable: true });

/** @type {unknown[]} */
const NONE = [];
