import { count, ms, rate } from '../figures.js';

/**
 * @import { Stats } from '../../measure/types.js'
 *
 * @typedef {{ stats: Stats, percent: number, concurrent: number, ips: number }} Progress
 */

/** What a display shows of the moment: percentiles are those of the last second that is over. @type {(progress: Progress) => Record<string, string>} */
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
