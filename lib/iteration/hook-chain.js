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
 * @property {Function} fn as the user wrote it
 * @property {boolean} takesNext it ends when it calls its second parameter
 * @property {(argument: T) => PromiseLike<unknown> | null} call adopts the result, or returns the promise of it
 * @property {(argument: T, result: unknown) => Promise<void> | null | void} adopt the promise of a hook that is not over yet
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
    const ms = timeoutMs ?? this.#timeoutMs;
    const pending = hook.adopt(all, await this.#withinDeadline(promise, hook, lane, ms));
    if (pending) await this.#withinDeadline(pending, hook, lane, ms);
    await this.call(all, lane, timeoutMs, i + 1);
  }

  /** @type {(promise: PromiseLike<unknown>, hook: BoundHook<T>, lane: Pick<Lane, 'deadline'>, ms: number) => Promise<unknown>} */
  #withinDeadline(promise, hook, { deadline }, ms) {
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
        end(reject, isOver ? makeError('E_CANCELLED') : hookTimeout(hook, ms));
      });
      // a thenable may throw here, too
      Promise.resolve(promise).then(
        (value) => end(resolve, value),
        (error) => end(reject, hookError(error, hook.where)),
      );
    });
  }
}

/**
 * @param {{ where: string, fn: Function, takesNext?: boolean }} hook
 * @param {number} ms its time limit
 * @returns {Error} E_TIMEOUT_HOOK
 */
export function hookTimeout({ where, fn, takesNext = false }, ms) {
  const ends = takesNext ? { end: 'call next', cure: 'call it, or return a promise' } : { end: 'finish' };
  return Object.assign(makeError('E_TIMEOUT_HOOK', { hook: where, ms, ...ends }), { returnedBy: fn });
}

/** @type {(hook: NamedHook) => BoundHook<All>} */
export function bindHook({ where, hook, entry }) {
  const name = entry?.name ?? hook.name;
  const named = typeof name === 'string' && name !== '' ? `${where} (${maskText(name)})` : where;
  const adopt = (/** @type {All} */ all, /** @type {unknown} */ result) => all.adopt(result, named);
  if (hook.length < 2) return bindFunction(named, hook, adopt);
  return { ...bindFunction(named, awaitingNext(hook), adopt), fn: hook, takesNext: true };
}

/**
 * A hook with a second parameter has ended when it calls it, with an error or without; calls after the first have no effect.
 * Its result is ignored, as in `(all, next) => setTimeout(next, 10)`, unless it is a promise, or `all`, as in bench-rest 1.
 *
 * @type {(hook: NamedHook['hook']) => (all: All) => unknown}
 */
function awaitingNext(hook) {
  return (all) => {
    /** @type {(error?: unknown) => void} */
    let next = () => {};
    const called = new Promise((resolve, reject) => {
      next = (error) => {
        if (error && error !== all) reject(error);
        else resolve(undefined);
      };
    });
    // it may be called after the hook has ended in another way
    called.catch(() => {});
    const result = hook(all, next);
    return result === all || isThenable(result) ? result : called;
  };
}

/**
 * @template T
 * @param {string} where
 * @param {(argument: T) => unknown} fn
 * @param {BoundHook<T>['adopt']} adopt
 * @returns {BoundHook<T>}
 */
export function bindFunction(where, fn, adopt) {
  return {
    where,
    fn,
    takesNext: false,
    call: blaming(where, (/** @type {T} */ argument) => {
      const result = fn(argument);
      if (isThenable(result)) return result;
      return adopt(argument, result) ?? null;
    }),
    adopt: blaming(where, adopt),
  };
}

/** @type {(value: any) => value is PromiseLike<unknown>} */
function isThenable(value) {
  return typeof value?.then === 'function';
}
