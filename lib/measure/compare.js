import { perSecond } from '../units.js';
import { HdrCounts } from './hdr-counts.js';
import { PERCENTILES } from './histogram-columns.js';
import { pairedT, welch } from './statistics.js';

/**
 * @import { Stats } from './types.js'
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
 * @typedef {object} Comparison
 * @property {'pairs' | 'runs' | 'blocks' | 'none'} method
 * @property {ComparedFigure[]} figures
 */

const MIN_RUNS = 3;
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
 * @returns {Comparison}
 */
export function compareStats(bases, others, { isPaired = false } = {}) {
  const areRuns = Math.min(bases.length, others.length) >= MIN_RUNS;
  const method = areRuns
    ? isPaired && bases.length === others.length
      ? 'pairs'
      : 'runs'
    : [bases, others].every((side) => side.length === 1 && isLong(side[0]))
      ? 'blocks'
      : 'none';
  const figures = ROWS.map((row) => {
    const values = (/** @type {Stats[]} */ side) =>
      (method === 'blocks' ? blockValues(side[0], row) : side.map(row.of)).filter(
        (value) => value !== null && value > 0,
      );
    const [base, other] = [bases, others].map((side) => geometricMean(side.map(row.of)));
    const samples = /** @type {[number[], number[]]} */ (
      [values(bases), values(others)].map((side) => side.map((value) => Math.log(/** @type {number} */ (value))))
    );
    return {
      figure: row.label,
      unit: row.unit,
      base,
      other,
      ...changeOf(base, other, samples, method, row.isMoreBetter ?? false),
    };
  });
  return { method, figures };
}

/** @type {(base: number | null, other: number | null, samples: [number[], number[]], method: Comparison['method'], isMoreBetter: boolean) => Pick<ComparedFigure, 'change' | 'low' | 'high' | 'verdict'>} */
function changeOf(base, other, samples, method, isMoreBetter) {
  const change = base === null || other === null || base === 0 ? null : other / base - 1;
  const [one, two] = samples;
  if (change === null || method === 'none' || one.length < MIN_RUNS || two.length < MIN_RUNS)
    return { change, low: null, high: null, verdict: 'unknown' };
  const { low, high } = method === 'pairs' && one.length === two.length ? pairedT(one, two) : welch(one, two);
  const isNoise = low <= 0 && high >= 0;
  const isBetter = low > 0 === isMoreBetter;
  return {
    change,
    low: Math.exp(low) - 1,
    high: Math.exp(high) - 1,
    verdict: isNoise ? 'noise' : isBetter ? 'better' : 'worse',
  };
}

/** @type {(values: (number | null)[]) => number | null} */
function geometricMean(values) {
  const known = values.filter((value) => value !== null && value > 0);
  return known.length === 0
    ? null
    : Math.exp(
        known.reduce((/** @type {number} */ sum, value) => sum + Math.log(/** @type {number} */ (value)), 0) /
          known.length,
      );
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
