import { TIMES } from './lane-times.js';
import { PhaseRun } from './phase-run.js';

/** @import { IterationOutcome, TransactionRecorder } from '../contracts/recorders.js' */
/** @import { BoundPhase, Env, PreparedIteration, Rendered } from './iteration.js' */
/** @import { Lane } from './lane.js' */

const Time = TIMES;

/**
 * @typedef {object} EndListener gets the end of an iteration or a phase: one of the two is called, once, perhaps at
 *   once
 * @property {(outcome: IterationOutcome, lane: Lane) => void} onEnd
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
  /** The position of the scenario that the iteration runs. */
  #scenario = 0;
  /** @type {IterationOutcome} */
  #outcome = 'completed';
  #hasError = false;
  /** The timer, created for the first phase with groups. @type {GroupTimer | null} */
  #groups = null;
  /** The group that the end of the run has cut off. @type {TransactionRecorder | null} */
  #cutGroup = null;
  /** It belongs to the recorder, and lets no iteration end twice. */
  isRunning = false;

  /** The INDEX; undefined in `before` and `after`. */
  get index() {
    return this.#index;
  }

  /** The due time, instant of the clock; NaN in a closed model. */
  get due() {
    return this.times[Time.DUE];
  }

  /** How much later requests of `main` are sent than those of a lane that was idle, ms; 0 in a closed model. */
  get lateMs() {
    const ms = this.#waitMs;
    return this.isRunning && this.phase.name === 'main' && !Number.isNaN(ms) ? ms : 0;
  }

  /**
   * Returns what the response time of `main` has beyond its service time, ms; NaN in a closed model. If the lane was
   * idle when the iteration was due, requests that waited to be written delay nothing that the service could have
   * begun.
   */
  get #waitMs() {
    const waitedMs = this.times[Time.WAITED_IDLE];
    return waitedMs > 0 ? waitedMs + this.times[Time.MAIN_UNWRITTEN] : waitedMs;
  }

  /**
   * Performs beforeMain, main and afterMain of one iteration; afterMain runs even if another phase failed. `due` is an
   * instant of the clock, `waitedMs` the time from then until the lane was idle; NaN in a closed model; 0 in a warm-up.
   * @type {(plan: PreparedIteration, index: number, due: number, waitedMs: number, listener: EndListener, rendered?:
   *   Rendered) => void}
   */
  start(plan, index, due, waitedMs, listener, rendered) {
    const { lane, times } = this;
    const now = times[Time.NOW];
    const { scenarios, phases } = plan;
    const last = plan === this.plan ? this.env : null;
    this.#begin(plan, index, due, listener);
    this.env = plan.nextEnv(index, lane, last);
    // A copy of a large iterCtx needs time.
    if (this.env !== last) lane.readClock();
    lane.wasUsed = true;
    lane.hasWaited = false;
    this.rendered = rendered;
    times[Time.WAITED_IDLE] = waitedMs;
    // Without the delays, too, this iteration would not have started before it was due.
    if (waitedMs > 0 && waitedMs < times[Time.AHEAD]) times[Time.AHEAD] = waitedMs;
    this.#outcome = 'completed';
    this.#hasError = false;
    times[Time.BEGUN] = now;
    plan.context.recorder.started(this, now);
    if (scenarios !== null) {
      this.#scenario = scenarios.choose(index);
      this.env.scenario = scenarios.names[this.#scenario];
    }
    if (phases.beforeMain.isEmpty) this.#startMain();
    else this.#enter(phases.beforeMain);
  }

  /** Runs one phase. @type {(plan: PreparedIteration, phase: BoundPhase, env: Env, listener: EndListener) => void} */
  once(plan, phase, env, listener) {
    this.#begin(plan, undefined, NaN, listener);
    this.env = env;
    this.#enter(phase);
  }

  /** @type {(plan: PreparedIteration, index: number | undefined, due: number, listener: EndListener) => void} */
  #begin(plan, index, due, listener) {
    this.plan = plan;
    this.#index = index;
    this.times[Time.DUE] = due;
    this.#listener = listener;
  }

  #startMain() {
    const { times } = this;
    times[Time.MAIN] = times[Time.NOW];
    times[Time.MAIN_BUSY] = times[Time.BUSY];
    times[Time.MAIN_UNWRITTEN] = times[Time.ASKED] = times[Time.EXCHANGED] = times[Time.EXCHANGED_OWN] = 0;
    this.#enter(this.plan.phases.main);
  }

  /** Returns how long `main` has taken so far, without pauses, ms. @type {(now: number) => number} */
  ageAt(now) {
    return now - this.times[Time.MAIN] - this.times[Time.PAUSED];
  }

  /**
   * Returns how long `main` of the iteration has taken so far, ms, if it waits for the server: it ends later, so it
   * takes at least as long. Null if it is not running, or pauses or computes. `scenario`: empty without any.
   * @type {(now: number) => { response: number, service: number, scenario: string } | null}
   */
  timesSoFar(now) {
    if (!this.isRunning || this.phase.name !== 'main' || !this.lane.isExchanging) return null;
    const service = this.ageAt(now);
    const waitMs = this.#waitMs;
    const { scenario = '' } = this.env;
    return { service, response: Number.isNaN(waitMs) ? service : service + waitMs, scenario };
  }

  /** @type {(phase: BoundPhase) => void} */
  #enter(phase) {
    if (phase.refresh !== null) phase.refresh();
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
        this.#listener.onEnd(outcome, this.lane);
    }
  }

  /** In a teardown, only its rest is left out. @override @type {PhaseRun['onEarlyEnd']} */
  onEarlyEnd() {
    const isTeardown = this.phase.name === 'afterMain';
    if (this.#index !== undefined && !isTeardown) this.plan.context.recorder.iterations.endedEarly++;
    if (this.phase.name === 'beforeMain') this.#tearDown('completed');
    else this.onPhaseEnd('completed');
  }

  /** @override @type {PhaseRun['enterGroup']} */
  enterGroup(group) {
    (this.#groups ??= new GroupTimer(this.lane)).enter(group, this.times[Time.PAUSED]);
  }

  /** @override @type {PhaseRun['endGroup']} */
  endGroup(outcome) {
    if (this.#groups === null) return;
    if (outcome === 'cancelled') this.#cutGroup = this.#groups.group;
    this.#groups.end(outcome, this.times[Time.PAUSED]);
  }

  /** Notes that the lane was idle when the iteration was due, and how late it starts. @type {(ms: number) => void} */
  startsLate(ms) {
    this.times[Time.AHEAD] = ms;
  }

  /**
   * Notes that an operation has failed, and reports whether it is a further error of its iteration: its teardown may
   * fail after another phase.
   * @type {() => boolean}
   */
  noteError() {
    const isFurther = this.#hasError && this.#index !== undefined;
    this.#hasError = true;
    return isFurther;
  }

  /** Adds time that is part of no figure, such as a pause. @type {(ms: number) => void} */
  paused(ms) {
    this.times[Time.PAUSED] += ms;
  }

  /**
   * Adds time in which a request waited to be written. It is part of the response time of an iteration that waited for
   * its lane, and of no other figure.
   * @type {(ms: number) => void}
   */
  unwritten(ms) {
    this.times[Time.PAUSED] += ms;
    this.times[Time.MAIN_UNWRITTEN] += ms;
  }

  /** Adds a wait that a response has asked for. @type {(ms: number) => void} */
  askedToWait(ms) {
    this.times[Time.ASKED] += ms;
  }

  /** @override @type {PhaseRun['onFault']} */
  onFault(error) {
    this.#listener.onFault(error);
  }

  /** @type {(outcome: IterationOutcome) => void} */
  #recordMain(outcome) {
    const { times } = this;
    const { scenarios, context } = this.plan;
    const now = times[Time.NOW];
    const ms = this.ageAt(now);
    const waitMs = this.#waitMs;
    const ownMs = ownPartOf(
      ms,
      times[Time.EXCHANGED],
      times[Time.EXCHANGED_OWN],
      times[Time.BUSY] - times[Time.MAIN_BUSY],
    );
    // The part of the wait that is the load generator's at most.
    const ownWaitMs = waitMs > 0 ? times[Time.AHEAD] + times[Time.MAIN_UNWRITTEN] : 0;
    context.recorder.main(ms, waitMs, outcome, now, ownMs, ownWaitMs);
    // The next iteration waits longer for the lane by these delays, too.
    times[Time.AHEAD] += ownMs + times[Time.MAIN_UNWRITTEN];
    if (scenarios !== null && outcome === 'completed')
      scenarios.recorders[this.#scenario].took(Number.isNaN(waitMs) ? ms : ms + waitMs, ownMs + ownWaitMs, waitMs);
  }

  /** @type {(outcome: IterationOutcome) => void} */
  #tearDown(outcome) {
    const { afterMain } = this.plan.phases;
    this.#outcome = outcome;
    if (outcome === 'cancelled') this.#recordCut();
    if (afterMain.isEmpty) this.#end();
    else this.#enter(afterMain);
  }

  /**
   * Records the phase that the end of the run has cut off: in `main` the iteration counts with its time, in the others
   * the request. An abort leaves no time for a response. Waits that a service has asked for are no time in which it did
   * not answer.
   */
  #recordCut() {
    const { now, deadline, exchange } = this.lane;
    const { scenarios, context } = this.plan;
    const { cutIn: operation, isCutInWait } = exchange;
    const group = this.#cutGroup;
    exchange.cutIn = this.#cutGroup = null;
    exchange.isCutInWait = false;
    if (deadline.isAborted || isCutInWait) return;
    if (this.phase.name !== 'main') {
      operation?.cutOff(exchange.ms);
      return;
    }
    const ms = this.ageAt(now) - this.times[Time.ASKED];
    context.recorder.cutOff(ms);
    operation?.cutOff(ms);
    group?.cutOff(ms);
    if (scenarios !== null) scenarios.recorders[this.#scenario].cutOff(ms);
  }

  #end() {
    const { now } = this.lane;
    const { heldKeys, scenarios, context } = this.plan;
    if (heldKeys !== null) this.lane.closeHeld(heldKeys);
    context.recorder.ended(this, this.#outcome, now, now - this.times[Time.BEGUN]);
    if (scenarios !== null) scenarios.recorders[this.#scenario].ended(this.#outcome);
    this.#listener.onEnd(this.#outcome, this.lane);
  }
}

/** Measures the group of operations that a lane performs, from its first start to its last end, without pauses. */
export class GroupTimer {
  #times;
  /** The running transaction. @type {TransactionRecorder | null} */
  #group = null;
  #startedAt = 0;
  /** The exchanged ms of the lane when it started. */
  #exchangedMs = 0;
  #exchangedOwnMs = 0;
  #busyMs = 0;
  /** The think time of the phase before it. */
  #pausedMs = 0;

  /** @param {Pick<Lane, 'times'>} lane */
  constructor(lane) {
    this.#times = lane.times;
  }

  get group() {
    return this.#group;
  }

  /**
   * Enters the group of the next operation: the last transaction ends if the operation does not belong to it.
   * `pausedMs` is the think time of the phase so far.
   * @type {(group: TransactionRecorder | null, pausedMs: number) => void}
   */
  enter(group, pausedMs) {
    if (group === this.#group) return;
    this.end('completed', pausedMs);
    this.#group = group;
    this.#startedAt = this.#times[Time.NOW];
    this.#exchangedMs = this.#times[Time.EXCHANGED];
    this.#exchangedOwnMs = this.#times[Time.EXCHANGED_OWN];
    this.#busyMs = this.#times[Time.BUSY];
    this.#pausedMs = pausedMs;
  }

  /** Think time after it does not count. @type {(outcome: IterationOutcome, pausedMs: number) => void} */
  end(outcome, pausedMs) {
    const group = this.#group;
    if (group === null) return;
    this.#group = null;
    group.ended(outcome);
    if (outcome !== 'completed') return;
    const times = this.#times;
    const ms = times[Time.NOW] - this.#startedAt - (pausedMs - this.#pausedMs);
    const exchangedMs = times[Time.EXCHANGED] - this.#exchangedMs;
    const exchangedOwnMs = times[Time.EXCHANGED_OWN] - this.#exchangedOwnMs;
    const ownMs = ownPartOf(ms, exchangedMs, exchangedOwnMs, times[Time.BUSY] - this.#busyMs);
    group.took(ms, ownMs);
  }
}

/**
 * Returns the part of a time that is the load generator's at most, ms: that of the exchanges in it (`exchangedOwnMs` of
 * `exchangedMs`), and the time between them in which the event loop was busy, as functions of the flow run in it.
 * @type {(ms: number, exchangedMs: number, exchangedOwnMs: number, busyMs: number) => number}
 */
export function ownPartOf(ms, exchangedMs, exchangedOwnMs, busyMs) {
  const betweenMs = Math.max(0, ms - exchangedMs);
  return Math.min(ms, exchangedOwnMs + Math.min(betweenMs, busyMs));
}

/** The state of a lane that had no iteration yet. */
const UNPLANNED = /** @type {any} */ (null);
