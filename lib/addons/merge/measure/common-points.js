/** @import { Point } from '../../../core/measure/point-maker.js' */

/** A sum has points that are at most this many times as long as the longest ones of its parts. */
const MOST_TIMES = 10;

/**
 * Returns the interval of the sum of series, ms: a multiple of each of theirs, as counts of an interval cannot be
 * divided; if none is short enough, the longest of them.
 * @type {(all: { series: { interval: number } }[]) => number}
 */
export function commonInterval(all) {
  const intervals = all.map(({ series }) => series.interval);
  const longest = Math.max(...intervals);
  const multiples = Array.from({ length: MOST_TIMES }, (_, i) => (i + 1) * longest);
  return multiples.find((one) => intervals.every((interval) => one % interval === 0)) ?? longest;
}

/**
 * Moves points by `offset`, ms, for a sum: by whole intervals.
 * @type {(points: Point[], offset: number, interval: number) => Point[]}
 */
export function shifted(points, offset, interval) {
  const ms = Math.round(offset / interval) * interval;
  return ms === 0 ? points : points.map((point) => ({ ...point, from: point.from + ms, to: point.to + ms }));
}
