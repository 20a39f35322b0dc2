import { readFlow } from '../flow/compile.js';
import { loadParts, needsParts } from '../flow/parts.js';
import { loadFlow } from '../flow/source/load.js';
import { Benchmark } from './benchmark.js';
import { isCode } from '../flow/source/extensions.js';
import { flowFile, modulePath, originOf } from './flow-source.js';
import { TLS_PROPERTIES } from '../tls-properties.js';
import { openLocalServer } from './server/local-server.js';
import { AGENT_OPTIONS } from './options/agents.js';
import { argumentsOf, programLayers, shownOptions } from './options/layers.js';
import { inspectRunOptions } from './options/read-options.js';
import { checkRecordingOptions, recordingOptions } from './options/recording.js';
import { createPlan } from './plan.js';
import { Run } from './run.js';

/**
 * @import { ReadFlow } from '../flow/compile.js'
 * @import { Parts } from '../flow/parts.js'
 * @import { RawFlow } from '../flow/types.js'
 * @import { Problem, Problems } from '../problems.js'
 * @import { Flow, RunOptions as GivenOptions } from '../public-types.js'
 * @import { FlowOrigin } from './flow-source.js'
 * @import { Layer } from './options/layers.js'
 * @import { RunOptions } from './options/types.js'
 * @import { PlanSummary } from './plan.js'
 * @import { Result } from './run.js'
 * @import { StartServer } from './server/run-with-server.js'
 *
 * @typedef {(flow: RawFlow) => Layer[]} LayersOf the layers of the run options, weakest first
 *
 * @typedef {object} Caller of a run
 * @property {StartServer} [startServer] starts the server of the option `start`; default: in this thread
 * @property {boolean} [judges] false: thresholds are checked, but no result is compared with them
 * @property {(text: string) => void} [onNotice] receives what the flow says and is unlikely to mean, once it is planned
 */

/**
 * Runs a flow. Listeners that are attached right after the call miss no event; the run can be awaited as well.
 *
 * @example
 * const { stats, errorCount } = await benchrest('http://localhost:8000/', { limit: 10, iterations: 100 });
 *
 * @param {Flow} flow a URL, an operation, an array of operations, an object of phases, or a flow file: a path or a
 *   file: URL. It is not changed.
 * @param {GivenOptions | null} [runOptions] `limit` and an option that ends the run are required, here or in
 *   `flow.runOptions`
 * @returns {Run}
 * @throws {Error} E_NO_MAIN, E_NO_LIMIT, and E_FLOW or E_RUN_OPTIONS with all problems. The run of a file or of
 *   a flow with data, and a run against a server of this process, reject with those that are found later.
 */
export function benchrest(flow, runOptions) {
  const argument = flowFile(flow);
  /** @type {LayersOf} */
  const layersOf = (read) => programLayers(read, runOptions);
  if (argument === null) return startRun(flow, layersOf, originOf(flow), { onNotice: warn });
  return new Run(async (run) => {
    const above = [{ name: 'program', options: runOptions ?? {} }];
    const source = { argument, args: argumentsOf(above), recording: recordingOptions(above) };
    const { flow: loaded, folder, isRecording, notices } = await loadFlow(source, { args: source.args });
    notices.forEach(warn);
    const parts = await loadParts(loaded);
    const origin = { source, isRecording, uncloneable: null, folder, parts };
    return prepare(loaded, layersOf, origin, { onNotice: warn }).work(run);
  });
}

/** @type {(text: string) => void} */
function warn(text) {
  process.emitWarning(text, 'BenchRestWarning');
}

/**
 * @param {unknown} flow
 * @param {LayersOf} layersOf
 * @param {FlowOrigin} origin
 * @param {Caller} [caller]
 * @returns {Run}
 */
export function startRun(flow, layersOf, origin, caller) {
  const { summary, work } = prepare(flow, layersOf, origin, caller);
  return new Run(work, summary);
}

/**
 * Plans a run, without starting it. One with a server of its own is planned when the address of the server is
 * known; a flow that needs parts when they are loaded, unless its origin has them.
 *
 * @param {unknown} flow
 * @param {LayersOf} layersOf
 * @param {FlowOrigin} origin
 * @param {Caller} [caller]
 * @returns {{ summary: PlanSummary | null, work: (run: Run) => Promise<Result> }}
 * @throws {Error} E_NO_MAIN, E_NO_LIMIT, and E_FLOW or E_RUN_OPTIONS with all problems
 */
