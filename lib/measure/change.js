import { pairedT, welch } from './statistics.js';

/**
 * @typedef {'pairs' | 'runs' | 'blocks' | 'none'} Method of the significance test
 *
 * @typedef {object} ComparedFigure
 * @property {string} figure
 * @property {string} unit
 * @property {number | null} base geometric mean of the runs
 * @property {number | null} other
 * @property {number | null} change as a share: 0.1 is 10 % more
 * @property {number | null} low bounds of the confidence interval of the change
 * @property {number | null} high
 * @property {'better' | 'worse' | 'noise' | 'unknown'} verdict `noise`: not significant; `unknown`: too few data
 *
 * @typedef {[base: (number | null)[], other: (number | null)[]]} SideValues
 */

/** Values of each side that a test needs. */
export const MIN_RUNS = 3;

/**
 * Compares a figure of two sides by the logarithms of its values.
 *
 * @param {{ figure: string, unit: string, isMoreBetter?: boolean }} row
 * @param {SideValues} sides a value per run
 * @param {Method} method
 * @param {SideValues} [samples] what the test compares, if not the values of the runs
 * @returns {ComparedFigure}
 */
export function comparedFigure({ figure, unit, isMoreBetter = false }, sides, method, samples = sides) {
  const [base, other] = sides.map(geometricMean);
  const change = base === null || other === null ? null : other / base - 1;
  const compared = { figure, unit, base, other, change };
  const [one, two] = samples.map((values) => positive(values).map(Math.log));
  if (change === null || method === 'none' || Math.min(one.length, two.length) < MIN_RUNS)
    return { ...compared, low: null, high: null, verdict: 'unknown' };
  const { low, high } = method === 'pairs' && one.length === two.length ? pairedT(one, two) : welch(one, two);
  const isNoise = low <= 0 && high >= 0;
  const isBetter = low > 0 === isMoreBetter;
  return {
    ...compared,
    low: Math.exp(low) - 1,
    high: Math.exp(high) - 1,
    verdict: isNoise ? 'noise' : isBetter ? 'better' : 'worse',
  };
}

/** @type {(values: (number | null)[]) => number | null} */
function geometricMean(values) {
  const known = positive(values);
  return known.length === 0 ? null : Math.exp(known.reduce((sum, value) => sum + Math.log(value), 0) / known.length);
}

/** @type {(values: (number | null)[]) => number[]} */
function positive(values) {
  return values.flatMap((value) => (value !== null && value > 0 ? [value] : []));
}
