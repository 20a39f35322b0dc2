import { nearest } from '../problems.js';
import { maskText } from '../text/mask.js';
import { shareOf } from './checks.js';

/**
 * @import { Stats } from './types.js'
 *
 * @typedef {object} KnownCheck
 * @property {string} name
 * @property {string} operation
 * @property {string} [scenario]
 */

/** The figure of checks in a threshold: `checks>99%`, `checks.status 201>99%`, `GET /items checks==100%`. */
export const CHECKS = 'checks';
/** perhaps after the name of an operation */
const OF_CHECK = /^(?:(.*\S)\s+)?checks\.(.+)$/;

/**
 * Splits what a threshold compares: a name of a check may contain spaces.
 *
 * @param {string} left
 * @returns {{ check: string | null, metric: string, metricAt: number }} metricAt: where the metric begins
 */
export function splitCheck(left) {
  const [, operation = '', name] = OF_CHECK.exec(left) ?? [];
  if (name !== undefined)
    return { check: maskText(name), metric: CHECKS, metricAt: left.indexOf(CHECKS, operation.length) };
  const metric = left.split(/\s/).at(-1) ?? '';
  return { check: null, metric, metricAt: left.length - metric.length };
}

/**
 * Explains why a threshold names no check.
 *
 * @param {string | null} check
 * @param {string | null} part name of an operation or a scenario
 * @param {KnownCheck[]} checks of the flow
 * @returns {string | undefined} undefined if it names one
 */
export function noCheck(check, part, checks) {
  const own = checks.filter((one) => isOf(one, part));
  const names = [...new Set(own.map(({ name }) => name))];
  const of = part === null ? 'the flow' : JSON.stringify(part);
  if (names.length === 0) return `${of} has no checks: add expect to an operation`;
  if (check === null || names.includes(check)) return undefined;
  const near = nearest(check, names);
  const cure = near ? `, did you mean checks.${near}?` : `: there are ${names.join(', ')}`;
  return `no check is called ${JSON.stringify(check)}${cure}`;
}

/**
 * The share of the evaluations that passed.
 *
 * @param {string | null} check its name; null: all
 * @param {string | null} part name of an operation or a scenario; null: all
 * @param {Pick<Stats, 'checks'>} stats
 * @returns {number | null} null if nothing was checked
 */
export function shareOfChecks(check, part, { checks }) {
  const each = (checks?.each ?? []).filter((one) => (check === null || one.name === check) && isOf(one, part));
  const sum = (/** @type {'passes' | 'failures'} */ key) => each.reduce((total, one) => total + one[key], 0);
  return shareOf(sum('passes'), sum('failures'));
}

/** @type {(check: KnownCheck, part: string | null) => boolean} */
function isOf({ operation, scenario }, part) {
  return part === null || operation === part || scenario === part;
}
