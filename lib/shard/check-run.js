import { hashFlow } from '../flow/hash.js';
import { loadParts } from '../flow/parts.js';
import { loadFlow } from '../flow/source/load.js';
import { prepare } from '../run/benchrest.js';
import { argumentsOf, commandLayers, flowLayers, hintsOf } from '../run/options/layers.js';
import { inspectRunOptions } from '../run/options/read-options.js';
import { recordingOptions } from '../run/options/recording.js';
import { lacksVariable } from './pack-flow.js';

/**
 * @import { FlowInput } from '../flow/source/load.js'
 * @import { Layer } from '../run/options/layers.js'
 * @import { RunOptions } from '../run/options/types.js'
 * @import { ReportedPlan } from './protocol.js'
 *
 * @typedef {object} CheckedRun
 * @property {ReportedPlan | null} begun null if only the environment of the agents has what the plan needs
 * @property {RunOptions} options
 */

/**
 * Reads the flow and the options of a run on agents before they get it, so that mistakes are reported once and at once.
 *
 * @param {FlowInput} given
 * @param {{ cwd: string, config: Layer, commandLine: Layer[], agents: number }} context
 * @returns {Promise<CheckedRun>}
 * @throws {Error} any error of the flow and the options
 */
export async function checkRun(given, { cwd, config, commandLine, agents }) {
  const own = [...commandLine, { name: '--agents', options: { shard: { number: 1, of: agents } } }];
  const above = [config, ...own];
  const source = { ...given, args: argumentsOf(above), recording: recordingOptions(above) };
  const { flow, from, folder, isRecording, notices } = await loadFlow(source, { cwd, args: source.args });
  /** @type {Layer[]} */
  let layers = [];
  const layersOf = (/** @type {any} */ read) =>
    (layers = commandLayers({ config, flow: flowLayers(from, read), commandLine: own, debug: null }));
  try {
    const origin = { source: { ...source, cwd }, isRecording, uncloneable: null, folder, parts: await loadParts(flow) };
    const { summary } = prepare(flow, layersOf, origin);
    const { options } = inspectRunOptions(layers);
    if (summary === null) return { begun: null, options };
    const hash = hashFlow(flow);
    return { begun: { plan: summary, from, hash, notices, hints: hintsOf(layers) }, options };
  } catch (error) {
    if (!lacksVariable(error)) throw error;
    return { begun: null, options: inspectRunOptions(layers).options };
  }
}
