import { makeError } from '../errors.js';
import { All } from './all.js';
import { prepareExchange } from './exchange.js';
import { hookError } from './failure.js';

/**
 * @import { NamedHook, Request, Step } from '../flow/types.js'
 * @import { OperationRecorder } from '../measure/operations.js'
 * @import { Response } from '../transport/types.js'
 * @import { Env } from './env.js'
 * @import { ExchangeContext } from './exchange.js'
 * @import { Lane } from './lane.js'
 *
 * @typedef {(env: Env, lane: Lane, rendered: Request | null) => Promise<{ statusCode: number }>} PerformStep gives the
 *   status that counts; rejects, or throws at once, when there is none
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
  const exchange = prepareExchange(step, context, operation);
  if (step.beforeHooks.length === 0 && step.afterHooks.length === 0) {
    return (env, lane, rendered) => exchange(rendered ?? step.request ?? render(env), env, lane);
  }
  return async (env, lane, rendered) => {
    const all = new All(step, env, context.runCtx);
    const before = callHooks(step.beforeHooks, all, lane);
    if (before) await before;
    if (all.err) throw hookError(all.err, step.where);
    const request = changedRequest(all) ?? rendered ?? step.request ?? render(env);
    /** @type {Response | undefined} */
    let response;
    let error;
    try {
      response = await exchange(request, env, lane);
    } catch (reason) {
      error = reason;
    }
    try {
      all.received(response, error);
      const after = callHooks(step.afterHooks, all, lane);
      if (after) await after;
    } catch (cause) {
      // a hook that stumbles over the missing response is not what went wrong
      throw error ?? hookError(cause, step.where);
    }
    if (all.err) throw all.err === error ? error : hookError(all.err, step.where);
    return { statusCode: statusOf(all) };
  };

  /** With what hooks of earlier steps may have written to env. @type {(env: Env) => Request} */
  function render(env) {
    try {
      return step.render(env);
    } catch (cause) {
      throw hookError(cause, `${step.where}.env`);
    }
  }

  /** @type {(all: All) => Request | null} */
  function changedRequest(all) {
    try {
      return all.changedRequest();
    } catch (cause) {
      throw hookError(cause, `${step.where}.requestOptions`);
    }
  }

  /** The one that counts, which hooks may write over. @type {(all: All) => number} */
  function statusOf(all) {
    try {
      return Number(all.response?.statusCode ?? 0);
    } catch (cause) {
      throw hookError(cause, `${step.where}.response`);
    }
  }

  /** A promise only where a hook gives one. @type {(hooks: NamedHook[], all: All, lane: Lane, from?: number) => Promise<void> | undefined} */
  function callHooks(hooks, all, lane, from = 0) {
    for (let i = from; i < hooks.length; i++) {
      const { where, hook } = hooks[i];
      try {
        const result = hook(all);
        if (isThenable(result)) return finishHook(result, hooks, all, lane, i);
        all.adopt(result, where);
      } catch (cause) {
        throw hookError(cause, where);
      }
    }
    return undefined;
  }

  /** @type {(result: PromiseLike<unknown>, hooks: NamedHook[], all: All, lane: Lane, i: number) => Promise<void>} */
  async function finishHook(result, hooks, all, lane, i) {
    const { where } = hooks[i];
    try {
      all.adopt(await withinDeadline(result, where, lane), where);
    } catch (cause) {
      throw hookError(cause, where);
    }
    await callHooks(hooks, all, lane, i + 1);
  }

  /** @type {(result: PromiseLike<unknown>, where: string, lane: Lane) => Promise<unknown>} */
  function withinDeadline(result, where, { deadline }) {
    const ms = step.timeoutMs ?? context.timeoutMs;
    return new Promise((resolve, reject) => {
      deadline.at = ms > 0 ? context.clock.now() + ms : Infinity;
      deadline.interrupt = (why) => {
        const isOver = why === 'cancelled' || deadline.limit <= context.clock.now();
        settle(reject, makeError(isOver ? 'E_CANCELLED' : 'E_TIMEOUT_HOOK', { hook: where, ms }));
      };
      result.then(
        (value) => settle(resolve, value),
        (error) => settle(reject, error),
      );

      let isSettled = false;
      /** @type {(how: (value: any) => void, value: unknown) => void} */
      function settle(how, value) {
        if (isSettled) return;
        isSettled = true;
        deadline.at = Infinity;
        deadline.interrupt = null;
        how(value);
      }
    });
  }
}

/** @type {(value: any) => value is PromiseLike<unknown>} */
function isThenable(value) {
  return typeof value?.then === 'function';
}
