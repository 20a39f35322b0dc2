import { hashFlow } from '../flow/hash.js';
import { createProblems } from '../problems.js';
import { openFlow } from '../run/open-flow.js';
import { commandLayers, hintsOf } from '../run/options/layers.js';
import { inspectRunOptions } from '../run/options/read-options.js';
import { prepare } from '../run/prepare.js';
import { lacksVariable } from './pack-flow.js';

/**
 * @import { Feeders } from '../flow/data/feeders.js'
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
 * @param {{ cwd: string, config: Layer, commandLine: Layer[], agents: number, replacesLost?: boolean }} context replacesLost: the
 *   load of lost agents is given to the others
 * @returns {Promise<CheckedRun>}
 * @throws {Error} any error of the flow and the options
 */
export async function checkRun(given, { cwd, config, commandLine, agents, replacesLost = false }) {
  const own = [...commandLine, { name: '--agents', options: { shard: { number: 1, of: agents } } }];
  const { raw, read, from, notices, origin } = await openFlow(given, [config, ...own], { cwd });
  const layers = commandLayers({ config, flow: read.flow, from, commandLine: own });
  try {
    const { summary } = prepare(read, layers, origin, { onNotice: (text) => void notices.push(text) });
    const { options } = inspectRunOptions(layers);
    if (replacesLost) refuseReplacing(options, read.openFeeders(options));
    if (summary === null) return { begun: null, options };
    return { begun: { plan: summary, from, hash: hashFlow(raw), notices, hints: hintsOf(layers) }, options };
  } catch (error) {
    if (!lacksVariable(error)) throw error;
    const { options } = inspectRunOptions(layers);
    if (replacesLost) refuseReplacing(options, null);
    return { begun: null, options };
  }
}

/** The rest of a number of iterations cannot be given to others: the number that a lost agent has started is unknown. @type {(options: RunOptions, feeders: Feeders | null) => void} */
function refuseReplacing(options, feeders) {
  const problems = createProblems('E_RUN_OPTIONS');
  const flag = COUNTED.find(({ name }) => options[name] !== undefined)?.flag;
  if (flag !== undefined)
    problems.add(
      '--replace-lost',
      `needs a run that a time ends, because the number of iterations that a lost agent has started is unknown: remove ${flag}, and write -t 60s or --forever`,
    );
  if (options.log !== undefined)
    problems.add(
      '--replace-lost',
      'cannot be combined with --log: the log of an agent has the requests of its own shard',
    );
  const once = feeders?.all().find(({ isUnique }) => isUnique);
  if (once)
    problems.add(
      '--replace-lost',
      `needs rows that can be used again, because those that a lost agent has used are unknown: give data.${once.name} another order than unique`,
    );
  problems.throwIfAny();
}

/** Run options that limit the iterations, or requests. @type {{ name: keyof RunOptions, flag: string }[]} */
const COUNTED = [
  { name: 'iterations', flag: '-n' },
  { name: 'maxOverallRequests', flag: '--max-overall-requests' },
  { name: 'maxConnectionRequests', flag: '--max-connection-requests' },
];
