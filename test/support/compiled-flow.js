import { readFlow } from '../../lib/core/flow/compile.js';
import { programLayers, resolveLayers } from '../../lib/core/run/options/layers.js';

/**
 * Compiles a flow as a run of a program does: its own `baseUrl`, `headers` and `runOptions` apply.
 *
 * @param {unknown} raw
 * @param {object} [options] run options
 */
export function compiledFlow(raw, options) {
  const read = readFlow(raw);
  return read.compile(resolveLayers(programLayers(read.flow, options)).options);
}
