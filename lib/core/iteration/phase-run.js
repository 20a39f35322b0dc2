import { createRequire } from 'node:module';

import { drawMs } from '../ground/units.js';
import { classify, isErrorStatus, reportFailure, statusError } from './failure.js';
import { TIMES } from './lane-times.js';

/** @import { IterationOutcome, TransactionRecorder } from '../contracts/recorders.js' */
/** @import { ThinkTimeMs } from '../ground/units.js' */
/** @import { FailedOperation } from './failure.js' */
/** @import { BoundPhase, BoundStep, Env, PreparedIteration, Rendered } from './iteration.js' */
/** @import { Lane } from './lane.js' */
/** @import { StepControl } from './step-functions.js' */
/** @import { StepReceiver } from './step.js' */

const Time = TIMES;

const requireHere = createRequire(import.meta.url);

/** Most flows have no functions. @type {() => typeof import('./step-functions.js')} */
const loadStepFunctions = () => requireHere('./step-functions.js');

/**
 * The phase that a lane runs. It performs the steps in series until one fails. A `control` decides whether and how
 * often a step is performed, and a `turn` is the wait of a run with a maximum rate per virtual user:
 *
 *     runPhase -> #next -> (control) -> (turn) -> #perform -> onResponse -> (pause) -> #next … -> onPhaseEnd
 *                                       +------> onError ----> #fail ----------------^
 *                                       +------> onDeparture --> #next, or onEarlyEnd
 *
 * One object serves all phases of a lane, and the steps call back: see {@link Exchange} for what that saves. It is also
 * the iteration, a class derived from this one: as an object of its own, it cost 20 ns per iteration
 * (bench/micro/iteration/exchange.js).
 * @abstract
 */
export class PhaseRun {
  lane;
  /** What the iteration does. @type {PreparedIteration} */
  plan = UNPLANNED;
  /** @type {Env} */
  env = UNPLANNED;
  /** @type {Rendered | undefined} */
  rendered = undefined;
  /** @type {BoundPhase} */
  phase = UNPLANNED;
  /** The steps that this iteration performs. @type {BoundStep[]} */
  #steps = UNPLANNED;
  /** The position of the current step. */
  #at = 0;
  /** How often it was performed: 0 unless it has a control. */
  #round = 0;
  /** How often it is performed in all: 1 unless it has a control. */
  #rounds = 1;
  /** The current pause is the wait for the turn of a step. */
  #waitsForTurn = false;

  /** @param {Lane} lane */
  constructor(lane) {
    this.lane = lane;
    this.times = lane.times;
  }

  /** The phase is over. Called once, perhaps at once. @abstract @type {(_outcome: IterationOutcome) => void} */
  onPhaseEnd(_outcome) {}

  /** A hook ended the iteration: it is complete. @abstract */
  onEarlyEnd() {}

  /** The next operation has this group, or none. @abstract @type {(_group: TransactionRecorder | null) => void} */
  enterGroup(_group) {}

  /**
   * The phase is over, and the group of its last operation with it. @abstract
   * @type {(_outcome: IterationOutcome) => void}
   */
  endGroup(_outcome) {}

  /**
   * @abstract
   * @param {unknown} _error an internal one
   */
  onFault(_error) {}

  /** @type {(phase: BoundPhase, steps: BoundStep[]) => void} */
  runPhase(phase, steps) {
    this.phase = phase;
    this.#steps = steps;
    this.#at = 0;
    // The last phase ended while a step was repeated.
    if (this.#rounds !== 1) {
      this.#round = this.env.round = 0;
      this.#rounds = 1;
    }
    this.times[Time.PAUSED] = 0;
    this.#next();
  }

