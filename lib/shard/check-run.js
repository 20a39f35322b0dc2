import { hashFlow } from '../flow/hash.js';
import { openFlow } from '../run/open-flow.js';
import { commandLayers, hintsOf } from '../run/options/layers.js';
import { inspectRunOptions } from '../run/options/read-options.js';
import { prepare } from '../run/prepare.js';
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
  const { raw, read, from, notices, origin } = await openFlow(given, [config, ...own], { cwd });
  const layers = commandLayers({ config, flow: read.flow, from, commandLine: own });
  try {
    const { summary } = prepare(read, layers, origin, { onNotice: (text) => void notices.push(text) });
    const { options } = inspectRunOptions(layers);
    if (summary === null) return { begun: null, options };
    return { begun: { plan: summary, from, hash: hashFlow(raw), notices, hints: hintsOf(layers) }, options };
  } catch (error) {
    if (!lacksVariable(error)) throw error;
    return { begun: null, options: inspectRunOptions(layers).options };
  }
}
