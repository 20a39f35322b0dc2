import { ERRORS, makeError } from '../ground/errors.js';
import { isTeardown } from '../ground/phases.js';
import { drawMs, readThinkTime } from '../ground/units.js';
import { classify, hookError, isErrorStatus, pastResult, statusError } from './failure.js';
import { hookTimeout } from './hooked-step.js';
import { RequestedSteps } from './step-functions.js';

/** @import { Step } from '../contracts/step.js' */
/** @import { Env, PhaseContext } from './iteration.js' */
/** @import { FailedResult } from './failure.js' */
/** @import { Lane } from './lane.js' */
/** @import { PerformStep, StepReceiver } from './step.js' */
/** @import { RequestedResponse, RequestedStep } from './step-functions.js' */

/** @typedef {Step & { call: NonNullable<Step['call']> }} PerformedFunction */

/**
 * @typedef {object} Wait the function waits for a request
 * @property {RequestedStep} requested
 * @property {(response: unknown) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/** Binds a function in a phase to its run. @type {(step: Step, context: PhaseContext) => PerformStep} */
export function prepareFunction(step, context) {
  const caller = /** @type {PerformedFunction} */ (step);
  const steps = new RequestedSteps(caller, context);
  return (env, lane, _rendered, receiver) => new FunctionRun(caller, { context, steps, env, lane, receiver }).start();
}

/**
 * One run of a function in a phase: a step that makes its requests itself. It is the receiver of each of them (a step
 * of its own, see {@link RequestedSteps}), and they go through the exchange of its lane, one after the other:
 *
 *     start -> (function) -> #send -> onResponse, onError -> (function) … -> #returned, #threw -> receiver
 *
 * The time between requests has the limit of a hook. The step ends when both the function and its request have ended.
 * At each time it is in one of these states:
 *
 *     the function runs              no #wait, not #isPausing: the deadline of the step is running
 *     a request waits for its turn   #wait and #isPausing
 *     a request is sent              #wait: the deadline is that of its exchange
 *     pause()                        #isPausing
 *     over                           #isOver: the receiver got the end
 *
 * An error of the function in the second to fourth state is kept in #thrown until that state ends.
 */
class FunctionRun {
  #step;
  #context;
  #steps;
  #env;
  #lane;
  #receiver;
  /** @type {Wait | null} */
  #wait = null;
  #isPausing = false;
  /**
   * The last request that failed, which the function may pass on: `seen` is its error as the function got it.
   * @type {{ seen: unknown, error: unknown, result: FailedResult, requested: RequestedStep } | null}
   */
  #failure = null;
  /** The error of the function, while its request or pause has not ended. @type {{ error: unknown } | null} */
  #thrown = null;
  /** A hook of a request has ended the iteration. */
  #endsIteration = false;
  #hasRequested = false;
  #isOver = false;
  /** Calls after its end are not reported: it has failed, a hook ended it, or one such call was reported. */
  #isReported = false;
  #index;

  /**
   * @param {PerformedFunction} step
   * @param {{ context: PhaseContext, steps: RequestedSteps, env: Env, lane: Lane, receiver: StepReceiver }} parts
   */
  constructor(step, { context, steps, env, lane, receiver }) {
    this.#step = step;
    this.#context = context;
    this.#steps = steps;
    this.#env = env;
    this.#lane = lane;
    this.#receiver = receiver;
    this.#index = lane.iteration.index;
  }

