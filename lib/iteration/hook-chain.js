import { makeError } from '../errors.js';
import { blaming, hookError } from './failure.js';

/**
 * @import { NamedHook } from '../flow/types.js'
 * @import { Clock } from '../run/clock.js'
 * @import { All } from './all.js'
 * @import { Lane } from './lane.js'
 *
 * @typedef {object} BoundHook
 * @property {string} where
 * @property {(all: All) => PromiseLike<unknown> | null} call adopts the result, or returns the promise of it
 * @property {(all: All, result: unknown) => void} adopt
 */

/** Calls the before-hooks or the after-hooks of a step, in order. */
export class HookChain {
  #clock;
  #timeoutMs;
  /** @type {BoundHook[]} */
  #hooks;

  /**
   * @param {NamedHook[]} hooks
   * @param {{ clock: Pick<Clock, 'now'>, timeoutMs: number }} run `timeoutMs`: of operations without their own timeout
   */
  constructor(hooks, { clock, timeoutMs }) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#hooks = hooks.map(bind);
  }

  /**
   * Calls the hooks. Creates a promise only if a hook returns one.
   *
   * @param {All} all
   * @param {Lane} lane
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

  /** Awaits one hook, then calls those after it. @type {(promise: PromiseLike<unknown>, all: All, lane: Lane, timeoutMs: number | null, i: number) => Promise<void>} */
  async #finish(promise, all, lane, timeoutMs, i) {
    const hook = this.#hooks[i];
    hook.adopt(all, await this.#withinDeadline(promise, hook.where, lane, timeoutMs ?? this.#timeoutMs));
    await this.call(all, lane, timeoutMs, i + 1);
  }

  /** @type {(promise: PromiseLike<unknown>, where: string, lane: Lane, ms: number) => Promise<unknown>} */
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
      deadline.start(ms > 0 ? this.#clock.now() + ms : Infinity, (why) => {
        const isOver = why === 'cancelled' || deadline.isPastLimit(this.#clock.now());
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

/** @type {(hook: NamedHook) => BoundHook} */
function bind({ where, hook }) {
  return {
    where,
    call: blaming(where, (/** @type {All} */ all) => {
      const result = hook(all);
      if (isThenable(result)) return result;
      all.adopt(result, where);
      return null;
    }),
    adopt: blaming(where, (/** @type {All} */ all, /** @type {unknown} */ result) => all.adopt(result, where)),
  };
}

/** @type {(value: any) => value is PromiseLike<unknown>} */
function isThenable(value) {
  return typeof value?.then === 'function';
}
