import { readFlow } from '../flow/compile.js';
import { loadFlow } from '../flow/source/load.js';
import { Benchmark } from './benchmark.js';
import { flowFile, originOf } from './flow-source.js';
import { openLocalServer } from './local-server.js';
import { argumentsOf, programLayers, shownOptions } from './options/layers.js';
import { readRunOptions } from './options/read-options.js';
import { checkRecordingOptions, recordingOptions } from './options/recording.js';
import { createPlan } from './plan.js';
import { Run } from './run.js';

/**
 * @import { RawFlow } from '../flow/types.js'
 * @import { Flow, RunOptions as GivenOptions } from '../public-types.js'
 * @import { FlowOrigin } from './flow-source.js'
 * @import { Layer } from './options/layers.js'
 * @import { PlanSummary } from './plan.js'
 * @import { Result } from './run.js'
 *
 * @typedef {(flow: RawFlow) => Layer[]} LayersOf the layers of the run options, weakest first
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
 * @throws {Error} E_NO_MAIN, E_NO_LIMIT, and E_FLOW or E_RUN_OPTIONS with all problems. The run of a file, and a run
 *   against a server of this process, reject with those that are found after the file is read or the server listens.
 */
export function benchrest(flow, runOptions) {
  const argument = flowFile(flow);
  /** @type {LayersOf} */
  const layersOf = (read) => programLayers(read, runOptions);
  if (argument === null) return startRun(flow, layersOf, originOf(flow));
  return new Run(async (run) => {
    const above = [{ name: 'program', options: runOptions ?? {} }];
    const source = { argument, args: argumentsOf(above), recording: recordingOptions(above) };
    const { flow: loaded, folder, isRecording, notices } = await loadFlow(source, { args: source.args });
    notices.forEach((text) => process.emitWarning(text, 'BenchRestWarning'));
    return prepare(loaded, layersOf, { source, isRecording, uncloneable: null, folder }).work(run);
  });
}

/**
 * @param {unknown} flow
 * @param {LayersOf} layersOf
 * @param {FlowOrigin} origin
 * @returns {Run}
 */
export function startRun(flow, layersOf, origin) {
  const { summary, work } = prepare(flow, layersOf, origin);
  return new Run(work, summary);
}

/**
 * Plans the run. A server of this process is planned for when it listens, as its address is not known before.
 *
 * @type {(flow: unknown, layersOf: LayersOf, origin: FlowOrigin) => { summary: PlanSummary | null, work: (run: Run) => Promise<Result> }}
 */
function prepare(flow, layersOf, origin) {
  const read = readFlow(flow, origin);
  const layers = layersOf(read.flow);
  const options = readRunOptions(layers);
  checkRecordingOptions(options, origin.isRecording ?? false);
  const { target } = options;
  if (target === undefined) {
    const plan = createPlan(read, options, origin);
    const summary = { ...plan.summary, options: shownOptions(layers) };
    return { summary, work: (run) => new Benchmark(run, plan).run() };
  }
  const work = async (/** @type {Run} */ run) => {
    const server = await openLocalServer(target);
    try {
      return await new Benchmark(run, createPlan(read, { ...options, baseUrl: server.url }, origin)).run();
    } finally {
      await server.restore();
    }
  };
  return { summary: null, work };
}
