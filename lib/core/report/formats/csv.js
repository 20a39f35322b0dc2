import { PERCENTILES } from '../../measure/percentiles.js';
import { partsOf } from '../../measure/transactions.js';
import { metricRows } from '../../measure/user-metrics.js';
import { csvText } from '../../text/safe.js';
import { boundNotes, checkRows } from '../rows.js';
import { streamRows, streamsOf } from '../../../addons/streams/report/streams.js';

/** @import { HistogramSummary } from '../../contracts/summaries.js' */
/** @import { Render } from '../types.js' */

const TIMES = /** @type {const} */ (['min', 'mean', 'stddev', ...PERCENTILES.map(({ key }) => key), 'max']);
/** The columns; those of times are in ms. */
export const CSV_COLUMNS = ['type', 'name', 'count', 'errors', 'rate', ...TIMES.map((name) => `${name}_ms`)];

/** Writes a row for everything that a result lists: iterations, operations, streams, checks, metrics. @type {Render} */
export function render(result) {
  const { main, iterations, errors } = result;
  const times = (/** @type {HistogramSummary | null} */ summary) => TIMES.map((name) => summary?.[name] ?? null);
  const rows = [
    CSV_COLUMNS,
    ['main', 'iterations', iterations.started, errors.count, iterations.completedRate, ...times(main.completed)],
    ...partsOf(result).map(({ kind, name, summary, time }) => [
      kind,
      name,
      summary.count,
      summary.errors,
      summary.rate ?? null,
      ...times(time),
    ]),
    ...streamsOf(result).map(({ name, stream: { events, eventRate } }) => [
      'stream',
      `${name} events`,
      events,
      null,
      eventRate ?? null,
      ...times(null),
    ]),
    ...streamRows(result).map(({ operation, key, summary }) => [
      'stream',
      `${operation} ${key}`,
      summary.count,
      null,
      null,
      ...times(summary),
    ]),
    ...checkRows(result).map(({ name, total, failures }) => ['check', name, total, failures, null, ...times(null)]),
    ...metricRows(result).map(({ kind, name, count, rate, values }) => [
      kind,
      name,
      count,
      null,
      rate,
      ...times(values),
    ]),
  ];
  rows.push(...boundNotes(result).map((text) => ['note', text, null, null, null, ...times(null)]));
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** @type {(value: string | number | null) => string} */
function cell(value) {
  if (value === null) return '';
  return typeof value === 'number' ? String(Math.round(value * 1e6) / 1e6) : csvText(value);
}
