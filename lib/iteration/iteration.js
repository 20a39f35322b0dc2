import { scenariosOf } from '../slots.js';
import { Env } from './env.js';
import { preparePhase } from './phase.js';

/**
 * @import { CompiledFlow, Phase, Request } from '../flow/types.js'
 * @import { EndListener, Outcome } from './iteration-run.js'
 * @import { Lane } from './lane.js'
 * @import { TransactionRecorder } from '../measure/transactions.js'
 * @import { BoundPhase, PhaseContext } from './phase.js'
 *
 * @typedef {object} BoundScenarios
 * @property {string[]} names
 * @property {(index: number) => number} choose the position of the scenario that an iteration runs
 * @property {TransactionRecorder[]} recorders
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
  /** hooks or functions may have kept or changed the state of an iteration */
  #hasCode;
  context;
  /** the WebSockets that are closed at the end of an iteration; null: the flow has none */
  sockets;
  /** of which each iteration runs one; null: the flow has none @type {BoundScenarios | null} */
  scenarios;
  /** @type {Record<Phase, BoundPhase>} */
  phases;

  /**
   * @param {CompiledFlow} flow
   * @param {PhaseContext} context
   */
  constructor(flow, context) {
    const { user, password, recorder, jars, runCtx, vars, feeders, createIterCtx } = context;
    this.context = context;
    this.#run = { user, password, stats: recorder.metrics.forHooks, jars, runCtx, vars, feeders, createIterCtx };
    this.#hasCode = [...flow.beforeMain, ...flow.main, ...flow.afterMain].some(
      ({ beforeHooks, afterHooks, values, pauseMs, control, call }) =>
        beforeHooks.length + afterHooks.length + values.length > 0 ||
        typeof pauseMs === 'function' ||
        control !== null ||
        call !== null,
    );
    this.sockets = socketsOf(flow);
    this.scenarios = bindScenarios(flow, context);
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
   * @param {Lane} lane
   * @returns {Env}
   */
  createEnv(index, lane) {
    return new Env(index, this.#run, lane.share);
  }

  /**
   * @param {number} index
   * @param {Lane} lane
   * @param {Env | null} last of the lane's last iteration of this flow
   * @returns {Env} of its next iteration
   */
  nextEnv(index, lane, last) {
    if (last === null || this.#hasCode) return this.createEnv(index, lane);
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
   * @param {number} waitedMs from then until the lane was idle; NaN in a closed model
   * @param {EndListener} listener
   * @param {Rendered} [rendered]
   */
  perform(index, lane, due, waitedMs, listener, rendered) {
    lane.iteration.start(this, index, due, waitedMs, listener, rendered);
  }
}

/** @type {(flow: CompiledFlow, context: PhaseContext) => BoundScenarios | null} */
function bindScenarios({ main }, { recorder }) {
  const scenarios = scenariosOf(main);
  if (scenarios.length === 0) return null;
  const [{ names, choose }] = scenarios;
  return { names, choose, recorders: names.map((name) => recorder.scenarios.add(name)) };
}

/** @type {(flow: CompiledFlow) => string[] | null} */
function socketsOf({ beforeMain, main, afterMain }) {
  const uses = [...beforeMain, ...main, ...afterMain].flatMap(({ webSocket }) => webSocket ?? []);
  const keys = new Set(uses.map(({ key }) => key));
  for (const { key, keeps } of uses) if (keeps) keys.delete(key);
  return keys.size === 0 ? null : [...keys];
}