  start() {
    const scope = new FunctionScope(this.#env, { request: this.#request, measure: this.#measure, pause: this.#pause });
    this.#startDeadline();
    new Promise((resolve) => resolve(this.#step.call.fn(scope))).then(
      (value) => this.#returned(value),
      (error) => this.#threw(error),
    );
  }

  /** @type {(operation: unknown) => Promise<unknown>} */
  #request = (operation) =>
    new Promise((resolve, reject) => {
      if (this.#mayWait('request')) this.#send(operation, resolve, reject);
    });

  /** @type {(name: unknown, call: unknown, options?: object) => Promise<unknown>} */
  #measure = (name, call, options = {}) =>
    new Promise((resolve, reject) => {
      if (!this.#mayWait('measure')) return;
      if (typeof call === 'function') this.#send({ ...options, measure: name ?? null, run: call }, resolve, reject);
      else
        this.#threw(this.#misuse("called measure() without a function: write measure('insert', () => pool.query(…))"));
    });

  /** @type {(time: unknown) => Promise<void>} */
  #pause = (time) =>
    new Promise((resolve) => {
      if (!this.#mayWait('pause')) return;
      const thinkTime = readThinkTime(time);
      if (thinkTime === null) this.#threw(this.#misuse("called pause() without a time: write pause('2s')"));
      else this.#sleep(drawMs(thinkTime, this.#context.random), resolve);
    });

  /**
   * Reports whether the function may call `request`, `measure` or `pause` now. If not, the step ends, and the promise
   * of that call is never settled: a rejection that nothing handles, as in `forEach(async …)`, would end the process.
   * @type {(name: string) => boolean}
   */
  #mayWait(name) {
    if (this.#isOver) this.#reportLate(name);
    else if (this.#wait !== null || this.#isPausing)
      this.#interrupt(
        this.#misuse(
          `called ${name}() before the last one had ended: a virtual user does one thing at a time, await each call`,
        ),
      );
    else if (this.#isCutOff()) this.#fail(makeError('E_CANCELLED'));
    else if (this.#endsIteration) {
      this.#isReported = true;
      this.#end();
      this.#receiver.onDeparture('end');
    } else return true;
    return false;
  }

  /**
   * Fails the function when its request or pause has ended. A measured call is aborted: in `measure('a', () =>
   * request('/b'))` it waits for the promise of `request`, which is never settled. It cannot be aborted before its
   * function has returned.
   * @type {(error: Error) => void}
   */
  #interrupt(error) {
    this.#threw(error);
    const wait = this.#wait;
    if (wait === null || wait.requested.step.protocol.isCode !== true) return;
    queueMicrotask(() => {
      if (wait === this.#wait) this.#lane.deadline.connection?.abort(error);
    });
  }

  /** Reports a late error. The iteration may have ended: it is one of the run alone. @type {(name: string) => void} */
  #reportLate(name) {
    if (this.#isReported) return;
    this.#isReported = true;
    const { where, phase } = this.#step;
    const error = hookError(this.#misuse(`called ${name}() after it had ended: await each call`), where);
    this.#context.onError(error, phase, this.#step, this.#index, () => null);
  }

  /**
   * Reports whether the function is cut off: its time counts towards the limit of a teardown. The clock is read, as
   * code of the flow has run since `lane.now`.
   */
  #isCutOff() {
    return this.#lane.isCutOff(isTeardown(this.#step.phase), this.#context.clock.now());
  }

  /** @type {(operation: unknown, resolve: (response: unknown) => void, reject: (error: unknown) => void) => void} */
  #send(operation, resolve, reject) {
    const lane = this.#lane;
    let requested;
    try {
      requested = this.#steps.stepOf(operation, this.#env);
    } catch (error) {
      reject(error);
      return;
    }
    this.#wait = { requested, resolve, reject };
    this.#hasRequested = true;
    if (this.#failure !== null) this.#failure.result = pastResult(this.#failure.result, lane.exchange);
    lane.deadline.end();
    lane.readClock();
    const perform = () => {
      try {
        // The run may have cut it off while the request waited for its turn.
        if (this.#isCutOff()) this.onError(makeError('E_CANCELLED'));
        else requested.perform(this.#env, lane, null, this);
      } catch (error) {
        // If it rejected the promise of the request, an internal error would count as an error of the function.
        lane.iteration.onFault(error);
      }
    };
    const turnMs = this.#context.isPaced ? lane.takeTurn() : 0;
    if (turnMs > 0) this.#sleep(turnMs, perform);
    else perform();
  }

  /** In a teardown at the end of the run it goes on at once. @type {(ms: number, go: () => void) => void} */
  #sleep(ms, go) {
    const lane = this.#lane;
    if (lane.isCancelled) {
      go();
      return;
    }
    this.#isPausing = true;
    lane.deadline.end();
    lane.readClock();
    const from = lane.now;
    lane.sleep(ms).then(() => {
      lane.iteration.paused(lane.now - from);
      this.#isPausing = false;
      // It was a pause of the function: after the turn of a request, that request follows.
      if (this.#wait === null) this.#goOn();
      go();
    });
  }

  /** @type {StepReceiver['onResponse']} */
  onResponse(result) {
    const { statusCode: status } = result;
    const { requested, resolve } = /** @type {Wait} */ (this.#wait);
    if (isErrorStatus(status, requested.step)) {
      this.#requestFailed(statusError(status, this.#lane.exchange.own.endpoint), result);
      return;
    }
    this.#wait = null;
    this.#lane.bodies.release();
    resolve('value' in result ? result.value : this.#steps.receivedBy(this.#env));
    this.#goOn();
  }

  /** @type {StepReceiver['onError']} */
  onError(error, response = { statusCode: null }) {
    this.#requestFailed(error, response);
  }

  /** @type {StepReceiver['onDeparture']} */
  onDeparture(departure) {
    const { requested, resolve } = /** @type {Wait} */ (this.#wait);
    this.#wait = null;
    this.#lane.bodies.release();
    if (departure === 'skip') {
      this.#context.recorder.skipped();
      requested.operation.skipped++;
    } else this.#endsIteration = true;
    resolve(this.#steps.receivedBy(this.#env));
    this.#goOn();
  }

  /** @type {(error: any, result: FailedResult) => void} */
  #requestFailed(error, result) {
    const { requested, reject } = /** @type {Wait} */ (this.#wait);
    this.#wait = null;
    this.#lane.bodies.release();
    const seen = ERRORS[error?.code]?.passesCause ? error.cause : error;
    // A function that has ended passes on no error of this request, and nothing may wait for it.
    if (this.#thrown === null) {
      this.#failure = { seen, error, result, requested };
      reject(seen);
    }
    if (classify(error).kind === 'cancelled') this.#fail(error);
    else this.#goOn();
  }

  /** Continues the function, unless it has ended before its request. */
  #goOn() {
    if (this.#thrown !== null) this.#fail(this.#thrown.error);
    else if (!this.#isOver) this.#startDeadline();
  }

  #startDeadline() {
    const { timeoutMs: ms, clock } = this.#context;
    const { deadline } = this.#lane;
    deadline.start(ms > 0 ? clock.now() + ms : Infinity, (why, now) => {
      const isCutOff = why === 'cancelled' || deadline.isPastLimit(now);
      const { where, call } = this.#step;
      this.#fail(isCutOff ? makeError('E_CANCELLED') : hookTimeout({ where, fn: call.fn }, ms));
    });
  }

  /** @type {(value: unknown) => void} */
  #returned(value) {
    if (this.#isOver) return;
    if (this.#wait !== null || this.#isPausing) {
      this.#threw(this.#misuse('returned before its request or pause had ended: await each call'));
      return;
    }
    if (!this.#hasRequested && this.#step.call.isOperation(value)) {
      this.#threw(this.#misuse("returned an operation, which sends nothing: write await request({ get: '/items' })"));
      return;
    }
    this.#end();
    if (this.#endsIteration) this.#receiver.onDeparture('end');
    else this.#receiver.onResponse(DONE);
  }

  /** @type {(error: unknown) => void} */
  #threw(error) {
    if (this.#isOver) return;
    if (this.#wait === null && !this.#isPausing) this.#fail(error);
    else this.#thrown ??= { error };
  }

  /** @type {(error: unknown) => void} */
  #fail(error) {
    if (this.#isOver) return;
    this.#isReported = true;
    this.#end();
    const failure = this.#failure;
    if (failure !== null && Object.is(failure.seen, error))
      this.#receiver.onError(failure.error, failure.result, failure.requested);
    else this.#receiver.onError(hookError(error, this.#step.where));
  }

  #end() {
    this.#isOver = true;
    this.#lane.deadline.end();
    this.#lane.readClock();
  }

  /** @type {(reason: string) => Error} */
  #misuse(reason) {
    return Object.assign(makeError('E_VALUE', { place: this.#step.where, reason }), {
      returnedBy: this.#step.call.fn,
    });
  }
}

const DONE = { statusCode: 200 };

/** Performs the function that begins a virtual user until it succeeds. @type {(perform: PerformStep) => PerformStep} */
export function oncePerUser(perform) {
  return (env, lane, rendered, receiver) => {
    const { share } = lane;
    if (share.hasBegun) {
      receiver.onResponse(DONE);
      return;
    }
    const begin = () => {
      share.hasBegun = true;
      env.beginUser();
    };
    perform(env, lane, rendered, {
      onResponse(result) {
        begin();
        receiver.onResponse(result);
      },
      onError: (error, result, failed) => receiver.onError(error, result, failed),
      onDeparture(departure) {
        begin();
        receiver.onDeparture(departure);
      },
    });
  };
}

/**
 * @typedef {object} FunctionActions
 * @property {(operation: unknown) => Promise<RequestedResponse | undefined>} request
 * @property {(name: unknown, call: unknown, options?: object) => Promise<unknown>} measure
 * @property {(time: unknown) => Promise<void>} pause
 */

/** The argument of a function in a phase: the state of its iteration, and what it can do. */
class FunctionScope {
  /** @param {Env} env @param {any} actions */
  constructor(env, { request, measure, pause }) {
    this.env = env;
    this.index = env.index;
    this.request = /** @type {FunctionActions['request']} */ (request);
    this.measure = /** @type {FunctionActions['measure']} */ (measure);
    this.pause = /** @type {FunctionActions['pause']} */ (pause);
    this.vars = env.vars;
    this.runCtx = env.runCtx;
    this.vu = env.vu;
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

  set iterCtx(iterCtx) {
    this.env.iterCtx = iterCtx;
  }

  get vuCtx() {
    return this.env.vuCtx;
  }

  set vuCtx(vuCtx) {
    this.env.vuCtx = vuCtx;
  }
}
