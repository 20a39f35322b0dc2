import { capacityReasons } from '../../capacity/conclusion.js';
import { SETTLE_MS, findCapacity } from '../../capacity/course.js';
import { stepLayers, withFewerWorkers } from '../../capacity/load.js';
import { workingFolder } from '../../ground/system-errors.js';
import { outcomeFor } from '../../measure/outcome.js';
import { readWarmup } from '../../run/options/load.js';
import { COMMAND_LINE } from '../../run/options/names.js';
import { configLayer, readConfig } from '../config.js';
import { EngineServers } from '../engine/engine.js';
import { handleSignals } from '../exit-process.js';
import { printMessage, writeSafe } from '../output.js';
import { openCapacityOutput } from '../result/capacities.js';
import { printDocument } from '../result/documents.js';
import { CapacityView } from './capacity-view.js';
import { openSource } from './open-source.js';
import { agentOptionsOf, createEngine, endingMessage, endingReasons } from './run-flow.js';

/** @import { CapacityRun } from '../../contracts/capacity.js' */
/** @import { CourseOptions, Progress, StepOutcome } from '../../capacity/course.js' */
/** @import { StepLoad } from '../../capacity/load.js' */
/** @import { FlowInput } from '../../flow/source/types.js' */
/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { RunInfo } from '../../report/types.js' */
/** @import { Layer } from '../../run/options/types.js' */
/** @import { Outcome } from '../../run/types.js' */
/** @import { AgentOptions } from '../../shard/types.js' */
/** @import { CapacityRequest, Io } from '../types.js' */
/** @import { Shutdown } from '../exit-process.js' */

/**
 * @typedef {CapacityRequest & { version: string }} VersionedRequest
 */

/**
 * Searches the highest load that holds, and prints it.
 *
 * @param {VersionedRequest} request
 * @param {Io} io
 * @param {Shutdown} shutdown
 * @returns {Promise<Set<Reason>>} reasons for an exit code other than 0
 */
export async function runCapacity(request, io, shutdown) {
  const output = openCapacityOutput(request, workingFolder(io), request.source);
  const steps = await openSteps(request, io, shutdown);
  const view = new CapacityView(request, io);
  await view.load();
  const signals = handleSignals(io, (text) => view.notice(text));
  const { capacity, ended } = await findCapacity(courseOptions(request), {
    run: (load, _next, progress) => steps.perform(load, { view, signals, progress }),
    onStep: ({ shown }, progress) => view.onStep(shown, progress),
  });
  await steps.close();
  const run = view.info && capacityRun(view.info);
  /** @type {Set<Reason>} */
  const reasons = new Set(ended ? [ended] : capacityReasons(capacity, request.atLeast));
  const whole = { ...capacity, ...(run && { run }), outcome: outcomeFor(reasons) };
  const printed = await printDocument(whole, output, { reasons }, io);
  await signals.settled();
  return signals.first ? printed.add('interrupted') : printed;
}

/** @type {(request: CapacityRequest) => CourseOptions} */
function courseOptions({ by, from, within, stepMs, maxDurationMs, runOptions }) {
  const { warmup, limit } = /** @type {Record<string, any>} */ (runOptions);
  return {
    by,
    from: from ?? (by === 'rate' ? 20 : 1),
    within,
    stepMs,
    settleMs: readWarmup(warmup)?.duration ?? SETTLE_MS,
    ...(limit !== undefined && { mostUsers: limit }),
    ...(maxDurationMs !== undefined && { maxDurationMs }),
  };
}

/** What all steps have in common. @type {(info: RunInfo) => CapacityRun} */
function capacityRun({ flow, origins, options }) {
  const own = new Set(['rate', 'limit', 'duration', 'warmup', 'progress']);
  const common = Object.entries(options).filter(([name]) => !own.has(name));
  return { flow, origins, options: Object.fromEntries(common) };
}

/** @type {(request: VersionedRequest, io: Io, shutdown: Shutdown) => Promise<StepRuns>} */
async function openSteps(request, io, shutdown) {
  const cwd = workingFolder(io);
  const config = await readConfig(cwd, request.config);
  for (const warning of config.warnings) await printMessage(io.stderr, warning);
  const { runOptions, urlRequest } = request;
  const { source, layers } = await openSource(request.source, { cwd, io, config, runOptions, request: urlRequest });
  const agents = agentOptionsOf({ runOptions }, config, io.env);
  const flags = { name: COMMAND_LINE, options: { ...runOptions, progress: 0 } };
  return new StepRuns(
    { request, source, config: withFewerWorkers(configLayer(config)), layers, flags, agents },
    io,
    shutdown,
  );
}

