import { makeError } from '../errors.js';
import { maskText } from '../text/mask.js';
import { blaming, hookError } from './failure.js';

/**
 * @import { NamedHook } from '../flow/types.js'
 * @import { Clock } from '../run/clock.js'
 * @import { All } from './all.js'
 * @import { Lane } from './lane.js'
 *
 * @template T
 * @typedef {object} BoundHook a function of the flow
 * @property {string} where
 * @property {(argument: T) => PromiseLike<unknown> | null} call adopts the result, or returns the promise of it
 * @property {(argument: T, result: unknown) => void} adopt
 */

/**
 * Calls the before-hooks or the after-hooks of a step, or the functions that return its values, in order.
 *
 * @template T the argument of all
 */
export class HookChain {
  #clock;
  #timeoutMs;
  /** @type {BoundHook<T>[]} */
  #hooks;

  /**
   * @param {BoundHook<T>[]} hooks
   * @param {{ clock: Pick<Clock, 'now'>, timeoutMs: number }} run `timeoutMs`: of operations without their own timeout
   */
  constructor(hooks, { clock, timeoutMs }) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#hooks = hooks;
  }

  /**
   * Calls the hooks. Creates a promise only if a hook returns one.
   *
   * @param {T} all
   * @param {Pick<Lane, 'deadline'>} lane
   * @param {number | null} timeoutMs of each hook; null: the run's
   * @param {number} [from] the first hook to call
   * @returns {Promise<void> | null} rejects, or throws at once, if a hook fails
   */
  call(all, lane, timeoutMs, from = 0) {
    for (let i = from; i < this.#hooks.length; i++) {
      const promise = this.#hooks[i].call(all);
      if (promise) return this.#finish(promise, all, lane, timeoutMs, i);
    }
    return null;
  }

  /** Awaits one hook, then calls those after it. @type {(promise: PromiseLike<unknown>, all: T, lane: Pick<Lane, 'deadline'>, timeoutMs: number | null, i: number) => Promise<void>} */
  async #finish(promise, all, lane, timeoutMs, i) {
    const hook = this.#hooks[i];
    hook.adopt(all, await this.#withinDeadline(promise, hook.where, lane, timeoutMs ?? this.#timeoutMs));
    await this.call(all, lane, timeoutMs, i + 1);
  }

  /** @type {(promise: PromiseLike<unknown>, where: string, lane: Pick<Lane, 'deadline'>, ms: number) => Promise<unknown>} */
  #withinDeadline(promise, where, { deadline }, ms) {
    return new Promise((resolve, reject) => {
      let isSettled = false;
      /** @type {(settle: (value: any) => void, value: unknown) => void} */
      const end = (settle, value) => {
        if (isSettled) return;
        isSettled = true;
        deadline.end();
        settle(value);
      };
      deadline.start(ms > 0 ? this.#clock.now() + ms : Infinity, (why, now) => {
        const isOver = why === 'cancelled' || deadline.isPastLimit(now);
        end(reject, makeError(isOver ? 'E_CANCELLED' : 'E_TIMEOUT_HOOK', { hook: where, ms }));
      });
      // a thenable may throw here, too
      Promise.resolve(promise).then(
        (value) => end(resolve, value),
        (error) => end(reject, hookError(error, where)),
      );
    });
  }
}

/** @type {(hook: NamedHook) => BoundHook<All>} */
export function bindHook({ where, hook, entry }) {
  const name = entry?.name ?? hook.name;
  const named = typeof name === 'string' && name !== '' ? `${where} (${maskText(name)})` : where;
  return bindFunction(named, hook, (all, result) => all.adopt(result, named));
}

/**
 * @template T
 * @param {string} where
 * @param {(argument: T) => unknown} fn
 * @param {(argument: T, result: unknown) => void} adopt
 * @returns {BoundHook<T>}
 */
export function bindFunction(where, fn, adopt) {
  return {
    where,
    call: blaming(where, (/** @type {T} */ argument) => {
      const result = fn(argument);
      if (isThenable(result)) return result;
      adopt(argument, result);
      return null;
    }),
    adopt: blaming(where, adopt),
  };
}

/** @type {(value: any) => value is PromiseLike<unknown>} */
function isThenable(value) {
  return typeof value?.then === 'function';
}
