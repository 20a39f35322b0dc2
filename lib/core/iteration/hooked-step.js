import { makeError } from '../ground/errors.js';
import { maskText } from '../text/mask.js';
import { All } from './all.js';
import { withErrorPlace, hookError, isErrorStatus } from './failure.js';

/** @import { Clock } from '../contracts/clock.js' */
/** @import { Request } from '../contracts/request.js' */
/** @import { Receiver, Response } from '../contracts/response.js' */
/** @import { NamedHook, Rules, Step } from '../contracts/step.js' */
/** @import { Departure } from './all.js' */
/** @import { Env } from './iteration.js' */
/** @import { Lane } from './lane.js' */
/** @import { ExchangeContext, ExchangePlan, PerformStep, StepReceiver } from './step.js' */

/** A step with hooks: what all of its runs have in common, decided before the run. A {@link HookedRun} performs it. */
export class HookedStep {
  #render;
  #changedBy;
  step;
  /** The parts of the run for hooks. */
  run;
  plan;
  before;
  after;
  /** It returns the status that counts: hooks may overwrite it. */
  statusOf;

  /**
   * @param {Step} step
   * @param {ExchangeContext} context
   * @param {{ plan: ExchangePlan, render: Step['render'] }} parts
   */
  constructor(step, context, { plan, render }) {
    this.step = step;
    const { runCtx, stop } = context;
    // Once the run is over, there is nothing to stop.
    this.run = { runCtx, stop: step.phase === 'after' ? () => {} : stop };
    this.plan = plan;
    this.#render = render;
    this.before = new HookChain(step.beforeHooks.map(bindHook), context);
    this.after = new HookChain(step.afterHooks.map(bindHook), context);
    this.#changedBy = withErrorPlace(`${step.where}.requestOptions`, (/** @type {All} */ all) => all.changed());
    this.statusOf = withErrorPlace(`${step.where}.response`, (/** @type {All} */ all) =>
      Number(all.response?.statusCode ?? 0),
    );
  }

  /** @type {PerformStep} */
  perform(env, lane, rendered, receiver) {
    new HookedRun(this, env, lane, rendered, receiver).start();
  }

  /** Before-hooks may have changed what is read before each request. @throws {Error} E_FLOW @type {() => Step} */
  #currentStep() {
    const { live, beforeHooks } = this.step;
    return beforeHooks.length > 0 && live?.isStale() ? live.renewed() : this.step;
  }

  /** @type {(all: All, env: Env, lane: Lane, rendered: Request | null) => { request: Request, rules: Rules }} */
  requestOf(all, env, lane, rendered) {
    if (all.err) throw hookError(all.err, this.step.where);
    const step = this.#currentStep();
    if (step !== this.step) all.follow(step);
    const changed = this.#changedBy(all);
    if (changed === null) {
      const render = step === this.step ? this.#render : step.render;
      return { request: rendered ?? step.request ?? render(env), rules: step };
    }
    const { body } = changed.request;
    // The request has a body of its own: a form's file was read for it, or a text was encoded.
    if (Buffer.isBuffer(body) && body !== step.request?.body) lane.bodies.reserve(body.length);
    return { request: changed.request, rules: changed.rules ?? step };
  }
}

/**
 * One run of a step with hooks. Promises only where hooks return them:
 *
 *     start -> (before-hooks) -> #send -> onResponse, onError -> #callAfter -> (after-hooks) -> #finish -> receiver
 */
class HookedRun {
  #hooked;
  #env;
  #lane;
  #rendered;
  #receiver;
  #all;
  /** @type {Rules} */
  #rules;
  /** The error of the exchange. @type {any} */
  #error = undefined;
  /** The exchange has not returned from its start: it fails without I/O. */
  #isSending = false;
  /** @type {Response | undefined} */
  #response = undefined;

  /**
   * @param {HookedStep} hooked
   * @param {Env} env
   * @param {Lane} lane
   * @param {Request | null} rendered
   * @param {StepReceiver} receiver
   */
  constructor(hooked, env, lane, rendered, receiver) {
    this.#hooked = hooked;
    this.#env = env;
    this.#lane = lane;
    this.#rendered = rendered;
    this.#receiver = receiver;
    this.#rules = hooked.step;
    this.#all = new All(hooked.step, env, lane, hooked.run);
  }

