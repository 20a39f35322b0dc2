import { valuesNeeded } from '../quantile.js';
import { comparedFigure } from './change.js';
import { COMPARED_FIGURES } from './compared-figures.js';
import { comparedOperations } from './compared-operations.js';
import { methodOf } from './comparison-method.js';
import { withDiscoveries } from './discoveries.js';
import { inTime } from './run-order.js';

/**
 * @import { ComparedFigure } from './change.js'
 * @import { ComparedOperation } from './compared-operations.js'
 * @import { Method } from './comparison-method.js'
 * @import { Noise } from './noise.js'
 * @import { Timed } from './run-order.js'
 * @import { Stats } from './types.js'
 *
 * @typedef {object} Totals of all runs of a side
 * @property {number} runs
 * @property {number} started iterations
 * @property {number} failed iterations
 * @property {number | null} failedShare of the started ones
 * @property {number} errors
 *
 * @typedef {object} Conclusion what a comparison amounts to
 * @property {string} figure that decides: p95, or p50 if too few values support it
 * @property {ComparedFigure['verdict']} verdict
 * @property {number | null} factor how many times as long the slower side takes; null if all of a side failed, or nothing was measured
 * @property {number | null} margin half the width of the confidence interval of the factor
 * @property {boolean} isSlower the other side is the slower one
 *
 * @typedef {object} ComparedStats
 * @property {Method} method
 * @property {string | null} why it cannot tell noise from change; null if it can
 * @property {number} tests how many figures were tested
 * @property {ComparedFigure[]} figures
 * @property {ComparedOperation[]} operations
 * @property {{ base: Totals, other: Totals }} totals
 * @property {Conclusion} conclusion
 */

/**
 * Compares two sides, figure by figure, and decides whether each change is more than noise. The requests of a run are not independent, so
 * their number never counts: a run gives one value. What differs between runs, such as the layout of memory, the neighbours and the
 * temperature of a machine, cannot be seen within one; so single runs are tested only if the user knows how much runs differ.
 *
 * The table of methods is in comparison-method.js, the tests in statistics.js, the correction for many figures in discoveries.js, and a
 * simulation that measures false alarms and power in bench/alarms.js.
 *
 * @param {(Stats & Timed)[]} bases
 * @param {(Stats & Timed)[]} others
 * @param {{ isPaired?: boolean, noise?: Noise }} [options] isPaired: run i of one side ran next to run i of the other
 * @returns {ComparedStats}
 */
export function compareStats(bases, others, { isPaired = false, noise = new Map() } = {}) {
  const { method, why } = methodOf(bases, others, { isPaired, hasNoise: noise.size > 0 });
  const sides = method === 'pairs' ? [bases, others] : [bases, others].map(inTime);
  const figures = COMPARED_FIGURES.map((row) => {
    const [base, other] = sides.map((side) => side.map(row.of));
    return comparedFigure(row, [base, other], { method, noise: noise.get(row.name) });
  });
  const operations = comparedOperations(sides[0], sides[1], { method });
  const totals = { base: totalsOf(bases), other: totalsOf(others) };
  const deciding = [...bases, ...others].every(({ main }) => main.ok.count >= valuesNeeded(0.95)) ? 'p95' : 'p50';
  const corrected = withDiscoveries({ figures, operations }, deciding);
  return { method, why, ...corrected, totals, conclusion: conclusionOf(corrected.figures, deciding, totals) };
}

/** @type {(runs: Stats[]) => Totals} */
function totalsOf(runs) {
  const sum = (/** @type {(stats: Stats) => number} */ of) => runs.reduce((all, stats) => all + of(stats), 0);
  const started = sum(({ iterations }) => iterations.started);
  const failed = sum(({ iterations }) => iterations.failed);
  return {
    runs: runs.length,
    started,
    failed,
    failedShare: started > 0 ? failed / started : null,
    errors: sum(({ errors }) => errors.count),
  };
}

/** @type {(figures: ComparedFigure[], label: string, totals: { base: Totals, other: Totals }) => Conclusion} */
function conclusionOf(figures, label, { base, other }) {
  const { change, low, high, verdict } = /** @type {ComparedFigure} */ (figures.find(({ figure }) => figure === label));
  if (change === null || [base, other].some(({ failedShare }) => failedShare === 1))
    return { figure: label, verdict: 'unknown', factor: null, margin: null, isSlower: false };
  const isSlower = change > 0;
  const factorOf = (/** @type {number} */ share) => (isSlower ? 1 + share : 1 / (1 + share));
  return {
    figure: label,
    verdict,
    factor: factorOf(change),
    margin: low === null || high === null ? null : Math.abs(factorOf(high) - factorOf(low)) / 2,
    isSlower,
  };
}
