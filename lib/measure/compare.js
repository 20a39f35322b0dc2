import { HdrCounts } from './hdr-counts.js';
import { pairedT, welch } from './statistics.js';

/**
 * @import { Stats } from './types.js'
 *
 * @typedef {object} ComparedFigure
 * @property {string} figure
 * @property {string} unit
 * @property {number | null} base of several runs the geometric mean
 * @property {number | null} other
 * @property {number | null} change a share: 0.1 is a tenth more
 * @property {number | null} low the change lies between these
 * @property {number | null} high
 * @property {'better' | 'worse' | 'noise' | 'unknown'} verdict `noise`: no more than chance; `unknown`: too little is known
 *
 * @typedef {object} Comparison
 * @property {'pairs' | 'runs' | 'blocks' | 'none'} method
 * @property {ComparedFigure[]} figures
 */

const FEWEST_RUNS = 3;
const BLOCKS = 5;
const FEWEST_SECONDS = 60;

/** What is compared, and in which direction it is good. */
const FIGURES =
  /** @type {{ figure: string, unit: string, isMoreBetter?: boolean, of: (stats: Stats) => number | null, percentile?: number }[]} */ ([
    {
      figure: 'iterations a second',
      unit: '/s',
      isMoreBetter: true,
      of: ({ main, measuredElapsed }) => (measuredElapsed > 0 ? (main.histogram.count * 1000) / measuredElapsed : null),
    },
    { figure: 'mean', unit: 'ms', of: ({ main }) => main.histogram.mean },
    { figure: 'p50', unit: 'ms', of: ({ main }) => main.histogram.median, percentile: 50 },
    { figure: 'p90', unit: 'ms', of: ({ main }) => main.histogram.p90, percentile: 90 },
    { figure: 'p95', unit: 'ms', of: ({ main }) => main.histogram.p95, percentile: 95 },
    { figure: 'p99', unit: 'ms', of: ({ main }) => main.histogram.p99, percentile: 99 },
  ]);

export const COMPARED = ['rate', ...FIGURES.slice(1).map(({ figure }) => figure)];

/**
 * Two sides, figure by figure, and whether a change is more than noise. Requests of a run are not independent, so their number
 * never counts. Three runs a side or more: one value a run, Welch's t test of their logarithms, or of the pairs. One run a
 * side, of a minute or more: it is cut into five blocks, long enough that one hardly knows of the next (batch means, Law and
 * Kelton), and the same test is made of the blocks. A bootstrap of blocks was tried and gave two to four times the false
 * alarms it promised.
 *
 * @param {Stats[]} bases
 * @param {Stats[]} others
 * @param {{ isPaired?: boolean }} [options] run i of one side was next to run i of the other
 * @returns {Comparison}
 */
export function compareStats(bases, others, { isPaired = false } = {}) {
  const areRuns = Math.min(bases.length, others.length) >= FEWEST_RUNS;
  const method = areRuns
    ? isPaired && bases.length === others.length
      ? 'pairs'
      : 'runs'
    : [bases, others].every((side) => side.length === 1 && isLong(side[0]))
      ? 'blocks'
      : 'none';
  const figures = FIGURES.map((row) => {
    const values = (/** @type {Stats[]} */ side) =>
      (method === 'blocks' ? blockValues(side[0], row) : side.map(row.of)).filter(
        (value) => value !== null && value > 0,
      );
    const [base, other] = [bases, others].map((side) => geometricMean(side.map(row.of)));
    const samples = /** @type {[number[], number[]]} */ (
      [values(bases), values(others)].map((side) => side.map((value) => Math.log(/** @type {number} */ (value))))
    );
    return {
      figure: row.figure,
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
  if (change === null || method === 'none' || one.length < FEWEST_RUNS || two.length < FEWEST_RUNS)
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
  return (points.length - 1) * interval >= FEWEST_SECONDS * 1000 && points.length > 2 * BLOCKS;
}

/** The figure of each of five blocks of seconds; the last second is not a whole one. @type {(stats: Stats, row: typeof FIGURES[0]) => (number | null)[]} */
function blockValues({ series: { points, interval }, histograms }, { percentile, figure }) {
  const length = Math.floor((points.length - 1) / BLOCKS);
  return Array.from({ length: BLOCKS }, (_, block) => {
    const from = block * length;
    const count = points.slice(from, from + length).reduce((sum, point) => sum + point.count, 0);
    if (figure === FIGURES[0].figure) return (count * 1000) / (length * interval);
    const counts = new HdrCounts();
    for (let i = from; i < from + length; i++) counts.addBytes(Buffer.from(histograms?.series[i] ?? '', 'base64'));
    if (count === 0) return null;
    if (percentile !== undefined) return counts.valuesAt([percentile], count)[0] / 1000;
    let sum = 0;
    counts.forEach((us, times) => (sum += us * times));
    return sum / count / 1000;
  });
}
