import { perSecond } from '../units.js';
import { deriveFigures } from './figures.js';
import { Histogram } from './histogram.js';
import { spreadsOf } from './series.js';
import { thresholdsOf } from './thresholds.js';

/** @import { Stats } from './types.js' */

/** The verdicts that alpha versions wrote, by what they are called now. */
const EARLIER_WORDS = new Map([
  ['valid', 'sound'],
  ['suspect', 'doubtful'],
  ['invalid', 'void'],
]);

/**
 * A saved result with the current words of the verdict.
 *
 * @template {{ verdict?: { status?: unknown } }} S
 * @param {S} stats
 * @returns {S}
 */
export function withCurrentWords(stats) {
  const word = EARLIER_WORDS.get(/** @type {string} */ (stats.verdict?.status));
  return word === undefined ? stats : { ...stats, verdict: { ...stats.verdict, status: word } };
}

/**
 * Adds derived figures that the version which saved a result did not compute.
 *
 * @template {Stats} S
 * @param {S} stats
 * @returns {S}
 */
export function completeStats(stats) {
  const { series, measuredElapsed } = stats;
  const points = series.points.map((point, i) => {
    const isLast = i === series.points.length - 1;
    const length = isLast ? Math.min(series.interval, measuredElapsed - point.at) : series.interval;
    return { rate: perSecond(point.count, length), errorRate: perSecond(point.errors, length), ...point };
  });
  const complete = {
    ...stats,
    iterations: { ...stats.iterations },
    ...failuresOf(stats),
    requests: { ...stats.requests },
    operations: stats.operations.map((one) => ({ rate: perSecond(one.count, measuredElapsed), ...one })),
    series: { ...series, points, ...spreadsOf(points) },
    errors: { ...stats.errors },
    client: { ...stats.client },
  };
  deriveFigures(complete, thresholdsOf(stats));
  return complete;
}

/** The times of failed iterations, which were once those of all without those of the completed ones. @type {(stats: Stats) => Pick<Stats, 'main' | 'histograms'>} */
function failuresOf({ main, histograms }) {
  const none = new Histogram();
  if (main.failed) return { main, histograms };
  const failed = histograms
    ? Histogram.decode(main.histogram, histograms.main).without(Histogram.decode(main.ok, histograms.ok))
    : none;
  return {
    main: { ...main, failed: failed.toJSON(), cancelled: none.toJSON() },
    ...(histograms && { histograms: { ...histograms, failed: failed.encoded(), cancelled: null } }),
  };
}
