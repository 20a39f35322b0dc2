import { Env } from './env.js';
import { preparePhase } from './phase.js';

/**
 * @import { CompiledFlow, Phase, Request } from '../flow/types.js'
 * @import { EndListener, Outcome } from './iteration-run.js'
 * @import { Lane } from './lane.js'
 * @import { BoundPhase, PhaseContext } from './phase.js'
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

/** A flow that is bound to a run. Lanes perform its iterations, and its phases that run once. */
export class PreparedIteration {
  /** what Env needs of the run */
  #run;
  #hasHooks;
  context;
  /** @type {Record<Phase, BoundPhase>} */
  phases;

  /**
   * @param {CompiledFlow} flow
   * @param {PhaseContext} context
   */
  constructor(flow, context) {
    const { user, password, recorder, jars } = context;
    this.context = context;
    this.#run = { user, password, stats: recorder.metrics.forHooks, jars };
    this.#hasHooks = [...flow.beforeMain, ...flow.main, ...flow.afterMain].some(
      ({ beforeHooks, afterHooks }) => beforeHooks.length > 0 || afterHooks.length > 0,
    );
    this.phases = /** @type {Record<Phase, BoundPhase>} */ (
      Object.fromEntries(
        Object.entries(flow).map(([phase, steps]) => [
          phase,
          preparePhase(/** @type {Phase} */ (phase), steps, context),
        ]),
      )
    );
  }

  /**
   * @param {number | undefined} index
   * @returns {Env}
   */
  createEnv(index) {
    return new Env(index, this.#run);
  }

  /**
   * @param {number} index
   * @param {Env | null} last of the lane's last iteration of this flow
   * @returns {Env} of its next iteration
   */
  nextEnv(index, last) {
    if (last === null || this.#hasHooks) return this.createEnv(index);
    last.renew(index);
    return last;
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
    lane.readClock();
    return new Promise((onEnd, onFault) => lane.iteration.once(this, phase, env, { onEnd, onFault }));
  }

  /**
   * Performs beforeMain, main and afterMain of one iteration; afterMain runs even if another phase failed.
   *
   * @param {number} index
   * @param {Lane} lane
   * @param {number} due instant of the clock; NaN in a closed model
   * @param {EndListener} listener
   * @param {Rendered} [rendered]
   */
  perform(index, lane, due, listener, rendered) {
    lane.iteration.start(this, index, due, listener, rendered);
  }
}
