import { ownPartOf } from './group-timer.js';
import { PhaseRun } from './phase-run.js';

/**
 * @import { Outcome } from '../contracts/recorders.js'
 * @import { BoundPhase, Env, PreparedIteration, Rendered } from './iteration.js'
 *
 * @typedef {object} EndListener gets the end of an iteration or a phase: one of the two is called, once, perhaps at
 *   once
 * @property {(outcome: Outcome) => void} onEnd
 * @property {(error: unknown) => void} onFault an internal error
 */

/**
 * The iteration that a lane runs. It performs the phases:
 *
 *     start -> beforeMain -> main -> afterMain -> listener.onEnd
 *                  +--- not completed --^
 *
 * One object serves all iterations of a lane, and the phases call back.
 */
export class IterationRun extends PhaseRun {
  /** @type {EndListener} */
  #listener = UNPLANNED;
  #index = /** @type {number | undefined} */ (undefined);
  /** the position of the scenario that the iteration runs */
  #scenario = 0;
  #due = NaN;
  #waitedMs = NaN;
  /** when the iteration began, and its `main` */
  #begunAt = NaN;
  #mainAt = NaN;
  /** busy time of the event loop until `main` began */
  #busyMs = 0;
  /** how much earlier the lane would have been free at most without the load generator's delays */
  #aheadMs = 0;
  /** @type {Outcome} */
  #outcome = 'completed';
  #hasError = false;
  /** belongs to the recorder: it lets no iteration end twice */
  isRunning = false;

  /** undefined in `before` and `after` */
  get index() {
    return this.#index;
  }

  /** Instant of the clock; NaN in a closed model. */
  get due() {
    return this.#due;
  }

  /**
   * Performs beforeMain, main and afterMain of one iteration; afterMain runs even if another phase failed.
   *
   * @param {PreparedIteration} plan
   * @param {number} index
   * @param {number} due instant of the clock; NaN in a closed model
   * @param {number} waitedMs from then until the lane was idle; NaN in a closed model
   * @param {EndListener} listener
   * @param {Rendered} [rendered]
   */
  start(plan, index, due, waitedMs, listener, rendered) {
    const { lane } = this;
    const { now } = lane;
    const { scenarios, phases } = plan;
    const last = plan === this.plan ? this.env : null;
    this.env = plan.nextEnv(index, lane, last);
    // a copy of a large iterCtx takes its time
    if (this.env !== last) lane.readClock();
    lane.wasUsed = true;
    lane.hasWaited = false;
    this.#begin(plan, index, due, listener);
    this.rendered = rendered;
    this.#waitedMs = waitedMs;
    if (waitedMs > 0 && waitedMs < this.#aheadMs) this.#aheadMs = waitedMs;
    this.#outcome = 'completed';
    this.#hasError = false;
    this.#begunAt = now;
    plan.context.recorder.started(this, now);
    if (scenarios !== null) {
      this.#scenario = scenarios.choose(index);
      this.env.scenario = scenarios.names[this.#scenario];
    }
    if (phases.beforeMain.isEmpty) this.#startMain();
    else this.#enter(phases.beforeMain);
  }

  /**
   * Runs a phase by itself.
   * @type {(plan: PreparedIteration, phase: 'before' | 'after', env: Env, listener: EndListener) => void}
   */
  once(plan, phase, env, listener) {
    this.#begin(plan, undefined, NaN, listener);
    this.env = env;
    this.#enter(plan.phases[phase]);
  }

  /** @type {(plan: PreparedIteration, index: number | undefined, due: number, listener: EndListener) => void} */
  #begin(plan, index, due, listener) {
    this.plan = plan;
    this.#index = index;
    this.#due = due;
    this.#listener = listener;
  }

  #startMain() {
    const { lane } = this;
    this.#mainAt = lane.now;
    this.#busyMs = lane.busyMs;
    lane.exchangedMs = 0;
    lane.exchangedOwnMs = 0;
    this.#enter(this.plan.phases.main);
  }

