import { AGENTS } from '../../../addons/agents/options/agents.js';
import { CHECKS } from './checks.js';
import { CONNECTIONS } from './connections.js';
import { LOAD } from './load.js';
import { REQUESTS } from './requests.js';
import { RESULTS } from './results.js';
import { TARGET } from '../../../addons/server/options/target.js';

/** @import { RunOption } from './types.js' */

/** Run options by the group in which help and documents list them. @type {{ group: string, rows: RunOption[] }[]} */
export const OPTION_GROUPS = [
  { group: 'Load', rows: LOAD },
  { group: 'Requests', rows: REQUESTS },
  { group: 'Connections', rows: CONNECTIONS },
  { group: 'Checks', rows: CHECKS },
  { group: 'Results', rows: RESULTS },
  { group: 'Target', rows: TARGET },
  { group: 'Agents', rows: AGENTS },
];

/** One row for each run option; documents, typedefs, schema, flags and help are generated from them. */
export const RUN_OPTIONS = OPTION_GROUPS.flatMap(({ rows }) => rows);

/** Returns the row of a run option. @type {(name: string) => RunOption} */
export function rowOf(name) {
  return /** @type {RunOption} */ (RUN_OPTIONS.find((row) => row.name === name));
}

/**
 * Lists the options among these that do more than the requests of a flow, or what `reach` says.
 * @type {(options?: Record<string, any>, reach?: string) => RunOption[]}
 */
export function reachingIn(options = {}, reach) {
  return RUN_OPTIONS.filter(
    ({ name, reaches }) => reaches && (reach ?? reaches) === reaches && options[name] !== undefined,
  );
}

/** Options that end a run: at least one is required. */
export const ENDS = ['iterations', 'duration', 'forever', 'precision', 'stages', 'maxRequests', 'maxRequestsPerUser'];
