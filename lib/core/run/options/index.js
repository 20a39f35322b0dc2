import { marked, offered, placed } from '../../ground/addons.js';
import { CHECKS } from './checks.js';
import { CONNECTIONS } from './connections.js';
import { LOAD } from './load.js';
import { BASE_URL, REQUESTS } from './requests.js';
import { RESULTS } from './results.js';

/** @import { OfferedOptions, OptionGroup, RunOption } from './types.js' */

/** @type {OptionGroup[]} */
const OWN = [
  { group: 'Load', rows: LOAD },
  { group: 'Requests', rows: REQUESTS },
  { group: 'Connections', rows: CONNECTIONS },
  { group: 'Checks', rows: CHECKS },
  { group: 'Results', rows: RESULTS },
  { group: 'Server', rows: [BASE_URL] },
];

/** @type {OfferedOptions[]} */
const OFFERS = offered('options');
const GROUPS = new Set([...OWN, ...OFFERS].map(({ group }) => group));

/** Run options by the group in which help and documents list them. @type {OptionGroup[]} */
export const OPTION_GROUPS = [...GROUPS].map((group) => {
  const own = OWN.find((one) => one.group === group)?.rows ?? [];
  const more = OFFERS.filter((one) => one.group === group).flatMap(({ before, after, isExperimental, load }) =>
    marked(load(), isExperimental).map((row) => ({ ...row, ...(before && { before }), ...(after && { after }) })),
  );
  return { group, rows: placed(marked(own), more) };
});

/** One row for each run option; documents, typedefs, schema, flags and help are generated from them. */
export const RUN_OPTIONS = OPTION_GROUPS.flatMap(({ rows }) => rows);

/**
 * Returns the rows with a property: each run asks a few of all rows, and a loop over all takes 60 us of a warm one.
 * @type {(property: keyof RunOption) => RunOption[]}
 */
export function rowsWith(property) {
  return RUN_OPTIONS.filter((row) => row[property]);
}

const REACHING = rowsWith('reaches');
const BRINGING = rowsWith('bringsTarget');

/** Returns the row of a run option. @type {(name: string) => RunOption} */
export function rowOf(name) {
  return /** @type {RunOption} */ (RUN_OPTIONS.find((row) => row.name === name));
}

/**
 * Lists the options among these that do more than the requests of a flow, or what `reach` says.
 * @type {(options?: Record<string, any>, reach?: string) => RunOption[]}
 */
export function reachingIn(options = {}, reach) {
  return REACHING.filter(({ name, reaches }) => (reach ?? reaches) === reaches && options[name] !== undefined);
}

/** Reports whether the run has a target of its own. @type {(options: Record<string, any>) => boolean} */
export function bringsTarget(options) {
  return BRINGING.some(({ name }) => options[name] !== undefined);
}

/** Options that end a run: at least one is required. */
export const ENDS = ['iterations', 'duration', 'forever', 'precision', 'stages', 'maxRequests', 'maxRequestsPerUser'];
