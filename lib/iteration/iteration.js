import { makeError } from '../errors.js';
import { Env } from './env.js';
import { classify } from './failure.js';
import { prepareStep } from './step.js';

/**
 * @import { CompiledFlow, Phase, Request, Step } from '../flow/types.js'
 * @import { UserTimers } from '../measure/user-timers.js'
 * @import { ExchangeContext } from './exchange.js'
 * @import { Lane } from './lane.js'
 *
 * @typedef {'completed' | 'failed' | 'cancelled'} Outcome
 *
 * @typedef {object} IterationContext
 * @property {UserTimers} timers
 * @property {(error: Error, phase: Phase, step: Step, index: number | undefined) => void} onError
 *
 * @typedef {Partial<Record<Phase, (Request | null)[]>>} Rendered requests made before the clock started
 */

/**
 * Binds the steps of a flow once; what it returns performs one iteration, or one of the phases that run once.
 *
 * @param {CompiledFlow} flow
 * @param {ExchangeContext & IterationContext} context
 */
export function prepareIteration(flow, context) {
  const { clock, recorder, onError } = context;
  const phases = /** @type {Record<Phase, (env: Env, lane: Lane, rendered?: (Request | null)[]) => Promise<Outcome>>} */ (
    Object.fromEntries(Object.entries(flow).map(([phase, steps]) => [phase, preparePhase(/** @type {Phase} */ (phase), steps)]))
  );
  const hasBefore = flow.beforeMain.length > 0;
  const hasAfter = flow.afterMain.length > 0;

  return {
    /** @type {(index: number | undefined) => Env} */
    createEnv: (index) => new Env(index, context),

    /** `before` and `after`. @type {(phase: Phase, env: Env, lane: Lane) => Promise<Outcome>} */
    once: (phase, env, lane) => phases[phase](env, lane),

    /**
     * beforeMain, main and afterMain of one index; afterMain runs whatever happened before it.
     *
     * @param {number} index
     * @param {Lane} lane
     * @param {number} due instant of the clock, NaN where the plan says none
     * @param {Rendered} [rendered]
     */
    async perform(index, lane, due, rendered) {
      const begun = clock.now();
      const env = new Env(index, context);
      /** @type {Outcome} */
      let outcome = hasBefore ? await phases.beforeMain(env, lane, rendered?.beforeMain) : 'completed';
      if (outcome === 'completed') {
        const started = hasBefore ? clock.now() : begun;
        outcome = await phases.main(env, lane, rendered?.main);
        recorder.main(clock.now() - started, begun - due, outcome);
      }
      if (hasAfter && (await phases.afterMain(env, lane, rendered?.afterMain)) !== 'completed') recorder.teardownFailed();
      recorder.ended(outcome);
    },
  };

  /**
   * The steps of a phase in series until one fails.
   *
   * @param {Phase} phase
   * @param {Step[]} steps
   * @returns {(env: Env, lane: Lane, rendered?: (Request | null)[]) => Promise<Outcome>}
   */
  function preparePhase(phase, steps) {
    const operations = steps.map(({ name }) => recorder.operations.add(name, phase));
    const performs = steps.map((step, i) => prepareStep(step, context, operations[i]));
    const isTeardown = phase === 'afterMain' || phase === 'after';
    return async (env, lane, rendered) => {
      for (let i = 0; i < performs.length; i++) {
        if (lane.isCancelled && !isTeardown) return 'cancelled';
        try {
          const { statusCode } = await performs[i](env, lane, rendered ? rendered[i] : null);
          if (statusCode >= 400) throw makeError('E_STATUS', { status: statusCode });
        } catch (error) {
          if (classify(error).kind === 'cancelled') return 'cancelled';
          operations[i].errors++;
          onError(/** @type {Error} */ (error), phase, steps[i], env.index);
          return 'failed';
        }
      }
      return 'completed';
    };
  }
}
