import { marked, offered } from '../../ground/addons.js';
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
  { group: 'Target', rows: [BASE_URL] },
];

/** Run options by the group in which help and documents list them. @type {OptionGroup[]} */
export const OPTION_GROUPS = offered('options').reduce(
  withOffer,
  OWN.map(({ group, rows }) => ({ group, rows: marked(rows) })),
);

/** @type {(groups: OptionGroup[], offer: OfferedOptions) => OptionGroup[]} */
function withOffer(groups, { group, after, isExperimental, load }) {
  const added = marked(load(), isExperimental);
  const isNew = groups.every((one) => one.group !== group);
  if (isNew) return withAfter(groups, [{ group, rows: added }], (one) => one.group === after);
  return groups.map((one) =>
    one.group === group ? { group, rows: withAfter(one.rows, added, ({ name }) => name === after) } : one,
  );
}

/** @type {<T>(list: T[], added: T[], precedes: (item: T) => boolean) => T[]} */
function withAfter(list, added, precedes) {
  const at = list.findIndex(precedes);
  return list.toSpliced(at < 0 ? list.length : at + 1, 0, ...added);
}

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

/** Reports whether the run has a target of its own. @type {(options: Record<string, any>) => boolean} */
export function bringsTarget(options) {
  return RUN_OPTIONS.some((row) => row.bringsTarget && options[row.name] !== undefined);
}

/** Options that end a run: at least one is required. */
export const ENDS = ['iterations', 'duration', 'forever', 'precision', 'stages', 'maxRequests', 'maxRequestsPerUser'];
