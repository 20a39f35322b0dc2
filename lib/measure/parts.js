import { TRANSACTIONS } from './transactions.js';

/**
 * @import { HistogramSummary } from './histogram.js'
 * @import { OperationSummary } from './operations.js'
 * @import { TransactionSummary } from './transactions.js'
 * @import { Stats } from './types.js'
 *
 * @typedef {object} Part a part of a run that is measured under a name
 * @property {string} name
 * @property {string} kind `scenario`, `group`, or the phase of an operation
 * @property {OperationSummary | TransactionSummary} summary
 * @property {HistogramSummary} time
 * @property {string | null | undefined} encoded the counts of its times
 * @property {string | null | undefined} encodedLeast the same without what the load generator may have added
 */

/**
 * The scenarios, groups and operations of a result. Their names differ, except those of equal operations.
 *
 * @param {Pick<Stats, 'operations' | 'scenarios' | 'groups'> & { histograms?: Stats['histograms'] }} stats
 * @returns {Part[]}
 */
export function partsOf(stats) {
  const { operations, histograms } = stats;
  return [
    ...TRANSACTIONS.flatMap(({ key, name: kind, least }) =>
      (stats[key] ?? []).map((summary, i) => ({
        name: summary.name,
        kind,
        summary,
        time: summary.time,
        encoded: histograms?.[key]?.[i],
        encodedLeast: histograms?.[least]?.[i],
      })),
    ),
    ...operations.map((summary, i) => ({
      name: summary.name,
      kind: summary.phase,
      summary,
      time: summary.ok ?? summary.serviceTime,
      encoded: summary.ok ? histograms?.operationsOk?.[i] : histograms?.operations[i],
      encodedLeast: histograms?.operationsLeast?.[i],
    })),
  ];
}
