import { HookChain, bindFunction } from './hook-chain.js';

/**
 * @import { NamedValue, Step } from '../flow/types.js'
 * @import { Clock } from '../run/clock.js'
 * @import { Env } from './env.js'
 * @import { BoundHook } from './hook-chain.js'
 * @import { PerformStep } from './step.js'
 */

/**
 * Calls the functions that return values of a step's request, once for each request, before its before-hooks.
 *
 * @param {Step} step
 * @param {{ clock: Pick<Clock, 'now'>, timeoutMs: number }} context
 * @param {PerformStep} perform the rest of the step
 * @returns {PerformStep}
 */
export function withValues(step, context, perform) {
  const functions = new HookChain(step.values.map(bindValue), context);
  return (env, lane, rendered, receiver) => {
    env.values = [];
    const fail = (/** @type {unknown} */ error) => {
      lane.readClock();
      receiver.onError(error);
    };
    let pending;
    try {
      pending = functions.call(env, lane, step.timeoutMs);
    } catch (error) {
      fail(error);
      return;
    }
    const go = () => {
      lane.readClock();
      perform(env, lane, rendered, receiver);
    };
    if (pending === null) go();
    else pending.then(go, fail);
  };
}

/** @type {(value: NamedValue, at: number) => BoundHook<Env>} */
function bindValue({ where, call, take }, at) {
  return bindFunction(where, call, (/** @type {Env} */ env, result) => {
    env.values[at] = take(result);
  });
}
