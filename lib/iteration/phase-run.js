import { hideSecretsOf } from '../text/mask.js';
import { drawMs } from '../think-time.js';
import { exemplarOf } from './exemplar.js';
import { classify, describe, isErrorStatus, statusError } from './failure.js';
import { askPause } from './pause.js';
import { secretsOf } from './secrets.js';

/**
 * @import { ThinkTime } from '../think-time.js'
 * @import { Env } from './env.js'
 * @import { TransactionRecorder } from '../measure/transactions.js'
 * @import { Rendered } from './iteration.js'
 * @import { Outcome } from './iteration-run.js'
 * @import { Lane } from './lane.js'
 * @import { BoundPhase, BoundStep, PhaseContext } from './phase.js'
 * @import { StepControl } from './step-control.js'
 * @import { Response } from '../transport/types.js'
 * @import { StepReceiver, StepResult } from './step.js'
 *
 * @typedef {object} PhaseListener gets the end of a phase: one of the three is called, once, perhaps at once
 * @property {(outcome: Outcome) => void} onPhaseEnd
 * @property {() => void} onEarlyEnd a hook ended the iteration: it is complete
 * @property {(error: unknown) => void} onFault an internal error
 */

/**
 * The phase that a lane runs. It performs the steps in series until one fails:
 *
 *     start -> #next -> (control) -> (turn) -> #perform -> onResponse -> (pause) -> #next … -> listener.onPhaseEnd
 *                                    +------> onError ----> #fail ----------------^
 *                                    +------> onDeparture --> #next, or listener.onEarlyEnd
 *
 * One object serves all phases of a lane, and the steps call back: see {@link Exchange} for what that saves.
 */
export class PhaseRun {
  #lane;
  #listener;
  /** @type {PhaseContext} */
  #context = UNPLANNED;
  /** @type {BoundPhase} */
  #phase = UNPLANNED;
  /** those that this iteration performs @type {BoundStep[]} */
  #steps = UNPLANNED;
  /** the current one of them */
  #at = 0;
  /** how often it was performed, and how often it is in all */
  #round = 0;
  #rounds = 1;
  /** the running transaction, when it began, and the think time before @type {TransactionRecorder | null} */
  #group = null;
  #groupAt = 0;
  #groupPausedMs = 0;
  /** @type {Env} */
  #env = UNPLANNED;
  /** @type {Rendered | undefined} */
  #rendered = undefined;
  /** think time of this phase */
  pausedMs = 0;

  /**
   * @param {Lane} lane
   * @param {PhaseListener} listener
   */
  constructor(lane, listener) {
    this.#lane = lane;
    this.#listener = listener;
  }

  /**
   * Sets what the phases of an iteration have in common.
   *
   * @param {PhaseContext} context
   * @param {Env} env
   * @param {Rendered} [rendered]
   */
  prepare(context, env, rendered) {
    this.#context = context;
    this.#env = env;
    this.#rendered = rendered;
  }

  /**
   * @param {BoundPhase} phase
   * @param {BoundStep[]} steps
   */
  start(phase, steps) {
    this.#phase = phase;
    this.#steps = steps;
    this.#at = 0;
    this.#round = 0;
    this.#rounds = 1;
    this.pausedMs = 0;
    this.#next();
  }

