import { PERCENTILES } from '../../measure/histogram-columns.js';
import { metricRows } from '../../measure/user-metrics.js';

/**
 * @import { HistogramSummary } from '../../measure/histogram.js'
 * @import { Render } from '../types.js'
 */

const COLUMNS = /** @type {const} */ (['min', 'mean', 'stddev', ...PERCENTILES.map(({ key }) => key), 'max']);

/** @type {Render} */
export function render(result) {
  const { main, iterations, errors, operations } = result;
  const times = (/** @type {HistogramSummary | null} */ summary) => COLUMNS.map((name) => summary?.[name] ?? null);
  const rows = [
    ['phase', 'name', 'count', 'errors', 'per second', ...COLUMNS],
    ['main', 'iterations', iterations.started, errors.count, iterations.rate, ...times(main.histogram)],
    ...operations.map((one) => [
      one.phase,
      one.name,
      one.count,
      one.errors,
      one.rate ?? null,
      ...times(one.serviceTime),
    ]),
    ...metricRows(result).map(({ kind, name, count, rate, values }) => [
      kind,
      name,
      count,
      null,
      rate,
      ...times(values),
    ]),
  ];
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** An apostrophe keeps a spreadsheet from reading text as a formula. @type {(value: string | number | null) => string} */
function cell(value) {
  if (value === null) return '';
  if (typeof value === 'number') return String(Math.round(value * 1e6) / 1e6);
  const text = value.replace(/^[=+\-@\\]/, "'$&");
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