  start() {
    const { before, step } = this.#hooked;
    let pending;
    try {
      pending = before.call(this.#all, this.#lane, step.timeoutMs);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (pending === null) this.#send();
    else
      pending.then(
        () => this.#send(),
        (error) => this.#fail(error),
      );
  }

  #send() {
    const { exchange } = this.#lane;
    let sent;
    try {
      if (this.#all.departure !== null) {
        this.#leave(this.#all.departure);
        return;
      }
      sent = this.#hooked.requestOf(this.#all, this.#env, this.#lane, this.#rendered);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#rules = sent.rules;
    this.#lane.readClock();
    this.#isSending = true;
    exchange.start(this.#hooked.plan, sent.request, this.#env, sent.rules, this);
    this.#isSending = false;
  }

  /** @type {Receiver['onResponse']} */
  onResponse(response) {
    this.#callAfter(response);
  }

  /** @type {Receiver['onError']} */
  onError(error, response) {
    this.#error = error;
    // Hooks may ignore such errors: a microtask keeps the stack flat when many steps in a row fail.
    if (this.#isSending) queueMicrotask(() => this.#callAfter(response));
    else this.#callAfter(response);
  }

  /** @type {(response: Response | undefined) => void} */
  #callAfter(response) {
    this.#response = response;
    let pending;
    try {
      this.#all.received(response, this.#error);
      pending = this.#hooked.after.call(this.#all, this.#lane, this.#rules.timeoutMs);
    } catch (cause) {
      this.#failAfter(cause);
      return;
    }
    if (pending === null) this.#finish();
    else
      pending.then(
        () => this.#finish(),
        (cause) => this.#failAfter(cause),
      );
  }

  #finish() {
    const { step, statusOf } = this.#hooked;
    const all = this.#all;
    let statusCode;
    try {
      if (all.err) throw all.err === this.#error ? all.err : hookError(all.err, step.where);
      statusCode = statusOf(all);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#lane.readClock();
    if (all.departure !== null && !isErrorStatus(statusCode, step)) this.#receiver.onDeparture(all.departure);
    else this.#receiver.onResponse({ statusCode, rules: this.#rules, response: this.#response });
  }

  /** Leaves the step. A microtask keeps the stack flat. @type {(departure: Departure) => void} */
  #leave(departure) {
    const { err } = this.#all;
    if (err) throw hookError(err, this.#hooked.step.where);
    queueMicrotask(() => {
      this.#lane.readClock();
      this.#receiver.onDeparture(departure);
    });
  }

  /** The hook failed for lack of a response. @type {(cause: unknown) => void} */
  #failAfter(cause) {
    this.#fail(this.#error ?? hookError(cause, this.#hooked.step.where));
  }

  /** @type {(error: unknown) => void} */
  #fail(error) {
    this.#lane.readClock();
    this.#receiver.onError(error, this.#response);
  }
}

/**
 * @template T
 * @typedef {object} BoundHook a function of the flow
 * @property {string} where
 * @property {Function} fn as the user wrote it
 * @property {boolean} takesNext it ends when it calls its second parameter
 * @property {(argument: T) => PromiseLike<unknown> | null} call adopts the result, or returns the promise of it
 * @property {(argument: T, result: unknown) => Promise<void> | null | void} adopt the promise of a hook that is not
 *   over yet
 */

/**
 * Calls the before-hooks or the after-hooks of a step, or the functions that return its values, in order.
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
   * Calls the hooks, beginning at `from`. Creates a promise only if a hook returns one, and throws at once, or rejects,
   * if a hook fails. `timeoutMs` is the limit of each hook; null: that of the run.
   * @type {(all: T, lane: Pick<Lane, 'deadline'>, timeoutMs: number | null, from?: number) => Promise<void> | null}
   */
  call(all, lane, timeoutMs, from = 0) {
    for (let i = from; i < this.#hooks.length; i++) {
      const promise = this.#hooks[i].call(all);
      if (promise) return this.#finish(promise, all, lane, timeoutMs, i);
    }
    return null;
  }

  /**
   * Awaits one hook, then calls those after it.
   * @type {(promise: PromiseLike<unknown>, all: T, lane: Pick<Lane, 'deadline'>, timeoutMs: number | null, i: number)
   *   => Promise<void>}
   */
  async #finish(promise, all, lane, timeoutMs, i) {
    const hook = this.#hooks[i];
    const ms = timeoutMs ?? this.#timeoutMs;
    const pending = hook.adopt(all, await this.#withinDeadline(promise, hook, lane, ms));
    if (pending) await this.#withinDeadline(pending, hook, lane, ms);
    await this.call(all, lane, timeoutMs, i + 1);
  }

  /**
   * @type {(promise: PromiseLike<unknown>, hook: BoundHook<T>, lane: Pick<Lane, 'deadline'>, ms: number) =>
   *   Promise<unknown>}
   */
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
      // A thenable may throw here, too.
      Promise.resolve(promise).then(
        (value) => end(resolve, value),
        (error) => end(reject, hookError(error, hook.where)),
      );
    });
  }
}

/** @type {(hook: { where: string, fn: Function, takesNext?: boolean }, ms: number) => Error} */
export function hookTimeout({ where, fn, takesNext = false }, ms) {
  const ends = takesNext ? { end: 'call next', cure: 'call it, or return a promise' } : { end: 'finish' };
  return Object.assign(makeError('E_TIMEOUT_HOOK', { hook: where, ms, ...ends }), { returnedBy: fn });
}

/** @type {(hook: NamedHook) => BoundHook<All>} */
export function bindHook({ where, hook, entry }) {
  const name = entry?.name ?? hook.name;
  const named = typeof name === 'string' && name !== '' ? `${where} (${maskText(name)})` : where;
  const adopt = (/** @type {All} */ all, /** @type {unknown} */ result) => all.adopt(result, named);
  const call = /** @type {(all: All) => unknown} */ (/** @type {Function} */ (hook));
  if (hook.length < 2) return bindFunction(named, call, adopt);
  return { ...bindFunction(named, awaitingNext(hook), adopt), fn: hook, takesNext: true };
}

/**
 * A hook with a second parameter has ended when it calls it, with an error or without; calls after the first have no
 * effect. Its result is ignored, as in `(all, next) => setTimeout(next, 10)`, unless it is a promise, or `all`, as in
 * bench-rest 1.
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
    // It may be called after the hook has ended in another way.
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
    call: withErrorPlace(where, (/** @type {T} */ argument) => {
      const result = fn(argument);
      if (isThenable(result)) return result;
      return adopt(argument, result) ?? null;
    }),
    adopt: withErrorPlace(where, adopt),
  };
}

/** @type {(value: any) => value is PromiseLike<unknown>} */
function isThenable(value) {
  return typeof value?.then === 'function';
}
