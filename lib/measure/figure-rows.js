import { COUNTERS, HISTOGRAMS, OTHERS } from './figures.js';
import { valueAt } from './value-at.js';

/**
 * @import { Stats } from '../contracts/stats.js'
 * @import { HistogramSummary } from '../contracts/summaries.js'
 */

/**
 * The rows of a latency table: what there is to show, with its label.
 * @type {(stats: Stats) => { key: string, label: string, summary: HistogramSummary }[]}
 */
export function latencyRows(stats) {
  return HISTOGRAMS.flatMap(({ key, path, label, isShown }) => {
    const summary = valueAt(stats, path);
    if (!label || !summary || summary.count === 0 || !isShown(stats)) return [];
    return [{ key, label: typeof label === 'string' ? label : label(stats), summary }];
  });
}

/**
 * The labelled counters of a group that are not zero, for a line of a report.
 *
 * @param {Stats} stats
 * @param {string} group
 */
export function counterRows(stats, group) {
  return [...COUNTERS, ...OTHERS].flatMap(({ path, label }) => {
    const value = valueAt(stats, path) ?? 0;
    return path.slice(0, path.lastIndexOf('.')) === group && label && value > 0
      ? [{ label: String(label), value }]
      : [];
  });
}