/**
 * @typedef {object} StepSettings
 * @property {VersionedRequest} request
 * @property {FlowInput} source
 * @property {Layer} config
 * @property {Layer[]} layers of the source
 * @property {Layer} flags
 * @property {AgentOptions | null} agents
 */

/** Runs the steps, each as a run of its own; a server that they start serves all of them. */
class StepRuns {
  #settings;
  #io;
  #servers = new EngineServers({ outlivesRun: true });
  /** The step that runs. @type {Awaited<ReturnType<typeof createEngine>> | null} */
  #engine = null;

  /**
   * @param {StepSettings} settings
   * @param {Io} io
   * @param {Shutdown} shutdown
   */
  constructor(settings, io, shutdown) {
    this.#settings = settings;
    this.#io = io;
    shutdown.add(async () => {
      const [isClosed] = await Promise.all([this.#engine?.close(), this.#servers.end({ isAborted: false })]);
      return isClosed ?? true;
    });
  }

  /**
   * @param {StepLoad} load
   * @param {{ view: CapacityView, signals: ReturnType<typeof handleSignals>, progress: Progress }} context
   * @returns {Promise<StepOutcome>}
   * @throws {Error} the flow or its options are refused
   */
  async perform(load, { view, signals, progress }) {
    const { request, source, config, layers, flags, agents } = this.#settings;
    // the first Ctrl-C came between two steps
    if (signals.first) return { ended: 'interrupted' };
    view.begin(load, progress);
    const number = progress.steps.length + 1;
    const engine = await createEngine(
      {
        source,
        cwd: workingFolder(this.#io),
        config,
        commandLine: stepLayers(load, [...layers, flags]),
        debug: false,
        outputs: request.outputs,
        logLabel: `step${number}`,
      },
      { view, agents, env: this.#io.env, servers: this.#servers, ...(number === 1 && { thread: request.thread }) },
    );
    this.#engine = engine;
    const outcome = await signals.direct(engine);
    view.end();
    // The next step needs the agents.
    await engine.close();
    this.#engine = null;
    if (outcome.kind === 'refused') return this.#refused(outcome.error, number);
    if (signals.first) return { ended: 'interrupted' };
    const why = isUnreachable(outcome) ? 'unreachable' : outcome.kind === 'ended' ? outcome.why : outcome.kind;
    const message = endingMessage(outcome.kind === 'ended' ? { ...outcome, why } : outcome);
    if (message) await printMessage(this.#io.stderr, message);
    const [reason] = endingReasons(outcome);
    if (outcome.kind !== 'ended' || reason) return { ended: reason ?? 'errors' };
    if (CUT_SHORT.includes(why)) return { ended: why === 'server' ? 'server' : 'errors' };
    return { result: outcome.stats };
  }

  /**
   * Only the first step shows that nothing can be run; a later one ends the search with its answer so far.
   * @type {(error: Extract<Outcome, { kind: 'refused' }>['error'], number: number) => Promise<StepOutcome>}
   */
  async #refused(error, number) {
    if (number === 1) throw Object.assign(new Error(error.message), error);
    await printMessage(this.#io.stderr, `step ${number} was refused: ${error.message}`);
    return { ended: error.code === 'E_RUN_OPTIONS' ? 'validity' : 'errors' };
  }

  async close() {
    const notice = await this.#servers.end({ isAborted: false });
    if (notice) await printMessage(this.#io.stderr, notice);
    if (this.#servers.output) await writeSafe(this.#io.stderr, `bench-rest: ${this.#servers.output}\n`);
  }
}

/** A low rate ends before so many connections failed that the run stops. @type {(outcome: Outcome) => boolean} */
function isUnreachable(outcome) {
  if (outcome.kind !== 'ended') return false;
  const { connections, requests, errors } = outcome.stats;
  return connections.opened === 0 && requests.answered === 0 && errors.count > 0;
}

/** The ends of a run that say nothing about its load. @type {string[]} */
const CUT_SHORT = ['before', 'hook', 'server', 'worker', 'unreachable'];