export function prepare(flow, layersOf, origin, { startServer, onNotice, judges = true } = {}) {
  const read = readFlow(flow, origin);
  const layers = layersOf(read.flow);
  const { options, problems } = inspectRunOptions(layers);
  checkRecordingOptions(options, origin.isRecording ?? false, problems);
  checkStart(read.flow.runOptions, origin, problems);
  checkAgents(options, problems);
  const { target, start } = options;
  const isReady = origin.parts !== undefined || !needsParts(flow);
  if (problems.list.length > 0) {
    const ofFlow = isReady && !concernFlow(problems) ? problemsOf(read, options, origin.parts) : read.problems;
    // the plan reports all problems of thresholds: it knows the names of the flow
    const isForPlan = ofFlow.length === 0 && isReady && target === undefined && concernThresholds(problems);
    if (!isForPlan) problems.throwIfAny({ title: 'the flow is malformed, too:', list: ofFlow });
  }
  const planFor = (/** @type {RunOptions} */ known, /** @type {FlowOrigin} */ from) => {
    const plan = createPlan(read, known, from, { judges });
    read.notices.forEach((text) => onNotice?.(text));
    return plan;
  };
  const loadedOrigin = async () => (isReady ? origin : { ...origin, parts: await loadParts(flow) });
  if (start !== undefined) {
    const work = async (/** @type {Run} */ run) => {
      const loaded = await loadedOrigin();
      const { runWithServer } = await import('./server/run-with-server.js');
      return runWithServer(run, {
        options,
        planFor: (baseUrl) => planFor({ ...options, baseUrl }, loaded),
        onPlan: ({ summary }) => run.planned({ ...summary, options: shownOptions(layers) }),
        startServer,
      });
    };
    return { summary: null, work };
  }
  if (target === undefined && isReady) {
    const plan = planFor(options, origin);
    const summary = { ...plan.summary, options: shownOptions(layers) };
    return { summary, work: (run) => new Benchmark(run, plan).run() };
  }
  const work = async (/** @type {Run} */ run) => {
    const loaded = await loadedOrigin();
    if (target === undefined) return new Benchmark(run, planFor(options, loaded)).run();
    const server = await openLocalServer(target);
    try {
      return await new Benchmark(run, planFor({ ...options, baseUrl: server.url }, loaded)).run();
    } finally {
      await server.restore();
    }
  };
  return { summary: null, work };
}

const UNKNOWN = 'http://localhost/';

/** Options without which a flow seems to have problems that it does not have. */
const OF_FLOW = ['baseUrl', 'socketPath', 'args', 'envFile', 'start', 'target', ...Object.keys(TLS_PROPERTIES)];

/** @type {(problems: Problems) => boolean} */
function concernFlow({ list }) {
  return list.some(({ path }) => OF_FLOW.includes(path.split('.')[1]));
}

/** @type {(problems: Problems) => boolean} they are of nothing else */
function concernThresholds({ list }) {
  return list.every(({ path }) => path.startsWith('thresholds['));
}

/** @type {(read: ReadFlow, options: RunOptions, parts?: Parts) => Problem[]} */
function problemsOf(read, options, parts = {}) {
  // the URL of a server of the run is not known yet
  const { baseUrl = options.target && UNKNOWN } = { ...options, ...(options.start && { baseUrl: UNKNOWN }) };
  try {
    read.compile({ ...options, baseUrl }, read.openFeeders(parts, options));
  } catch (error) {
    const { code, problems } = /** @type {any} */ (error);
    if (code !== 'E_FLOW') throw error;
    return problems;
  }
  return [];
}

/** A flow that is data cannot run a command. @type {(runOptions: Record<string, any> | undefined, origin: FlowOrigin, problems: Problems) => void} */
function checkStart(runOptions, { source }, problems) {
  if (runOptions?.start === undefined || isCode(modulePath(source) ?? '')) return;
  problems.add(
    'flow.runOptions.start',
    'runs a command, which only a flow that is a module can do: write --start, or set it in the program',
  );
}

/** The command runs on agents, and takes these options itself. @type {(options: Record<string, any>, problems: Problems) => void} */
function checkAgents(options, problems) {
  for (const name of AGENT_OPTIONS) {
    if (options[name] !== undefined)
      problems.add(
        `runOptions.${name}`,
        'is an option of the command: write it as a flag, or into the configuration file',
      );
  }
}
