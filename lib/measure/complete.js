import { perSecond } from '../units.js';
import { deriveFigures } from './figures.js';
import { spreadsOf } from './series.js';
import { thresholdsOf } from './thresholds.js';

/** @import { Stats } from './types.js' */

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
    requests: { ...stats.requests },
    operations: stats.operations.map((one) => ({ rate: perSecond(one.count, measuredElapsed), ...one })),
    series: { ...series, points, ...spreadsOf(points) },
    errors: { ...stats.errors },
    client: { ...stats.client },
  };
  deriveFigures(complete, thresholdsOf(stats));
  return complete;
}
