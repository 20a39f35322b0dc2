import { makeError } from '../errors.js';
import { exemplarOf } from './exemplar.js';
import { classify, describe } from './failure.js';
import { pauseBetween } from './pause.js';
import { prepareStep } from './step.js';

/**
 * @import { Phase, Request, Rules, Step } from '../flow/types.js'
 * @import { OperationRecorder } from '../measure/operations.js'
 * @import { Env } from './env.js'
 * @import { ExchangeContext } from './exchange.js'
 * @import { Lane } from './lane.js'
 * @import { PerformStep } from './step.js'
 *
 * @typedef {'completed' | 'failed' | 'cancelled'} Outcome
 *
 * @typedef {object} PhaseOptions
 * @property {(error: Error, phase: Phase, step: Step, index: number | undefined) => void} onError
 * @property {boolean} isPaced requests of a lane have a maximum rate
 * @property {() => number} random 0 to 1
 *
 * @typedef {ExchangeContext & PhaseOptions} PhaseContext
 *
 * @typedef {object} BoundStep
 * @property {Step} step
 * @property {PerformStep} perform
 * @property {OperationRecorder} operation
 */

/** The steps of a phase, bound to a run. */
export class PhaseRunner {
  #phase;
  #context;
  #clock;
  /** @type {BoundStep[]} */
  #steps;
  #isTeardown;

  /**
   * @param {Phase} phase
   * @param {Step[]} steps
   * @param {PhaseContext} context
   */
  constructor(phase, steps, context) {
    this.#phase = phase;
    this.#context = context;
    this.#clock = context.clock;
    this.#isTeardown = phase === 'afterMain' || phase === 'after';
    this.#steps = steps.map((step) => {
      const operation = context.recorder.operations.add(step.name, phase);
      return { step, operation, perform: prepareStep(step, context, operation) };
    });
  }

  get isEmpty() {
    return this.#steps.length === 0;
  }

  /**
   * Performs the steps in series until one fails.
   *
   * @param {Env} env
   * @param {Lane} lane
   * @param {(Request | null)[]} [rendered] requests that were rendered before the run
   * @returns {Promise<Outcome>}
   */
  async run(env, lane, rendered) {
    const steps = this.#steps;
    for (let i = 0; i < steps.length; i++) {
      const { step, perform } = steps[i];
      if (lane.isCancelled && !this.#mayTearDown(lane)) return 'cancelled';
      let status = null;
      /** @type {Rules} */
      let rules = step;
      try {
        if (this.#context.isPaced) await this.#pause(lane.takeTurn(), lane);
        const done = await perform(env, lane, rendered ? rendered[i] : null);
        status = done.statusCode;
        if (done.rules) rules = done.rules;
        if (status >= 400) throw makeError('E_STATUS', { status });
      } catch (error) {
        return this.#fail(steps[i], lane, error, status);
      }
      const { pauseMs } = rules;
      if (pauseMs) await this.#pause(pauseBetween(pauseMs, this.#context.random), lane);
    }
    return 'completed';
  }

  /** @type {(lane: Lane) => boolean} */
  #mayTearDown(lane) {
    return this.#isTeardown && !lane.deadline.isPastLimit(this.#clock.now());
  }

  /** @type {(ms: number, lane: Lane) => Promise<void>} */
  async #pause(ms, lane) {
    if (ms <= 0 || lane.isCancelled) return;
    const from = this.#clock.now();
    await lane.sleep(ms);
    lane.iteration.addPause(this.#clock.now() - from);
  }

  /** @type {(failed: BoundStep, lane: Lane, error: any, status: number | null) => Outcome} */
  #fail({ step, operation }, lane, error, status) {
    const { kind, code } = classify(error);
    if (kind === 'cancelled') return 'cancelled';
    const { recorder, origin, onError } = this.#context;
    operation.errors++;
    if (recorder.exemplars.accepts(code, `${step.where} ${step.name}`)) {
      const exemplar = exemplarOf(step, lane, { now: this.#clock.now(), origin: origin(), status });
      recorder.exemplars.addFailed({ ...exemplar, code, error: describe(error, code) });
    }
    onError(error, this.#phase, step, lane.iteration.index);
    return 'failed';
  }
}
