import { All } from './all.js';
import { Exchange } from './exchange.js';
import { blaming, hookError } from './failure.js';
import { HookChain } from './hook-chain.js';

/**
 * @import { Request, Rules, Step } from '../flow/types.js'
 * @import { OperationRecorder } from '../measure/operations.js'
 * @import { Response } from '../transport/types.js'
 * @import { Env } from './env.js'
 * @import { ExchangeContext } from './exchange.js'
 * @import { Lane } from './lane.js'
 *
 * @typedef {(env: Env, lane: Lane, rendered: Request | null) => Promise<{ statusCode: number, rules?: Rules }>} PerformStep
 *   resolves with the status that counts, and with the rules if the step has hooks; rejects, or throws at once, if there
 *   is no response
 */

/**
 * Binds a step to its run: before-hooks, exchange, after-hooks. A step without hooks is just its exchange.
 *
 * @param {Step} step
 * @param {ExchangeContext} context
 * @param {OperationRecorder} operation
 * @returns {PerformStep}
 */
export function prepareStep(step, context, operation) {
  const exchange = new Exchange(step, context, operation);
  const render = blaming(`${step.where}.env`, step.render);
  if (step.beforeHooks.length > 0 || step.afterHooks.length > 0) {
    const hooked = new HookedStep(step, context, { exchange, render });
    return releasing((env, lane, rendered) => hooked.perform(env, lane, rendered));
  }
  /** @type {PerformStep} */
  const perform = (env, lane, rendered) => exchange.perform(rendered ?? step.request ?? render(env), env, lane);
  // only a trace keeps bodies here
  return context.trace ? releasing(perform) : perform;
}

class HookedStep {
  #step;
  #runCtx;
  #exchange;
  #render;
  #before;
  #after;
  #changedBy;
  #statusOf;

  /**
   * @param {Step} step
   * @param {ExchangeContext} context
   * @param {{ exchange: Exchange, render: Step['render'] }} parts
   */
  constructor(step, context, { exchange, render }) {
    this.#step = step;
    this.#runCtx = context.runCtx;
    this.#exchange = exchange;
    this.#render = render;
    this.#before = new HookChain(step.beforeHooks, context);
    this.#after = new HookChain(step.afterHooks, context);
    this.#changedBy = blaming(`${step.where}.requestOptions`, (/** @type {All} */ all) => all.changed());
    // the status that counts: hooks may overwrite it
    this.#statusOf = blaming(`${step.where}.response`, (/** @type {All} */ all) =>
      Number(all.response?.statusCode ?? 0),
    );
  }

  /** @type {PerformStep} */
  async perform(env, lane, rendered) {
    const step = this.#step;
    const all = new All(step, env, this.#runCtx, lane.bodies);
    const before = this.#before.call(all, lane, step.timeoutMs);
    if (before) await before;
    if (all.err) throw hookError(all.err, step.where);
    const { request, rules } = this.#requestOf(all, env, lane, rendered);
    /** @type {Response | undefined} */
    let response;
    let error;
    try {
      response = await this.#exchange.perform(request, env, lane, rules);
    } catch (reason) {
      error = reason;
    }
    try {
      all.received(response, error);
      const after = this.#after.call(all, lane, rules.timeoutMs);
      if (after) await after;
    } catch (cause) {
      // the failed exchange is the error, not the hook that failed for lack of a response
      throw error ?? hookError(cause, step.where);
    }
    if (all.err) throw all.err === error ? error : hookError(all.err, step.where);
    return { statusCode: this.#statusOf(all), rules };
  }

  /** @type {(all: All, env: Env, lane: Lane, rendered: Request | null) => { request: Request, rules: Rules }} */
  #requestOf(all, env, lane, rendered) {
    const step = this.#step;
    const changed = this.#changedBy(all);
    if (changed === null) return { request: rendered ?? step.request ?? this.#render(env), rules: step };
    const { body } = changed.request;
    // a file of the form was read, or text was encoded, only for this request
    if (Buffer.isBuffer(body) && body !== step.request?.body) lane.bodies.take(body.length);
    return { request: changed.request, rules: changed.rules ?? step };
  }
}

/** Releases the memory of the bodies when the step has ended, also by an error. @type {(perform: PerformStep) => PerformStep} */
function releasing(perform) {
  return async (env, lane, rendered) => {
    try {
      return await perform(env, lane, rendered);
    } finally {
      lane.bodies.release();
    }
  };
}
