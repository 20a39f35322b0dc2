import { Env } from './env.js';
import { PhaseRunner } from './phase.js';

/**
 * @import { CompiledFlow, Phase, Request } from '../flow/types.js'
 * @import { Lane } from './lane.js'
 * @import { Outcome, PhaseContext } from './phase.js'
 *
 * @typedef {Partial<Record<Phase, (Request | null)[]>>} Rendered requests that were rendered before the run
 */

/**
 * Binds the steps of a flow to a run, once.
 *
 * @param {CompiledFlow} flow
 * @param {PhaseContext} context
 * @returns {PreparedIteration}
 */
export function prepareIteration(flow, context) {
  return new PreparedIteration(flow, context);
}

/** Performs iterations of a flow, and its phases that run once. */
export class PreparedIteration {
  #clock;
  #recorder;
  /** what Env needs of the run */
  #run;
  #phases;
  #hasBefore;
  #hasAfter;

  /**
   * @param {CompiledFlow} flow
   * @param {PhaseContext} context
   */
  constructor(flow, context) {
    this.#clock = context.clock;
    this.#recorder = context.recorder;
    const { user, password, recorder, jars } = context;
    this.#run = { user, password, stats: recorder.metrics.forHooks, jars };
    this.#phases = /** @type {Record<Phase, PhaseRunner>} */ (
      Object.fromEntries(
        Object.entries(flow).map(([phase, steps]) => [
          phase,
          new PhaseRunner(/** @type {Phase} */ (phase), steps, context),
        ]),
      )
    );
    this.#hasBefore = !this.#phases.beforeMain.isEmpty;
    this.#hasAfter = !this.#phases.afterMain.isEmpty;
  }

  /**
   * @param {number | undefined} index
   * @returns {Env}
   */
  createEnv(index) {
    return new Env(index, this.#run);
  }

  /**
   * Runs a phase that runs once per thread or run.
   *
   * @param {'before' | 'after'} phase
   * @param {Env} env
   * @param {Lane} lane
   * @returns {Promise<Outcome>}
   */
  once(phase, env, lane) {
    lane.iteration.begin(undefined, NaN);
    return this.#phases[phase].run(env, lane);
  }

  /**
   * Performs beforeMain, main and afterMain of one iteration; afterMain runs even if another phase failed.
   *
   * @param {number} index
   * @param {Lane} lane
   * @param {number} due instant of the clock; NaN in a closed model
   * @param {Rendered} [rendered]
   * @returns {Promise<void>}
   */
  async perform(index, lane, due, rendered) {
    const clock = this.#clock;
    const recorder = this.#recorder;
    const { beforeMain, main, afterMain } = this.#phases;
    const { iteration } = lane;
    const begun = clock.now();
    const env = new Env(index, this.#run);
    iteration.begin(index, due);
    recorder.started(iteration, begun);
    /** @type {Outcome} */
    let outcome = this.#hasBefore ? await beforeMain.run(env, lane, rendered?.beforeMain) : 'completed';
    let now = begun;
    if (outcome === 'completed') {
      const started = this.#hasBefore ? clock.now() : begun;
      const pausedBefore = iteration.pausedMs;
      outcome = await main.run(env, lane, rendered?.main);
      now = clock.now();
      recorder.main(now - started - (iteration.pausedMs - pausedBefore), begun - due, outcome, now);
    }
    if (this.#hasAfter && (await afterMain.run(env, lane, rendered?.afterMain)) !== 'completed')
      recorder.teardownFailed();
    if (this.#hasAfter || now === begun) now = clock.now();
    recorder.ended(iteration, outcome, now, now - begun);
  }
}
