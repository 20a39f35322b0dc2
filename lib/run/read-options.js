import { makeError } from '../errors.js';
import { createProblems } from '../problems.js';
import { RUN_OPTIONS, readOption, refusalOf } from './options.js';

/** @import { RunOptions } from './options.js' */

/**
 * Checked options with their defaults; what the caller says wins over what the flow carries.
 *
 * @param {Record<string, any>} ofFlow
 * @param {Record<string, any> | null | undefined} given
 * @returns {RunOptions}
 * @throws {Error} E_NO_LIMIT, E_RUN_OPTIONS
 */
export function readRunOptions(ofFlow, given) {
  const problems = createProblems('E_RUN_OPTIONS');
  const merged = { ...ofFlow, ...defined(given ?? {}) };
  if (!merged.limit || !ENDS.some((name) => merged[name])) throw makeError('E_NO_LIMIT');
  checkConflicts(merged, problems);
  const names = RUN_OPTIONS.map(({ name }) => name);
  /** @type {Record<string, any>} */
  const options = {};
  for (const row of RUN_OPTIONS) {
    const given = merged[row.name] ?? row.default;
    if (given === undefined) continue;
    const value = readOption(row, given);
    if (row.check(value)) options[row.name] = value;
    else problems.add(`runOptions.${row.name}`, refusalOf(row, given));
  }
  for (const key of Object.keys(merged)) {
    if (!names.includes(/** @type {any} */ (key))) problems.unknown(`runOptions.${key}`, 'option', key, names);
  }
  if (merged.workers === 'auto') options.workers = Math.min(options.workers, options.limit);
  if (options.workers > options.limit)
    problems.add(
      'runOptions.workers',
      `${options.workers} workers need as many lanes, got a limit of ${options.limit}`,
    );
  problems.throwIfAny();
  return /** @type {RunOptions} */ (options);
}

/** What can end a run. */
export const ENDS = ['iterations', 'duration', 'forever', 'stages', 'maxOverallRequests', 'maxConnectionRequests'];

/** Which options do not go together. */
const CONFLICTS = [
  ['stages', 'rate', 'duration', 'rampUp', 'pause', 'expectedInterval'],
  ['rate', 'rampUp', 'pause', 'expectedInterval'],
  ['forever', 'iterations', 'duration', 'stages', 'maxOverallRequests', 'maxConnectionRequests'],
  ['workers', 'trace'],
];

/** @type {(options: Record<string, any>, problems: import('../problems.js').Problems) => void} */
function checkConflicts(options, problems) {
  for (const [one, ...others] of CONFLICTS) {
    const given = options[one] ? others.filter((other) => options[other] !== undefined) : [];
    for (const other of given) problems.add('runOptions', `${one} and ${other} do not go together: give one of them`);
  }
  if (options.maxBacklog !== undefined && !options.rate && !options.stages)
    problems.add('runOptions.maxBacklog', 'nothing waits without a rate: give rate or stages');
}

/** @type {(values: Record<string, any>) => Record<string, any>} */
function defined(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
