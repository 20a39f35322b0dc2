import { MIN_RUNS } from './comparison-method.js';
import { slotWidth } from './hdr-counts.js';
import { inflationOf, intervalOf, pValueOf, pairedT, varianceOf, welch } from './statistics.js';

/**
 * @import { Method } from './comparison-method.js'
 * @import { Deviation } from './noise.js'
 * @import { Estimate } from './statistics.js'
 *
 * @typedef {object} ComparedFigure
 * @property {string} figure
 * @property {string} unit
 * @property {number | null} base geometric mean of the runs
 * @property {number | null} other
 * @property {number | null} change as a share: 0.1 is 10 % more
 * @property {number | null} low bounds of the confidence interval of the change
 * @property {number | null} high
 * @property {number | null} p the probability of such a change, if there is none
 * @property {'better' | 'worse' | 'noise' | 'unknown'} verdict `noise`: not significant; `unknown`: cannot tell
 *
 * @typedef {[base: (number | null)[], other: (number | null)[]]} SideValues
 * @typedef {{ method: Method, noise?: Deviation }} Test noise: for the method `noise`
 */

/** The level of the test of one figure. Another half is for those beside it, so that a comparison stays below 5 % (discoveries.js). */
export const LEVEL = 0.04;

/**
 * Compares a figure of two sides by the logarithms of its values.
 *
 * @param {{ figure: string, unit: string, isMoreBetter?: boolean }} row
 * @param {SideValues} sides a value per run, in the order of time, or of the pairs
 * @param {Test} test
 * @returns {ComparedFigure}
 */
export function comparedFigure({ figure, unit, isMoreBetter = false }, sides, test) {
  const [base, other] = sides.map(geometricMean);
  const change = base === null || other === null ? null : other / base - 1;
  const compared = { figure, unit, base, other, change };
  const estimate = base === null || other === null ? null : estimateOf(sides, test, slotOf(unit, [base, other]));
  if (estimate === null) return { ...compared, low: null, high: null, p: null, verdict: 'unknown' };
  const { low, high } = intervalOf(estimate, LEVEL);
  const p = pValueOf(estimate);
  const isBetter = estimate.difference > 0 === isMoreBetter;
  return {
    ...compared,
    low: Math.exp(low) - 1,
    high: Math.exp(high) - 1,
    p,
    verdict: p > LEVEL ? 'noise' : isBetter ? 'better' : 'worse',
  };
}

/** @type {(sides: SideValues, test: Test, slot: number) => Estimate | null} */
function estimateOf(sides, { method, noise }, slot) {
  const [one, two] = (method === 'pairs' ? completePairs(sides) : sides).map(logarithms);
  if (method === 'noise') return noise === undefined ? null : byNoise([one, two], noise, slot);
  if (method === 'none' || Math.min(one.length, two.length) < MIN_RUNS) return null;
  if (method === 'pairs') return pairedT(one, two, { slot });
  return welch(one, two, { slot, inflation: method === 'sequence' ? inflationOf(one, two) : 1 });
}

/**
 * The difference of two sides whose runs differ by chance as others did. The runs of a side may share what they differ by, as the machine
 * of the day, so several have no smaller error than one; but a larger one, if they differ more than they should.
 *
 * @type {(sides: number[][], noise: Deviation, slot: number) => Estimate}
 */
function byNoise(sides, { deviation, df }, slot) {
  const [base, other] = sides.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const own = sides.map((values) => (values.length > 1 ? Math.sqrt(varianceOf(values)) : 0));
  return { difference: other - base, error: Math.max(Math.SQRT2 * Math.max(deviation, ...own), slot), df };
}

/** The width of the histogram's slot at the values, as a share of them; rates are known no better. @type {(unit: string, values: number[]) => number} */
function slotOf(unit, values) {
  const us = unit === 'ms' ? Math.max(1, Math.round(Math.min(...values) * 1000)) : RATE_AS_US;
  return slotWidth(us) / us;
}

/** a time whose slot is a thousandth of it */
const RATE_AS_US = 2048;

/** @type {(sides: SideValues) => SideValues} */
function completePairs([base, other]) {
  const isComplete = (/** @type {unknown} */ _, /** @type {number} */ i) => (base[i] ?? 0) > 0 && (other[i] ?? 0) > 0;
  return [base.filter(isComplete), other.filter(isComplete)];
}

/** @type {(values: (number | null)[]) => number | null} */
function geometricMean(values) {
  const logs = logarithms(values);
  return logs.length === 0 ? null : Math.exp(logs.reduce((sum, value) => sum + value, 0) / logs.length);
}

/** Of those that are measured. @type {(values: (number | null)[]) => number[]} */
function logarithms(values) {
  return values.flatMap((value) => (value !== null && value > 0 ? [Math.log(value)] : []));
}
