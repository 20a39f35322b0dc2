import { All } from './all.js';
import { blaming, hookError, isErrorStatus } from './failure.js';
import { HookChain, bindHook } from './hook-chain.js';

/**
 * @import { Request, Rules, Step } from '../flow/types.js'
 * @import { Receiver, Response } from '../transport/types.js'
 * @import { Departure } from './all.js'
 * @import { Env } from './env.js'
 * @import { ExchangeContext, ExchangePlan } from './exchange-plan.js'
 * @import { Lane } from './lane.js'
 * @import { PerformStep, StepReceiver } from './step.js'
 */

/** A step with hooks: what all of its runs have in common, decided before the run. */
export class HookedStep {
  #render;
  #changedBy;
  step;
  /** what hooks get of the run */
  run;
  plan;
  before;
  after;
  /** the status that counts: hooks may overwrite it */
  statusOf;

  /**
   * @param {Step} step
   * @param {ExchangeContext} context
   * @param {{ plan: ExchangePlan, render: Step['render'] }} parts
   */
  constructor(step, context, { plan, render }) {
    this.step = step;
    const { runCtx, stop } = context;
    // once the run is over, there is nothing to stop
    this.run = { runCtx, stop: step.phase === 'after' ? () => {} : stop };
    this.plan = plan;
    this.#render = render;
    this.before = new HookChain(step.beforeHooks.map(bindHook), context);
    this.after = new HookChain(step.afterHooks.map(bindHook), context);
    this.#changedBy = blaming(`${step.where}.requestOptions`, (/** @type {All} */ all) => all.changed());
    this.statusOf = blaming(`${step.where}.response`, (/** @type {All} */ all) =>
      Number(all.response?.statusCode ?? 0),
    );
  }

  /** @type {PerformStep} */
  perform(env, lane, rendered, receiver) {
    new HookedRun(this, env, lane, rendered, receiver).start();
  }

  /** @type {(all: All, env: Env, lane: Lane, rendered: Request | null) => { request: Request, rules: Rules }} */
  requestOf(all, env, lane, rendered) {
    const { step } = this;
    if (all.err) throw hookError(all.err, step.where);
    const changed = this.#changedBy(all);
    if (changed === null) return { request: rendered ?? step.request ?? this.#render(env), rules: step };
    const { body } = changed.request;
    // a form's file was read, or a text was encoded, for this request alone
    if (Buffer.isBuffer(body) && body !== step.request?.body) lane.bodies.take(body.length);
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
  /** of the exchange @type {any} */
  #error = undefined;
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
    // steps that all fail without I/O, and whose hooks ignore it, would call each other ever deeper
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

  /** Nothing was sent: operations that are all left out would call each other ever deeper. @type {(departure: Departure) => void} */
  #leave(departure) {
    const { err } = this.#all;
    if (err) throw hookError(err, this.#hooked.step.where);
    queueMicrotask(() => {
      this.#lane.readClock();
      this.#receiver.onDeparture(departure);
    });
  }

  /** The failed exchange is the error, not the hook that failed for lack of a response. @type {(cause: unknown) => void} */
  #failAfter(cause) {
    this.#fail(this.#error ?? hookError(cause, this.#hooked.step.where));
  }

  /** @type {(error: unknown) => void} */
  #fail(error) {
    this.#lane.readClock();
    this.#receiver.onError(error, this.#response);
  }
}
