import { readFlow } from '../flow/index.js';
import { loadFlow } from '../flow/source/load.js';
import { Benchmark } from './benchmark.js';
import { flowFile, originOf } from './flow-source.js';
import { openLocalServer } from './local-server.js';
import { programLayers } from './options/layers.js';
import { readRunOptions } from './options/read-options.js';
import { createPlan } from './plan.js';
import { Run } from './run.js';

/**
 * @import { Flow, RunOptions as GivenOptions } from '../public-types.js'
 * @import { FlowOrigin } from './flow-source.js'
 * @import { Layer } from './options/layers.js'
 * @import { PlanSummary, ReadFlow } from './plan.js'
 * @import { Result } from './run.js'
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
  if (argument === null) {
    const read = readFlow(flow);
    return startRun(read, programLayers(read.flow, runOptions), originOf(flow));
  }
  return new Run(async (run) => {
    const read = readFlow((await loadFlow({ argument })).flow);
    const origin = { source: { argument }, uncloneable: null };
    return prepare(read, programLayers(read.flow, runOptions), origin).work(run);
  });
}

/**
 * @param {ReadFlow} read
 * @param {Layer[]} layers of the run options
 * @param {FlowOrigin} origin
 * @returns {Run}
 */
export function startRun(read, layers, origin) {
  const { summary, work } = prepare(read, layers, origin);
  return new Run(work, summary);
}

/**
 * Plans the run. A server of this process is planned for when it listens, as its address is not known before.
 *
 * @type {(read: ReadFlow, layers: Layer[], origin: FlowOrigin) => { summary: PlanSummary | null, work: (run: Run) => Promise<Result> }}
 */
function prepare(read, layers, origin) {
  const options = readRunOptions(layers);
  const { target } = options;
  if (target === undefined) {
    const plan = createPlan(read, options, origin);
    return { summary: plan.summary, work: (run) => new Benchmark(run, plan).run() };
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
