import { exemplarOf } from './exemplar.js';
import { classify, describe, statusError } from './failure.js';
import { askPause, pauseBetween } from './pause.js';

/**
 * @import { Request } from '../flow/types.js'
 * @import { Env } from './env.js'
 * @import { PreparedIteration, Rendered } from './iteration.js'
 * @import { Lane } from './lane.js'
 * @import { BoundPhase, BoundStep } from './phase.js'
 * @import { StepReceiver } from './step.js'
 *
 * @typedef {'completed' | 'failed' | 'cancelled'} Outcome
 *
 * @typedef {object} EndListener gets the end of an iteration or a phase: one of the two is called, once, perhaps at once
 * @property {(outcome: Outcome) => void} onEnd
 * @property {(error: unknown) => void} onFault an internal error
 */

/**
 * The iteration that a lane runs. It performs the phases, and the steps of a phase in series until one fails:
 *
 *     start -> beforeMain -> main -> afterMain -> listener.onEnd
 *                  +--- not completed --^
 *
 *     #enter -> #next -> (turn) -> #perform -> onResponse -> (pause) -> #next … -> #leave
 *                                     +------> onError ----> #fail ----------------^
 *                                     +------> onDeparture --> #next, #leaveEarly -^
 *
 * One object serves all iterations of a lane, and the steps call back: see {@link Exchange} for what that saves.
 */
export class IterationRun {
  #lane;
  /** @type {PreparedIteration} */
  #plan = UNPLANNED;
  /** @type {BoundPhase} */
  #phase = UNPLANNED;
  /** those that this iteration performs @type {BoundStep[]} */
  #steps = UNPLANNED;
  /** the current one of them */
  #at = 0;
  /** @type {Env} */
  #env = UNPLANNED;
  /** @type {Rendered | undefined} */
  #rendered = undefined;
  /** @type {EndListener} */
  #listener = UNPLANNED;
  #index = /** @type {number | undefined} */ (undefined);
  #due = NaN;
  /** when the iteration began, and its `main` */
  #begunAt = NaN;
  #mainAt = NaN;
  /** @type {Outcome} */
  #outcome = 'completed';
  /** think time of `main` */
  #pausedMs = 0;
  /** belongs to the recorder: it lets no iteration end twice */
  isRunning = false;

  /** @param {Lane} lane */
  constructor(lane) {
    this.#lane = lane;
  }

  /** undefined in `before` and `after` */
  get index() {
    return this.#index;
  }

  /** Instant of the clock; NaN in a closed model. */
  get due() {
    return this.#due;
  }

  /**
   * @param {PreparedIteration} plan
   * @param {number} index
   * @param {number} due
   * @param {EndListener} listener
   * @param {Rendered} [rendered]
   */
  start(plan, index, due, listener, rendered) {
    const { now } = this.#lane;
    this.#env = plan.nextEnv(index, this.#lane, plan === this.#plan ? this.#env : null);
    this.#begin(plan, index, due, listener);
    this.#rendered = rendered;
    this.#outcome = 'completed';
    this.#begunAt = now;
    plan.context.recorder.started(this, now);
    if (plan.phases.beforeMain.isEmpty) this.#startMain();
    else this.#enter(plan.phases.beforeMain);
  }

  /**
   * Runs a phase by itself.
   *
   * @param {PreparedIteration} plan
   * @param {'before' | 'after'} phase
   * @param {Env} env
   * @param {EndListener} listener
   */
  once(plan, phase, env, listener) {
    this.#begin(plan, undefined, NaN, listener);
    this.#env = env;
    this.#rendered = undefined;
    this.#enter(plan.phases[phase]);
  }