  /**
   * How long the iteration has taken so far, if it waits for the server: it ends later, so it takes at least as long.
   *
   * @param {number} now
   * @returns {{ response: number, service: number } | null} ms, of `main`; null if it is not running, or pauses or
   *   computes
   */
  timesSoFar(now) {
    if (!this.isRunning || this.phase.name !== 'main' || !this.lane.isExchanging) return null;
    const service = now - this.#mainAt - this.pausedMs;
    return { service, response: Number.isNaN(this.#waitedMs) ? service : service + this.#waitedMs };
  }

  /** @type {(phase: BoundPhase) => void} */
  #enter(phase) {
    const steps = phase.select === null ? phase.steps : phase.select(this.#index ?? 0, this.#scenario);
    this.runPhase(phase, steps);
  }

  /** @override @type {PhaseRun['onPhaseEnd']} */
  onPhaseEnd(outcome) {
    switch (this.phase.name) {
      case 'beforeMain':
        if (outcome === 'completed') this.#startMain();
        else this.#tearDown(outcome);
        break;
      case 'main':
        this.#recordMain(outcome);
        this.#tearDown(outcome);
        break;
      case 'afterMain':
        if (outcome === 'cancelled') this.#recordCut();
        if (outcome !== 'completed') this.plan.context.recorder.teardownFailed();
        this.#end();
        break;
      default:
        this.#listener.onEnd(outcome);
    }
  }

  /** The rest of the teardown of a complete iteration does not count. @override @type {PhaseRun['onEarlyEnd']} */
  onEarlyEnd() {
    const isTeardown = this.phase.name === 'afterMain';
    if (this.#index !== undefined && !isTeardown) this.plan.context.recorder.iterations.endedEarly++;
    if (this.phase.name === 'beforeMain') this.#tearDown('completed');
    else this.onPhaseEnd('completed');
  }

  /** The lane was idle when the iteration was due. @param {number} ms how late it starts */
  startsLate(ms) {
    this.#aheadMs = ms;
  }

  /**
   * An operation has failed.
   * @returns {boolean} the iteration had an error before: its teardown can have another one
   */
  countError() {
    const isFurther = this.#hasError && this.#index !== undefined;
    this.#hasError = true;
    return isFurther;
  }

  /** Time that is not part of any figure. @param {number} ms */
  paused(ms) {
    this.pausedMs += ms;
  }

  /** @override @type {PhaseRun['onFault']} */
  onFault(error) {
    this.#listener.onFault(error);
  }

  /** @type {(outcome: Outcome) => void} */
  #recordMain(outcome) {
    const { now, exchangedMs, exchangedOwnMs, busyMs } = this.lane;
    const { scenarios, context } = this.plan;
    const ms = now - this.#mainAt - this.pausedMs;
    const waitedMs = this.#waitedMs;
    const ownMs = ownPartOf(ms, exchangedMs, exchangedOwnMs, busyMs - this.#busyMs);
    const ownWaitMs = waitedMs > 0 ? this.#aheadMs : 0;
    context.recorder.main(ms, waitedMs, outcome, now, ownMs, ownWaitMs);
    this.#aheadMs += ownMs;
    if (scenarios !== null && outcome === 'completed')
      scenarios.recorders[this.#scenario].took(Number.isNaN(waitedMs) ? ms : ms + waitedMs, ownMs + ownWaitMs);
  }

  /** @type {(outcome: Outcome) => void} */
  #tearDown(outcome) {
    const { afterMain } = this.plan.phases;
    this.#outcome = outcome;
    if (outcome === 'cancelled') this.#recordCut();
    if (afterMain.isEmpty) this.#end();
    else this.#enter(afterMain);
  }

  /**
   * The end of the run has cut off a phase: in `main` the iteration counts with its time, in the others the request.
   * An abort leaves no time for a response.
   */
  #recordCut() {
    const { now, deadline, exchange } = this.lane;
    const { scenarios, context } = this.plan;
    const operation = exchange.cutIn;
    const group = this.cutGroup;
    exchange.cutIn = this.cutGroup = null;
    if (deadline.isAborted) return;
    if (this.phase.name !== 'main') {
      operation?.cutOff(exchange.ms);
      return;
    }
    const ms = now - this.#mainAt - this.pausedMs;
    context.recorder.cutOff(ms);
    operation?.cutOff(ms);
    group?.cutOff(ms);
    if (scenarios !== null) scenarios.recorders[this.#scenario].cutOff(ms);
  }

  #end() {
    const { now } = this.lane;
    const { held, scenarios, context } = this.plan;
    if (held !== null) this.lane.closeHeld(held);
    context.recorder.ended(this, this.#outcome, now, now - this.#begunAt);
    if (scenarios !== null) scenarios.recorders[this.#scenario].ended(this.#outcome);
    this.#listener.onEnd(this.#outcome);
  }
}

/** The state of a lane that had no iteration yet. */
const UNPLANNED = /** @type {any} */ (null);
