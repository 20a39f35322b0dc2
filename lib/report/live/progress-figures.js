import { count, ms, rate } from '../numbers.js';

/** @import { Progress } from '../types.js' */

/**
 * The figures of a progress display, as text. Percentiles are those of the last complete interval.
 *
 * @param {Progress} progress
 * @returns {Record<string, string>}
 */
export function progressFigures({ stats, percent, concurrent, ips }) {
  const last = stats.series.points.at(-1);
  return {
    percent: String(percent),
    concurrent: count(concurrent),
    ips: count(ips),
    rps: rate(stats.requests.rate),
    p50: ms(last?.p50 ?? null),
    p99: ms(last?.p99 ?? null),
    errors: count(stats.errors.count),
  };
}
