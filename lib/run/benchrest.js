import { readFlow } from '../flow/compile.js';
import { flowFile, originOf } from './flow-source.js';
import { openFlow } from './open-flow.js';
import { programLayers } from './options/layers.js';
import { prepare, startRun } from './prepare.js';
import { Run } from './run.js';

/**
 * @import { Flow, RunOptions } from '../public-types.js'
 */

/**
 * Runs a flow. Listeners that are attached right after the call miss no event; the run can be awaited as well.
 *
 * @example
 * const { stats, errorCount } = await benchrest('http://localhost:8000/', { limit: 10, iterations: 100 });
 *
 * @param {Flow} flow a URL, an operation, an array of operations, an object of phases, or a flow file: a path or a
 *   file: URL. It is not changed.
 * @param {RunOptions | null} [runOptions] `limit` and an option that ends the run are required, here or in
 *   `flow.runOptions`
 * @returns {Run}
 * @throws {Error} E_NO_MAIN, E_NO_LIMIT, and E_FLOW or E_RUN_OPTIONS with all problems. The run of a file or of
 *   a flow with data, and a run against a server of this process, reject with those that are found later.
 */
export function benchrest(flow, runOptions) {
  const argument = flowFile(flow);
  if (argument === null) {
    const read = readFlow(flow);
    return startRun(read, programLayers(read.flow, runOptions), originOf(flow), { onNotice: warn });
  }
  return new Run(async (run) => {
    const { read, origin, notices } = await openFlow({ argument }, [{ name: 'program', options: runOptions ?? {} }]);
    notices.forEach(warn);
    return prepare(read, programLayers(read.flow, runOptions), origin, { onNotice: warn }).work(run);
  });
}

/** @type {(text: string) => void} */
function warn(text) {
  process.emitWarning(text, 'BenchRestWarning');
}