  #next() {
    if (this.#at === this.#steps.length) this.#end('completed');
    else if (this.#isCutOff()) this.#end('cancelled');
    else if (this.#steps[this.#at].isPlain) this.#perform();
    else if (this.#steps[this.#at].control !== null) this.#decide();
    else this.#takeTurn();
  }

  /** Performs the step, or leaves it out. */
  #decide() {
    const { lane } = this;
    const control = /** @type {StepControl} */ (this.#steps[this.#at].control);
    let decision;
    try {
      decision = control.decide(this.env, lane, this.#round, this.#rounds);
    } catch (error) {
      this.#fail(error, null);
      return;
    }
    if (decision instanceof Promise) this.#after(decision, (rounds) => this.#decided(rounds));
    else {
      lane.readClock();
      this.#decided(decision);
    }
  }

  /**
   * `rounds`: how often the step is performed in all. If it was performed as often by now, its `when` or `repeat` has
   * ended it.
   * @type {(rounds: number) => void}
   */
  #decided(rounds) {
    if (this.#round < rounds) {
      this.#rounds = rounds;
      this.env.round = this.#round;
      if (this.#round === 0) this.times[Time.FIRST] = this.lane.now;
      this.#takeTurn();
      return;
    }
    if (this.#round === 0) this.#countSkipped();
    this.#leaveStep();
    // A microtask keeps the stack flat when many steps in a row are left out.
    Promise.resolve()
      .then(() => this.#next())
      .catch((error) => this.onFault(error));
  }

  #takeTurn() {
    if (this.plan.context.isPaced && this.#isRequest()) this.#pause(this.lane.takeTurn(), true);
    else this.#startStep();
  }

  /** Reports whether the step is a request: a function waits for the turn of each of its requests. */
  #isRequest() {
    const { isImplied, call } = this.#steps[this.#at].step;
    return call === null && !isImplied;
  }

  #isCutOff() {
    const { lane } = this;
    return lane.isCancelled && lane.isCutOff(this.phase.isTeardown, lane.now);
  }

  #startStep() {
    // The wait for its turn may have been interrupted.
    if (this.#isCutOff()) {
      this.#end('cancelled');
      return;
    }
    if (this.phase.hasGroups) this.enterGroup(this.#steps[this.#at].group);
    this.#perform();
  }

  #perform() {
    const rendered = this.rendered === undefined ? null : (this.rendered[this.phase.name]?.[this.#at] ?? null);
    this.#steps[this.#at].perform(this.env, this.lane, rendered, this);
  }

  #advance() {
    if (this.#steps[this.#at].isPlain) this.#at++;
    else if (++this.#round >= this.#rounds) this.#leaveStep();
  }

  #leaveStep() {
    this.#round = this.env.round = 0;
    this.#rounds = 1;
    this.#at++;
  }

  /** @type {StepReceiver['onResponse']} */
  onResponse(result) {
    const { statusCode: status, rules } = result;
    try {
      if (this.lane.bodies.isUsed) this.lane.bodies.release();
      const { step } = this.#steps[this.#at];
      const { pauseMs } = rules ?? step;
      if (status >= 400 && isErrorStatus(status, step))
        this.#fail(statusError(status, this.lane.exchange.own.endpoint), status, { result });
      else if (typeof pauseMs === 'function') this.#askPause(pauseMs);
      else this.#goOn(pauseMs);
    } catch (error) {
      this.onFault(error);
    }
  }

  /** Goes on with the next step, after a pause if there is one. @type {(thinkTime: ThinkTimeMs | null) => void} */
  #goOn(thinkTime) {
    const restMs = this.#restMs();
    this.#advance();
    if (thinkTime || restMs > 0) {
      const thinkMs = thinkTime ? drawMs(thinkTime, this.plan.context.random) : 0;
      this.#pause(Math.max(thinkMs, restMs), false);
    } else this.#next();
  }

  /** Returns the time until the step is due again, if it is repeated at regular times, ms. */
  #restMs() {
    const everyMs = this.#steps[this.#at].control?.everyMs ?? 0;
    if (everyMs === 0 || this.#round + 1 >= this.#rounds) return 0;
    return this.times[Time.FIRST] + (this.#round + 1) * everyMs - this.lane.now;
  }

  /** The time that it takes is think time, too. @type {(fn: (env: Env) => unknown) => void} */
  #askPause(fn) {
    const { lane } = this;
    const from = lane.now;
    const { step } = this.#steps[this.#at];
    let asked;
    try {
      asked = loadStepFunctions().askPause(fn, step, this.env, lane, this.plan.context);
    } catch (error) {
      this.#fail(error, null);
      return;
    }
    const count = () => {
      lane.readClock();
      this.times[Time.PAUSED] += lane.now - from;
    };
    if (asked instanceof Promise) this.#after(asked.finally(count), (thinkTime) => this.#goOn(thinkTime));
    else {
      count();
      this.#goOn(asked);
    }
  }

  /** Functions of the flow returned it. @type {<T>(returned: Promise<T>, go: (value: T) => void) => void} */
  #after(returned, go) {
    returned
      .then(
        (value) => {
          this.lane.readClock();
          go(value);
        },
        (error) => {
          this.lane.readClock();
          this.#fail(error, null);
        },
      )
      .catch((error) => this.onFault(error));
  }

  /** @type {StepReceiver['onError']} */
  onError(error, result, failed) {
    try {
      this.lane.bodies.release();
      if (error?.code === 'E_NO_VALUE' && this.phase.isTeardown) this.#skipLater();
      else this.#fail(error, result?.statusCode ?? null, { result, failed });
    } catch (fault) {
      this.onFault(fault);
    }
  }

  #countSkipped() {
    this.plan.context.recorder.skipped();
    const { operation } = this.#steps[this.#at];
    if (operation !== null) operation.skipped++;
  }

  /** Skips a teardown of what was not created. A microtask keeps the stack flat when there are many in a row. */
  #skipLater() {
    queueMicrotask(() => {
      this.lane.readClock();
      this.onDeparture('skip');
    });
  }

  /** @type {StepReceiver['onDeparture']} */
  onDeparture(departure) {
    try {
      this.lane.bodies.release();
      if (departure === 'skip') {
        this.#countSkipped();
        this.#advance();
        this.#next();
      } else {
        this.endGroup('completed');
        this.onEarlyEnd();
      }
    } catch (error) {
      this.onFault(error);
    }
  }

  /** `isTurn`: it is the wait for the turn of a step. @type {(ms: number, isTurn: boolean) => void} */
  #pause(ms, isTurn) {
    const { lane, times } = this;
    this.#waitsForTurn = isTurn;
    if (ms <= 0 || lane.isCancelled) {
      this.#afterPause();
      return;
    }
    times[Time.ASLEEP] = lane.now;
    lane.pause(ms, this);
  }

  /** The pause is over. */
  onWake() {
    this.times[Time.PAUSED] += this.lane.now - this.times[Time.ASLEEP];
    try {
      this.#afterPause();
    } catch (error) {
      this.onFault(error);
    }
  }

  #afterPause() {
    if (this.#waitsForTurn) this.#startStep();
    else this.#next();
  }

  /**
   * @type {(error: any, status: number | null, about?: Partial<Pick<FailedOperation, 'result' | 'failed'>>) => void}
   */
  #fail(error, status, { result, failed = this.#steps[this.#at] } = {}) {
    const { kind, code } = classify(error);
    if (kind === 'cancelled') {
      this.#end('cancelled');
      return;
    }
    const run = { context: this.plan.context, lane: this.lane, env: this.env };
    reportFailure(error, { failed, phase: this.phase.name, code, status, result }, run);
    this.#end('failed');
  }

  /** @type {(outcome: IterationOutcome) => void} */
  #end(outcome) {
    if (this.phase.hasGroups) this.endGroup(outcome);
    this.onPhaseEnd(outcome);
  }
}

/** The state of a lane that had no phase yet. */
const UNPLANNED = /** @type {any} */ (null);
