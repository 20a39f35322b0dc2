import { count, ms, rate } from '../numbers.js';

/** @import { Progress } from '../types.js' */

/**
 * The figures of a progress display, as text. Percentiles are those of the last interval that is over; at the end, when
 * the line stays on the screen, those of the run.
 *
 * @param {Progress} progress
 * @returns {Record<string, string>}
 */
export function progressFigures({ stats, percent, concurrent, ips }) {
  const isOver = stats.histograms !== undefined;
  const shown = isOver
    ? { p50: stats.main.histogram.median, p99: stats.main.histogram.p99 }
    : stats.series.points.at(-1);
  return {
    percent: String(percent),
    concurrent: count(concurrent),
    ips: count(ips),
    rps: rate(stats.requests.rate),
    p50: ms(shown?.p50 ?? null),
    p99: ms(shown?.p99 ?? null),
    errors: count(stats.errors.count),
  };
}
