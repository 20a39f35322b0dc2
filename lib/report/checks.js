import { count } from './numbers.js';

/**
 * @import { ChecksSummary } from '../measure/checks.js'
 * @import { Result } from './types.js'
 *
 * @typedef {object} CheckRow
 * @property {string} name `GET /items: status 200`, with its scenario in parentheses; different in all rows
 * @property {number} total number of evaluations
 * @property {number} failures
 * @property {string} passed `99.5 %`, or `-` if nothing was checked
 * @property {string} failure the first one, with its iteration; empty without
 */

/**
 * The checks of `expect`, as rows of a table. Places distinguish those that have the same name in the same operation.
 *
 * @param {Pick<Result, 'checks'>} result
 * @returns {CheckRow[]} in the order of the flow
 */
export function checkRows({ checks }) {
  const each = checks?.each ?? [];
  const names = each.map(nameOf);
  /** @type {Set<string>} */
  const seen = new Set();
  const repeated = new Set(names.filter((name) => seen.size === seen.add(name).size));
  return each.map(({ where, passes, failures, share, firstFailure }, i) => ({
    name: repeated.has(names[i]) ? `${names[i]}, ${where}` : names[i],
    total: passes + failures,
    failures,
    passed: passedShare(share),
    failure: firstFailure ? `${firstFailure.message}${placeOf(firstFailure)}` : '',
  }));
}

/** @type {(check: ChecksSummary['each'][0]) => string} */
function nameOf({ operation, scenario, name }) {
  return `${operation === '' ? '' : `${operation}: `}${name}${scenario === undefined ? '' : ` (${scenario})`}`;
}

/**
 * One line about all checks: `1,980 of 2,000 passed (99 %)`.
 *
 * @param {ChecksSummary} checks
 * @returns {string}
 */
export function checksLine({ passes, failures, share }) {
  if (share === null) return 'nothing was checked';
  return `${count(passes)} of ${count(passes + failures)} passed (${passedShare(share)})`;
}

/**
 * The share of the passes as a percentage; 100 % only if all passed.
 *
 * @param {number | null} share
 * @returns {string}
 */
export function passedShare(share) {
  if (share === null) return '-';
  const value = share * 100;
  if (value > 99.9 && value < 100) return '> 99.9 %';
  return `${Number.isInteger(value) ? value : value < 0.1 ? '< 0.1' : value.toFixed(1)} %`;
}

/** @type {(failure: { index: number | null }) => string} */
function placeOf({ index }) {
  return index === null ? '' : ` in iteration ${count(index)}`;
}
