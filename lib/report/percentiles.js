import { quantileRank } from '../quantile.js';

/** @import { PercentileDistribution } from './types.js' */

/**
 * The point of a percentile distribution at which a share of the values is reached.
 *
 * @param {PercentileDistribution} points
 * @param {number} share 0 to 1
 * @returns {{ ms: number, upTo: number } | null} null if the distribution is empty
 */
export function pointAt(points, share) {
  const total = points.at(-1)?.upTo ?? 0;
  const rank = quantileRank(share, total);
  return points.find(({ upTo }) => upTo >= rank) ?? points.at(-1) ?? null;
}