  /** @type {(plan: PreparedIteration, index: number | undefined, due: number, listener: EndListener) => void} */
  #begin(plan, index, due, listener) {
    this.#plan = plan;
    this.#index = index;
    this.#due = due;
    this.#listener = listener;
  }

  #startMain() {
    this.#mainAt = this.#lane.now;
    this.#pausedMs = 0;
    this.#enter(this.#plan.phases.main);
  }

  /** @type {(phase: BoundPhase) => void} */
  #enter(phase) {
    this.#phase = phase;
    this.#steps = phase.select === null ? phase.steps : phase.select(this.#index ?? 0);
    this.#at = 0;
    this.#next();
  }

  #next() {
    const lane = this.#lane;
    if (this.#at === this.#steps.length) this.#leave('completed');
    else if (lane.isCancelled && !this.#mayTearDown()) this.#leave('cancelled');
    else if (this.#plan.context.isPaced && !this.#isImplied()) this.#pause(lane.takeTurn(), () => this.#perform());
    else this.#perform();
  }

  /** The handshake of a WebSocket is no request of its own. */
  #isImplied() {
    return this.#steps[this.#at].step.webSocket?.isImplied === true;
  }

  #mayTearDown() {
    return this.#phase.isTeardown && !this.#lane.deadline.isPastLimit(this.#lane.now);
  }

  #perform() {
    const rendered = this.#rendered?.[this.#phase.name]?.[this.#at] ?? null;
    this.#steps[this.#at].perform(this.#env, this.#lane, rendered, this);
  }

  /** @type {StepReceiver['onResponse']} */
  onResponse({ statusCode: status, rules }) {
    try {
      this.#lane.bodies.release();
      const { pauseMs } = rules ?? this.#steps[this.#at].step;
      if (status >= 400) this.#fail(statusError(status, this.#lane.exchange.own.endpoint), status);
      else if (typeof pauseMs === 'function') this.#askPause(pauseMs);
      else this.#goOn(pauseMs);
    } catch (error) {
      this.#listener.onFault(error);
    }
  }

  /** The next step follows, after a pause if there is one. @type {(range: [from: number, to: number] | null) => void} */
  #goOn(range) {
    this.#at++;
    if (range) this.#pause(pauseBetween(range, this.#plan.context.random), () => this.#next());
    else this.#next();
  }

  /** The time that the function takes belongs to the pause. @type {(fn: (env: Env) => unknown) => void} */
  #askPause(fn) {
    const lane = this.#lane;
    const from = lane.now;
    const { step } = this.#steps[this.#at];
    let range;
    try {
      range = askPause(fn, step, this.#env, lane, this.#plan.context);
    } catch (error) {
      this.#fail(error, null);
      return;
    }
    if (Array.isArray(range)) {
      this.#goOn(range);
      return;
    }
    const resumed = () => {
      lane.readClock();
      this.#pausedMs += lane.now - from;
    };
    range
      .then(
        (asked) => {
          resumed();
          this.#goOn(asked);
        },
        (error) => {
          resumed();
          this.#fail(error, null);
        },
      )
      .catch((error) => this.#listener.onFault(error));
  }

  /** @type {StepReceiver['onError']} */
  onError(error, response) {
    try {
      this.#lane.bodies.release();
      this.#fail(error, response?.statusCode ?? null);
    } catch (fault) {
      this.#listener.onFault(fault);
    }
  }

  /** @type {StepReceiver['onDeparture']} */
  onDeparture(departure) {
    try {
      this.#lane.bodies.release();
      const { recorder } = this.#plan.context;
      if (departure === 'skip') {
        recorder.requests.skipped++;
        this.#at++;
        this.#next();
      } else this.#leaveEarly();
    } catch (error) {
      this.#listener.onFault(error);
    }
  }

  /** The iteration is complete; what is left of its teardown does not count. */
  #leaveEarly() {
    if (this.#index !== undefined && !this.#phase.isTeardown) this.#plan.context.recorder.iterations.endedEarly++;
    if (this.#phase.name === 'beforeMain') this.#tearDown('completed');
    else this.#leave('completed');
  }

  /** @type {(ms: number, go: () => void) => void} */
  #pause(ms, go) {
    const lane = this.#lane;
    if (ms <= 0 || lane.isCancelled) {
      go();
      return;
    }
    const from = lane.now;
    lane
      .sleep(ms)
      .then(() => {
        this.#pausedMs += lane.now - from;
        go();
      })
      .catch((error) => this.#listener.onFault(error));
  }

  /** @type {(error: any, status: number | null) => void} */
  #fail(error, status) {
    const { kind, code } = classify(error);
    if (kind === 'cancelled') {
      this.#leave('cancelled');
      return;
    }
    const { step, operation } = this.#steps[this.#at];
    const { recorder, origin, onError } = this.#plan.context;
    const lane = this.#lane;
    operation.errors++;
    if (recorder.exemplars.accepts(code, `${step.where} ${step.name}`)) {
      const exemplar = exemplarOf(step, lane, { now: lane.now, origin: origin(), status });
      recorder.exemplars.addFailed({ ...exemplar, code, error: describe(error, code) });
    }
    onError(error, this.#phase.name, step, this.#index);
    // listeners of the run take their time
    lane.readClock();
    this.#leave('failed');
  }

  /** The phase is over. @type {(outcome: Outcome) => void} */
  #leave(outcome) {
    const { recorder } = this.#plan.context;
    switch (this.#phase.name) {
      case 'beforeMain':
        if (outcome === 'completed') this.#startMain();
        else this.#tearDown(outcome);
        break;
      case 'main':
        this.#recordMain(outcome);
        this.#tearDown(outcome);
        break;
      case 'afterMain':
        if (outcome !== 'completed') recorder.teardownFailed();
        this.#end();
        break;
      default:
        this.#listener.onEnd(outcome);
    }
  }

  /** @type {(outcome: Outcome) => void} */
  #recordMain(outcome) {
    const { now } = this.#lane;
    const ms = now - this.#mainAt - this.#pausedMs;
    this.#plan.context.recorder.main(ms, this.#begunAt - this.#due, outcome, now);
  }

  /** @type {(outcome: Outcome) => void} */
  #tearDown(outcome) {
    const { afterMain } = this.#plan.phases;
    this.#outcome = outcome;
    if (afterMain.isEmpty) this.#end();
    else this.#enter(afterMain);
  }

  #end() {
    const { now } = this.#lane;
    if (this.#plan.sockets !== null) this.#lane.closeSockets(this.#plan.sockets);
    this.#plan.context.recorder.ended(this, this.#outcome, now, now - this.#begunAt);
    this.#listener.onEnd(this.#outcome);
  }
}

/** Of a lane that had no iteration yet. */
const UNPLANNED = /** @type {any} */ (null);
