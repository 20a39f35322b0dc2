import { capacityOutcome, capacityReasons } from './conclusion.js';
import { courseOptions, endReasonOf, findCapacity, refusedStep, stepOutcomeOf, thresholdsIn } from './course.js';
import { stepLayers, withFewerWorkers } from './load.js';
import { workingFolder } from '../../core/ground/system-errors.js';
import { COMMAND_LINE } from '../../core/run/options/names.js';
import { configLayer, openConfig } from '../../core/cli/config.js';
import { EngineKeepers } from '../../core/cli/engine/engine-keepers.js';
import { errorOf } from '../../core/cli/engine/engine.js';
import { Signals } from '../../core/cli/exit-process.js';
import { printMessage, writeSafe } from '../../core/cli/output.js';
import { openCapacityOutput } from './capacities.js';
import { printDocument } from '../compare/print-document.js';
import { CapacityView } from './capacity-view.js';
import { openSource } from '../../core/cli/run/open-source.js';
import { createEngine, endingMessage, endingReasons, runnerOf } from '../../core/cli/run/run-flow.js';

/** @import { CapacityRun } from './capacity.js' */
/** @import { Progress, StepOutcome } from './course.js' */
/** @import { StepLoad } from './load.js' */
/** @import { FlowInput } from '../../core/flow/source/types.js' */
/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { RunnerEnd } from '../../core/cli/run/run-flow.js' */
/** @import { RunInfo } from '../../core/report/types.js' */
/** @import { Layer } from '../../core/run/options/types.js' */
/** @import { Io, OtherRunner } from '../../core/cli/types.js' */
/** @import { CapacityRequest } from './requests.js' */
/** @import { Shutdown } from '../../core/cli/exit-process.js' */

/** @typedef {CapacityRequest & { version: string }} VersionedRequest */

const FLAGS = { from: '--from', step: '--step', maxDuration: '--max-duration' };

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
  const signals = new Signals(io, (text) => view.notice(text));
  const course = {
    ...courseOptions(request, request.runOptions, FLAGS),
    fewestUsers: steps.shards,
    thresholds: thresholdsIn(steps.layers),
  };
  const { capacity, ended, message } = await findCapacity(course, {
    run: (load, _next, progress) => steps.perform(load, { view, signals, progress }),
    onStep: ({ shown }, progress) => view.onStep(shown, progress),
  }).catch(async (error) => {
    await steps.close();
    throw error;
  });
  if (message) await printMessage(io.stderr, message);
  await steps.close();
  const run = view.info && capacityRun(view.info);
  /** @type {Set<Reason>} */
  const reasons = new Set(ended ? [ended] : capacityReasons(capacity, request.atLeast));
  const whole = { ...capacity, ...(run && { run }), outcome: capacityOutcome(reasons, message) };
  const printed = await printDocument(whole, output, { reasons }, io);
  await signals.settled();
  return signals.first ? printed.add('interrupted') : printed;
}

/** What the runs of all steps have in common, which is all but their load. @type {(info: RunInfo) => CapacityRun} */
function capacityRun({ flow, origins, options }) {
  const ofStep = new Set(['rate', 'limit', 'duration', 'warmup', 'gracefulStop', 'progress']);
  const common = Object.entries(options).filter(([name]) => !ofStep.has(name));
  return { flow, origins, options: Object.fromEntries(common) };
}

/** @type {(request: VersionedRequest, io: Io, shutdown: Shutdown) => Promise<StepRuns>} */
async function openSteps(request, io, shutdown) {
  const cwd = workingFolder(io);
  const config = await openConfig(io, request.config);
  const { runOptions, urlRequest } = request;
  const { source, layers } = await openSource(request.source, { cwd, io, config, runOptions, request: urlRequest });
  const runner = await runnerOf({ runOptions }, config, io.env);
  const flags = { name: COMMAND_LINE, options: { ...runOptions, progress: 0 } };
  return new StepRuns(
    { request, source, config: withFewerWorkers(configLayer(config)), layers, flags, runner },
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
 * @property {OtherRunner | null} runner
 */

/** Runs the steps, each as a run of its own; a server that they start serves all of them. */
class StepRuns {
  #settings;
  #io;
  #keepers = new EngineKeepers({ outlivesRun: true });
  /** The step that runs. @type {Awaited<ReturnType<typeof createEngine>> | null} */
  #engine = null;
  /** The step that ran last, and how often: the first one is repeated if it shows that it needs more time. */
  #number = 0;
  #tries = 0;

  /** @param {StepSettings} settings @param {Io} io @param {Shutdown} shutdown */
  constructor(settings, io, shutdown) {
    this.#settings = settings;
    this.#io = io;
    shutdown.add(async () => {
      const [isClosed] = await Promise.all([this.#engine?.close(), this.#keepers.end({ isAborted: false })]);
      return isClosed ?? true;
    });
  }

  /** Each agent needs a virtual user. */
  get shards() {
    return this.#settings.runner?.shards ?? 1;
  }

  /** The options that are known before the flow is read, as layers: the weakest first. @returns {Layer[]} */
  get layers() {
    const { config, layers, flags } = this.#settings;
    return [config, ...layers, flags];
  }

  /**
   * @param {StepLoad} load
   * @param {{ view: CapacityView, signals: Signals, progress: Progress }} context
   * @returns {Promise<StepOutcome>}
   * @throws {Error} the flow or its options are refused
   */
  async perform(load, { view, signals, progress }) {
    const { request, source, config, layers, flags, runner } = this.#settings;
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
        runLabel: this.#labelOf(number),
      },
      { view, runner, keepers: this.#keepers },
    );
    this.#engine = engine;
    // the first Ctrl-C may have come while agents got ready
    const directed = signals.first ? Promise.resolve(null) : signals.direct(engine);
    const outcome = await directed.finally(() => view.end());
    // The next step needs the agents.
    await engine.close();
    this.#engine = null;
    if (outcome?.kind === 'refused') return refusedStep(errorOf(outcome), number);
    if (outcome === null || signals.first) return { ended: 'interrupted' };
    return this.#outcomeOf(outcome);
  }

  /** Keeps the logs of several tries apart. @type {(number: number) => string} */
  #labelOf(number) {
    this.#tries = number === this.#number ? this.#tries + 1 : 1;
    this.#number = number;
    return this.#tries === 1 ? `step${number}` : `step${number}-try${this.#tries}`;
  }

  /** @type {(outcome: RunnerEnd) => Promise<StepOutcome>} */
  async #outcomeOf(outcome) {
    const ending = outcome.kind === 'ended' ? { ...outcome, why: endReasonOf(outcome.why, outcome.stats) } : outcome;
    const message = endingMessage(ending);
    const [reason] = endingReasons(ending);
    if (ending.kind !== 'ended' || reason) return { ended: reason ?? 'errors', ...(message && { message }) };
    const step = stepOutcomeOf(ending.why, ending.stats);
    if ('result' in step && step.early === undefined && message) await printMessage(this.#io.stderr, message);
    return step;
  }

  async close() {
    await this.#keepers.end({ isAborted: false });
    const output = await this.#keepers.lastOutput();
    if (output) await writeSafe(this.#io.stderr, `bench-rest: ${output}\n`);
  }
}
