import { decimal, grouped } from '../decimal.js';
import { makeError } from '../errors.js';
import { nearest } from '../problems.js';
import { readLimit } from '../units.js';
import { COMPARED } from './compare.js';

/**
 * @import { ComparedStats } from './compare.js'
 *
 * @typedef {{ figure: string, share: number, expression: string }} RegressionLimit
 */

const MOST_DIGITS = 4;

/**
 * Reads a limit of a regression.
 *
 * @param {string} text `p99=10%`, or `10%` for every compared figure
 * @returns {RegressionLimit[]}
 * @throws {Error} E_USAGE
 */
export function readRegressionLimits(text) {
  const [, figure, bound = text] = /^\s*([\w.]+)\s*=\s*(.+)$/.exec(text) ?? [];
  const limit = readLimit(bound.trim());
  if (figure !== undefined && !COMPARED.includes(figure)) {
    const near = nearest(figure, COMPARED);
    throw usage(
      `${JSON.stringify(text)}: unknown figure${near ? `, did you mean ${near}?` : ''}; use one of ${COMPARED.join(' ')}, as in p99=10%`,
    );
  }
  if (limit === null || !('share' in limit))
    throw usage(`${JSON.stringify(text)}: expected a percentage up to 100%, as in p99=10%, or 10% for every figure`);
  const figures = figure === undefined ? COMPARED : [figure];
  return figures.map((one) => ({ figure: one, share: limit.share, expression: `${one}=${bound.trim()}` }));
}

/**
 * Whether a limit is exceeded: the figure is worse by more than allowed, and the change is significant or cannot be tested.
 *
 * @param {Pick<ComparedStats, 'figures'>} comparison
 * @param {RegressionLimit} limit
 * @returns {string | null} what is worse
 */
export function regressionOf({ figures }, { figure, share }) {
  const found = figures.find((row) => row.figure === figure || (figure === 'rate' && row.unit === '/s'));
  if (!found || found.change === null) return `${figure} could not be compared`;
  const worse = found.unit === '/s' ? -found.change : found.change;
  const mayBeWorse = found.verdict === 'worse' || found.verdict === 'unknown';
  return worse > share && mayBeWorse
    ? `${figure} is worse by ${percentAbove(worse, share)} %, more than ${grouped(share * 100)} %`
    : null;
}

/** With as many digits as show that it is above a limit. @type {(share: number, limit: number) => string} */
function percentAbove(share, limit) {
  const [value, least] = [share * 100, limit * 100];
  let digits = 1;
  while (digits < MOST_DIGITS && Number(value.toFixed(digits)) <= least) digits++;
  return decimal(value, digits);
}

/** @type {(comparison: Pick<ComparedStats, 'figures'>, limits: RegressionLimit[]) => string[]} the exceeded limits */
export function regressionsOf(comparison, limits) {
  return limits.flatMap((limit) => regressionOf(comparison, limit) ?? []);
}

/** @type {(problem: string) => Error} */
function usage(problem) {
  return makeError('E_USAGE', { problem: `--max-regression ${problem}` });
}
