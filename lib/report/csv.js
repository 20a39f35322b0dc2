import { escapeText } from './escape.js';
import { maskText } from '../mask.js';

/**
 * @import { HistogramSummary } from '../measure/histogram.js'
 * @import { Reporter } from './types.js'
 */

const FIGURES = /** @type {const} */ (['min', 'mean', 'stddev', 'median', 'p75', 'p90', 'p95', 'p99', 'p999', 'max']);

/** @type {Reporter} */
export default {
  name: 'csv',
  about: 'a line for the iterations and one for each operation (RFC 4180)',
  extension: '.csv',

  render({ main, iterations, errors, operations, measuredElapsed }) {
    const perSecond = (/** @type {number} */ count) => (measuredElapsed > 0 ? (count * 1000) / measuredElapsed : 0);
    const figures = (/** @type {HistogramSummary} */ summary) => FIGURES.map((name) => summary[name]);
    const rows = [
      ['phase', 'name', 'count', 'errors', 'per second', ...FIGURES],
      [
        'main',
        'iterations',
        iterations.started,
        errors.count,
        perSecond(iterations.completed + iterations.failed),
        ...figures(main.histogram),
      ],
      ...operations.map(({ name, phase, count, errors: failed, serviceTime }) => [
        phase,
        name,
        count,
        failed,
        perSecond(count),
        ...figures(serviceTime),
      ]),
    ];
    return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
  },
};

/** A text that a spreadsheet would take for a formula gets an apostrophe. @type {(value: string | number | null) => string} */
function cell(value) {
  if (value === null) return '';
  if (typeof value === 'number') return String(Math.round(value * 1e6) / 1e6);
  const text = escapeText(maskText(value)).replace(/^[=+\-@\\]/, "'$&");
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
