import { valuesNeeded } from '../quantile.js';
import { perSecond } from '../units.js';
import { MIN_RUNS, comparedFigure } from './change.js';
import { comparedOperations } from './compared-operations.js';
import { HdrCounts } from './hdr-counts.js';
import { PERCENTILES } from './histogram-columns.js';

/**
 * @import { ComparedFigure, Method } from './change.js'
 * @import { ComparedOperation } from './compared-operations.js'
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
 * @property {ComparedFigure[]} figures
 * @property {ComparedOperation[]} operations
 * @property {{ base: Totals, other: Totals }} totals
 * @property {Conclusion} conclusion
 */

const BLOCKS = 5;
const MIN_SECONDS = 60;
const RATE = 'rate';

/** @typedef {{ figure: string, label: string, unit: string, isMoreBetter?: boolean, of: (stats: Stats) => number | null, percentile?: number }} Row */

/** The compared figures. @type {Row[]} */
const ROWS = [
  {
    figure: RATE,
    label: 'iterations per second',
    unit: '/s',
    isMoreBetter: true,
    of: ({ iterations }) => iterations.rate || null,
  },
  { figure: 'mean', label: 'mean', unit: 'ms', of: ({ main }) => main.histogram.mean },
  ...PERCENTILES.filter(({ percentile }) => [50, 90, 95, 99].includes(percentile)).map(
    ({ key, label, percentile }) =>
      /** @type {Row} */ ({ figure: label, label, unit: 'ms', of: ({ main }) => main.histogram[key], percentile }),
  ),
];

/** Names of the compared figures. */
export const COMPARED = ROWS.map(({ figure }) => figure);

/**
 * Compares two sides, figure by figure, and decides whether each change is more than noise. The requests of a run are not
 * independent, so their number never counts. With three runs per side or more there is one value per run, and Welch's t test
 * of the logarithms, or the t test of the pairs. A single run per side of a minute or more is cut into five blocks, long
 * enough to be nearly independent (batch means, Law and Kelton), and the same test compares the blocks. A bootstrap of the
 * blocks gave two to four times the false alarms it promised.
 *
 * @param {Stats[]} bases
 * @param {Stats[]} others
 * @param {{ isPaired?: boolean }} [options] run i of one side ran next to run i of the other
 * @returns {ComparedStats}
 */
export function compareStats(bases, others, { isPaired = false } = {}) {
  const method = methodOf(bases, others, isPaired);
  const figures = ROWS.map((row) => {
    const [base, other] = [bases, others].map((side) => side.map(row.of));
    const named = { ...row, figure: row.label };
    if (method !== 'blocks') return comparedFigure(named, [base, other], method);
    return comparedFigure(named, [base, other], method, [blockValues(bases[0], row), blockValues(others[0], row)]);
  });
  const totals = { base: totalsOf(bases), other: totalsOf(others) };
  return {
    method,
    figures,
    operations: comparedOperations(bases, others, method),
    totals,
    conclusion: conclusionOf(figures, [...bases, ...others], totals),
  };
}

/** @type {(bases: Stats[], others: Stats[], isPaired: boolean) => Method} */
function methodOf(bases, others, isPaired) {
  if (Math.min(bases.length, others.length) >= MIN_RUNS)
    return isPaired && bases.length === others.length ? 'pairs' : 'runs';
  return [bases, others].every((side) => side.length === 1 && isLong(side[0])) ? 'blocks' : 'none';
}

/** @type {(stats: Stats) => boolean} */
function isLong({ series: { points, interval } }) {
  return (points.length - 1) * interval >= MIN_SECONDS * 1000 && points.length > 2 * BLOCKS;
}

/** A figure of each of five blocks of points; the last point may be shorter and does not count. @type {(stats: Stats, row: Row) => (number | null)[]} */
function blockValues({ series: { points, interval }, histograms }, { percentile, figure }) {
  const length = Math.floor((points.length - 1) / BLOCKS);
  return Array.from({ length: BLOCKS }, (_, block) => {
    const from = block * length;
    const count = points.slice(from, from + length).reduce((sum, point) => sum + point.count, 0);
    if (figure === RATE) return perSecond(count, length * interval);
    const counts = new HdrCounts();
    for (let i = from; i < from + length; i++) counts.addBytes(Buffer.from(histograms?.series[i] ?? '', 'base64'));
    if (count === 0) return null;
    if (percentile !== undefined) return counts.valuesAt([percentile], count)[0] / 1000;
    let sum = 0;
    counts.forEach((us, times) => (sum += us * times));
    return sum / count / 1000;
  });
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

/** @type {(figures: ComparedFigure[], runs: Stats[], totals: { base: Totals, other: Totals }) => Conclusion} */
function conclusionOf(figures, runs, { base, other }) {
  const label = runs.every(({ main }) => main.histogram.count >= valuesNeeded(0.95)) ? 'p95' : 'p50';
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
