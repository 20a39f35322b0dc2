import { All } from './all.js';
import { ExchangePlan } from './exchange-plan.js';
import { blaming, hookError } from './failure.js';
import { HookChain } from './hook-chain.js';

/**
 * @import { Request, Rules, Step } from '../flow/types.js'
 * @import { OperationRecorder } from '../measure/operations.js'
 * @import { Response } from '../transport/types.js'
 * @import { Env } from './env.js'
 * @import { ExchangeContext } from './exchange-plan.js'
 * @import { Lane } from './lane.js'
 *
 * @typedef {{ statusCode: number, rules?: Rules }} StepResult the status that counts, and the rules if a hook may have changed
 *   them
 *
 * @typedef {object} StepReceiver gets the end of a step: one of the two is called, once, perhaps at once
 * @property {(result: StepResult) => void} onResponse
 * @property {(error: any) => void} onError there is no response
 *
 * @typedef {(env: Env, lane: Lane, rendered: Request | null, receiver: StepReceiver) => void} PerformStep
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
  const plan = new ExchangePlan(step, context, operation);
  const render = blaming(`${step.where}.env`, step.render);
  if (step.beforeHooks.length > 0 || step.afterHooks.length > 0) {
    const hooked = new HookedStep(step, context, { plan, render });
    return (env, lane, rendered, receiver) => {
      hooked.perform(env, lane, rendered).then(
        (result) => {
          lane.readClock();
          receiver.onResponse(result);
        },
        (error) => {
          lane.readClock();
          receiver.onError(error);
        },
      );
    };
  }
  return (env, lane, rendered, receiver) => {
    let request = rendered ?? step.request;
    if (request === null) {
      try {
        request = render(env);
      } catch (error) {
        receiver.onError(error);
        return;
      }
    }
    lane.exchange.start(plan, request, env, step, receiver);
  };
}

class HookedStep {
  #step;
  #runCtx;
  #plan;
  #render;
  #before;
  #after;
  #changedBy;
  #statusOf;

  /**
   * @param {Step} step
   * @param {ExchangeContext} context
   * @param {{ plan: ExchangePlan, render: Step['render'] }} parts
   */
  constructor(step, context, { plan, render }) {
    this.#step = step;
    this.#runCtx = context.runCtx;
    this.#plan = plan;
    this.#render = render;
    this.#before = new HookChain(step.beforeHooks, context);
    this.#after = new HookChain(step.afterHooks, context);
    this.#changedBy = blaming(`${step.where}.requestOptions`, (/** @type {All} */ all) => all.changed());
    // the status that counts: hooks may overwrite it
    this.#statusOf = blaming(`${step.where}.response`, (/** @type {All} */ all) =>
      Number(all.response?.statusCode ?? 0),
    );
  }

  /** @type {(env: Env, lane: Lane, rendered: Request | null) => Promise<StepResult>} */
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
      response = await this.#exchange(request, env, lane, rules);
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

  /** @type {(request: Request, env: Env, lane: Lane, rules: Rules) => Promise<Response>} */
  #exchange(request, env, lane, rules) {
    lane.readClock();
    return new Promise((onResponse, onError) => {
      lane.exchange.start(this.#plan, request, env, rules, { onResponse, onError });
    });
  }

  /** @type {(all: All, env: Env, lane: Lane, rendered: Request | null) => { request: Request, rules: Rules }} */
  #requestOf(all, env, lane, rendered) {
    const step = this.#step;
    const changed = this.#changedBy(all);
    if (changed === null) return { request: rendered ?? step.request ?? this.#render(env), rules: step };
    const { body } = changed.request;
    // a form's file was read, or a text was encoded, for this request alone
    if (Buffer.isBuffer(body) && body !== step.request?.body) lane.bodies.take(body.length);
    return { request: changed.request, rules: changed.rules ?? step };
  }
}
