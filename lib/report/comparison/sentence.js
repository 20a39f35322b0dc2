import { decimal } from '../../decimal.js';
import { interval, percent, signed } from '../numbers.js';
import { cannotTell } from './methods.js';

/**
 * @import { ComparedFigure } from '../../measure/change.js'
 * @import { ComparedStats } from '../../measure/compare.js'
 */

const MAX_DIGITS = 4;

/**
 * The conclusion of a comparison: `B is 1.33 ± 0.05 times faster (p95)`.
 *
 * @param {ComparedStats} comparison
 * @returns {string} one sentence without a full stop
 */
export function sentenceOf(comparison) {
  if (comparison.conclusion.factor === null) return `Nothing to compare: ${obstacleOf(comparison)}`;
  return `${conclusionText(comparison, comparison.conclusion.factor)}${exceptionsText(comparison)}${failuresText(comparison)}`;
}

/** @type {(comparison: ComparedStats) => string} */
function obstacleOf({ totals: { base, other } }) {
  const failed = [base, other].map(({ failedShare }) => failedShare === 1);
  if (failed[0] && failed[1]) return 'all iterations of both sides failed';
  if (failed[0] || failed[1]) return `all iterations of ${failed[0] ? 'A' : 'B'} failed`;
  return 'a side has no measured iterations';
}

/** @type {(comparison: ComparedStats, factor: number) => string} */
function conclusionText({ conclusion: { figure, verdict, margin, isSlower }, figures, why }, factor) {
  const { low = null, high = null, change = null } = figures.find((one) => one.figure === figure) ?? {};
  if (verdict === 'noise') return `No significant difference (${figure}: ${interval(low, high)})`;
  if (verdict === 'unknown' || margin === null)
    return `${cannotTell(why ?? `too few runs have a ${figure}`)} (${figure}: ${signed(change)})`;
  return `B is ${factorText(factor, margin)} times ${isSlower ? 'slower' : 'faster'} (${figure})`;
}

/** Other figures that changed, if not in the same direction: `, but p99 is worse`. @type {(comparison: ComparedStats) => string} */
function exceptionsText({ conclusion: { verdict }, figures }) {
  const parts = /** @type {const} */ (['better', 'worse']).flatMap((direction) => {
    const names = figures.filter((one) => one.verdict === direction && direction !== verdict).map(nameOf);
    return names.length > 0 ? [`${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} ${direction}`] : [];
  });
  return parts.length > 0 ? `, but ${parts.join(', ')}` : '';
}

/** @type {(figure: ComparedFigure) => string} */
function nameOf({ figure, unit }) {
  return unit === 'ms' ? figure : 'the rate';
}

/** A side that fails answers faster or slower for it. @type {(comparison: ComparedStats) => string} */
function failuresText({ totals: { base, other } }) {
  if (base.failed === 0 && other.failed === 0) return '';
  return `; iterations failed: A ${percent(base.failedShare ?? 0)}, B ${percent(other.failedShare ?? 0)}`;
}

/** With as many digits as show its distance from 1, and its margin. @type {(factor: number, margin: number) => string} */
function factorText(factor, margin) {
  const usual = factor < 10 ? 2 : factor < 100 ? 1 : 0;
  const smallest = Math.min(factor - 1, margin || Infinity);
  const digits = smallest > 0 ? Math.min(MAX_DIGITS, Math.max(usual, Math.ceil(-Math.log10(smallest)))) : usual;
  return `${decimal(factor, digits)} ± ${decimal(margin, digits)}`;
}