  #next() {
    const lane = this.#lane;
    if (this.#at === this.#steps.length) this.#end('completed');
    else if (lane.isCancelled && !this.#mayTearDown()) this.#end('cancelled');
    else if (this.#steps[this.#at].control !== null) this.#decide();
    else this.#takeTurn();
  }

  /** Performs the step, or leaves it out. */
  #decide() {
    const lane = this.#lane;
    const control = /** @type {StepControl} */ (this.#steps[this.#at].control);
    let decision;
    try {
      decision = control.decide(this.#env, lane, this.#round, this.#rounds);
    } catch (error) {
      this.#fail(error, null);
      return;
    }
    if (!(decision instanceof Promise)) {
      this.#decided(decision);
      return;
    }
    const resumed = (/** @type {() => void} */ go) => {
      lane.readClock();
      go();
    };
    decision
      .then(
        (rounds) => resumed(() => this.#decided(rounds)),
        (error) => resumed(() => this.#fail(error, null)),
      )
      .catch((error) => this.#listener.onFault(error));
  }

  /** @type {(rounds: number) => void} */
  #decided(rounds) {
    if (this.#round < rounds) {
      this.#rounds = rounds;
      this.#takeTurn();
      return;
    }
    if (this.#round === 0) this.#context.recorder.requests.skipped++;
    this.#leaveStep();
    // operations that are all left out would call each other ever deeper
    Promise.resolve()
      .then(() => this.#next())
      .catch((error) => this.#listener.onFault(error));
  }

  #takeTurn() {
    if (this.#context.isPaced && !this.#isImplied()) this.#pause(this.#lane.takeTurn(), () => this.#perform());
    else this.#perform();
  }

  /** To the next round of the step, or to the next step. */
  #advance() {
    if (++this.#round >= this.#rounds) this.#leaveStep();
  }

  #leaveStep() {
    this.#round = 0;
    this.#rounds = 1;
    this.#at++;
  }

  /** The handshake of a WebSocket is no request of its own. */
  #isImplied() {
    return this.#steps[this.#at].step.webSocket?.isImplied === true;
  }

  #mayTearDown() {
    return this.#phase.isTeardown && !this.#lane.deadline.isPastLimit(this.#lane.now);
  }

  #perform() {
    const { group, perform } = this.#steps[this.#at];
    if (group !== this.#group) this.#changeGroup(group);
    const rendered = this.#rendered?.[this.#phase.name]?.[this.#at] ?? null;
    perform(this.#env, this.#lane, rendered, this);
  }

  /** @type {StepReceiver['onResponse']} */
  onResponse(result) {
    const { statusCode: status, rules } = result;
    try {
      this.#lane.bodies.release();
      const { step } = this.#steps[this.#at];
      const { pauseMs } = rules ?? step;
      if (isErrorStatus(status, step))
        this.#fail(statusError(status, this.#lane.exchange.own.endpoint), status, { response: responseOf(result) });
      else if (typeof pauseMs === 'function') this.#askPause(pauseMs);
      else this.#goOn(pauseMs);
    } catch (error) {
      this.#listener.onFault(error);
    }
  }

  /** The next step follows, after a pause if there is one. @type {(thinkTime: ThinkTime | null) => void} */
  #goOn(thinkTime) {
    this.#advance();
    if (thinkTime) this.#pause(drawMs(thinkTime, this.#context.random), () => this.#next());
    else this.#next();
  }

  /** The time that the function takes belongs to the pause. @type {(fn: (env: Env) => unknown) => void} */
  #askPause(fn) {
    const lane = this.#lane;
    const from = lane.now;
    const { step } = this.#steps[this.#at];
    let asked;
    try {
      asked = askPause(fn, step, this.#env, lane, this.#context);
    } catch (error) {
      this.#fail(error, null);
      return;
    }
    if (!(asked instanceof Promise)) {
      this.#goOn(asked);
      return;
    }
    const resumed = () => {
      lane.readClock();
      this.pausedMs += lane.now - from;
    };
    asked
      .then(
        (thinkTime) => {
          resumed();
          this.#goOn(thinkTime);
        },
        (error) => {
          resumed();
          this.#fail(error, null);
        },
      )
      .catch((error) => this.#listener.onFault(error));
  }

  /** @type {StepReceiver['onError']} */
  onError(error, response, failed) {
    try {
      this.#lane.bodies.release();
      if (error?.code === 'E_NO_VALUE' && this.#phase.isTeardown) this.#skipLater();
      else this.#fail(error, response?.statusCode ?? null, { response: response && responseOf(response), failed });
    } catch (fault) {
      this.#listener.onFault(fault);
    }
  }

  /**
   * The operation tears down what was not created. Operations that are all left out would call each other ever deeper.
   */
  #skipLater() {
    queueMicrotask(() => {
      this.#lane.readClock();
      this.onDeparture('skip');
    });
  }

  /** @type {StepReceiver['onDeparture']} */
  onDeparture(departure) {
    try {
      this.#lane.bodies.release();
      if (departure === 'skip') {
        this.#context.recorder.requests.skipped++;
        this.#advance();
        this.#next();
      } else {
        if (this.#group !== null) this.#closeGroup('completed');
        this.#listener.onEarlyEnd();
      }
    } catch (error) {
      this.#listener.onFault(error);
    }
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
        this.pausedMs += lane.now - from;
        go();
      })
      .catch((error) => this.#listener.onFault(error));
  }

  /** @type {(error: any, status: number | null, at?: { response?: Response, failed?: Pick<BoundStep, 'step' | 'operation'> }) => void} */
  #fail(error, status, { response, failed = this.#steps[this.#at] } = {}) {
    const { kind, code } = classify(error);
    if (kind === 'cancelled') {
      this.#end('cancelled');
      return;
    }
    if (failed.operation !== null) failed.operation.errors++;
    const lane = this.#lane;
    const env = this.#env;
    const outer = hideSecretsOf({ secrets: () => [...lane.exchange.secrets(response), ...secretsOf({ env })] });
    try {
      this.#report(error, { code, status, response, failed });
    } finally {
      hideSecretsOf(outer);
    }
    // listeners of the run take their time
    lane.readClock();
    this.#end('failed');
  }

  /** @type {(error: any, about: { code: string, status: number | null, response?: Response, failed: Pick<BoundStep, 'step'> }) => void} */
  #report(error, { code, status, response, failed: { step } }) {
    const { recorder, origin, onError } = this.#context;
    const lane = this.#lane;
    if (recorder.exemplars.accepts(code, `${step.where} ${step.name}`)) {
      const exemplar = exemplarOf(step, lane, { now: lane.now, origin: origin(), status });
      recorder.exemplars.addFailed({ ...exemplar, code, error: describe(error, code) });
    }
    const exchange = () => lane.exchange.linesOf(response, error, describe(error, code));
    onError(error, this.#phase.name, step, lane.iteration.index, exchange);
  }

  /** @type {(group: TransactionRecorder | null) => void} */
  #changeGroup(group) {
    if (this.#group !== null) this.#closeGroup('completed');
    this.#group = group;
    this.#groupAt = this.#lane.now;
    this.#groupPausedMs = this.pausedMs;
  }

  /** The transaction is over; think time after it does not count. @type {(outcome: Outcome) => void} */
  #closeGroup(outcome) {
    const group = /** @type {TransactionRecorder} */ (this.#group);
    const ms = this.#lane.now - this.#groupAt - (this.pausedMs - this.#groupPausedMs);
    this.#group = null;
    group.ended(outcome);
    if (outcome !== 'cancelled') group.time.update(ms);
  }

  /** @type {(outcome: Outcome) => void} */
  #end(outcome) {
    if (this.#group !== null) this.#closeGroup(outcome);
    this.#listener.onPhaseEnd(outcome);
  }
}

/** The state of a lane that had no phase yet. */
const UNPLANNED = /** @type {any} */ (null);

/**
 * The response of a step with hooks, which keep it apart, or of one without; other functions know its status alone.
 * @type {(result: StepResult | { statusCode: number | null }) => Response | undefined}
 */
function responseOf(result) {
  if ('rules' in result) return result.response;
  return 'headers' in result ? /** @type {Response} */ (result) : undefined;
}
