import { makeError } from '../errors.js';
import { Env } from './env.js';
import { exemplarOf } from './exemplar.js';
import { classify, describe } from './failure.js';
import { pauseBetween } from './pause.js';
import { prepareStep } from './step.js';

/**
 * @import { CompiledFlow, Phase, Request, Step } from '../flow/types.js'
 * @import { ExchangeContext } from './exchange.js'
 * @import { Lane } from './lane.js'
 *
 * @typedef {'completed' | 'failed' | 'cancelled'} Outcome
 *
 * @typedef {object} IterationContext
 * @property {(error: Error, phase: Phase, step: Step, index: number | undefined) => void} onError
 * @property {boolean} isPaced lanes have a rate of their own
 * @property {() => number} random 0 to 1
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
  const run = { user: context.user, password: context.password, timers: recorder.timers };
  const phases =
    /** @type {Record<Phase, (env: Env, lane: Lane, rendered?: (Request | null)[]) => Promise<Outcome>>} */ (
      Object.fromEntries(
        Object.entries(flow).map(([phase, steps]) => [phase, preparePhase(/** @type {Phase} */ (phase), steps)]),
      )
    );
  const hasBefore = flow.beforeMain.length > 0;
  const hasAfter = flow.afterMain.length > 0;

  return {
    /** @type {(index: number | undefined) => Env} */
    createEnv: (index) => new Env(index, run),

    /** `before` and `after`. @type {(phase: Phase, env: Env, lane: Lane) => Promise<Outcome>} */
    once(phase, env, lane) {
      lane.index = undefined;
      return phases[phase](env, lane);
    },

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
      const env = new Env(index, run);
      lane.index = index;
      lane.due = due;
      recorder.started(lane, begun);
      /** @type {Outcome} */
      let outcome = hasBefore ? await phases.beforeMain(env, lane, rendered?.beforeMain) : 'completed';
      let now = begun;
      if (outcome === 'completed') {
        const started = hasBefore ? clock.now() : begun;
        const pausedBefore = lane.paused;
        outcome = await phases.main(env, lane, rendered?.main);
        now = clock.now();
        recorder.main(now - started - (lane.paused - pausedBefore), begun - due, outcome, now);
      }
      if (hasAfter && (await phases.afterMain(env, lane, rendered?.afterMain)) !== 'completed')
        recorder.teardownFailed();
      if (hasAfter || now === begun) now = clock.now();
      recorder.ended(lane, outcome, now, now - begun);
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
        if (lane.isCancelled && (!isTeardown || lane.deadline.limit <= clock.now())) return 'cancelled';
        let status = null;
        try {
          if (context.isPaced) await pause(lane.takeTurn(), lane);
          const { statusCode } = await performs[i](env, lane, rendered ? rendered[i] : null);
          status = statusCode;
          if (statusCode >= 400) throw makeError('E_STATUS', { status: statusCode });
        } catch (error) {
          if (classify(error).kind === 'cancelled') return 'cancelled';
          operations[i].errors++;
          keepFailed(error, steps[i], lane, status);
          onError(/** @type {Error} */ (error), phase, steps[i], lane.index);
          return 'failed';
        }
        const { pauseMs } = steps[i];
        if (pauseMs) await pause(pauseBetween(pauseMs, context.random), lane);
      }
      return 'completed';
    };
  }

  /** @type {(ms: number, lane: Lane) => Promise<void>} */
  async function pause(ms, lane) {
    if (ms <= 0 || lane.isCancelled) return;
    const from = clock.now();
    await lane.sleep(ms);
    lane.paused += clock.now() - from;
  }

  /** @type {(error: any, step: Step, lane: Lane, status: number | null) => void} */
  function keepFailed(error, step, lane, status) {
    const { code } = classify(error);
    const exemplar = () => exemplarOf(step, lane, { now: clock.now(), origin: context.origin(), status });
    if (recorder.exemplars.wants(code, `${step.where} ${step.name}`))
      recorder.exemplars.addFailed({ ...exemplar(), code, error: describe(error, code) });
  }
}
