/**
 * @import { Env } from './env.js'
 * @import { RequestedResponse } from './requested-steps.js'
 *
 * @typedef {object} FunctionActions
 * @property {(operation: unknown) => Promise<RequestedResponse | undefined>} request
 * @property {(time: unknown) => Promise<void>} pause
 */

/** The argument of a function in a phase: the state of its iteration, and what it can do. */
export class FunctionScope {
  /**
   * @param {Env} env
   * @param {any} actions
   */
  constructor(env, { request, pause }) {
    this.env = env;
    this.index = env.index;
    this.request = /** @type {FunctionActions['request']} */ (request);
    this.pause = /** @type {FunctionActions['pause']} */ (pause);
    this.vars = env.vars;
    this.runCtx = env.runCtx;
    this.lane = env.lane;
    this.scenario = env.scenario;
    this.user = env.user;
    this.password = env.password;
  }

  get data() {
    return this.env.data;
  }

  get iterCtx() {
    return this.env.iterCtx;
  }

  get laneCtx() {
    return this.env.laneCtx;
  }
}
