import { splitAtComparison, thresholdsOf } from '../measure/thresholds.js';

/** @import { Result } from './types.js' */

/**
 * The thresholds on times of all iterations, as lines of a chart.
 *
 * @param {Result} result
 * @returns {{ label: string, ms: number }[]}
 */
export function thresholdLines(result) {
  return thresholdsOf(result)
    .filter(({ operation, isTime, metric }) => operation === null && isTime && !metric.includes('.'))
    .map(({ expression, bound }) => ({ label: expression, ms: bound }));
}

/**
 * The figures whose thresholds failed, as the thresholds name them: `p95`, `errors`.
 *
 * @param {Pick<Result, 'thresholds'>} result
 * @returns {Set<string>}
 */
export function failedFigures({ thresholds = [] }) {
  const failed = thresholds.filter(({ passed }) => !passed).map(({ expression }) => splitAtComparison(expression));
  // the figure of the whole run may be good
  return new Set(failed.filter(({ over }) => over === undefined).map(({ left }) => left));
}
