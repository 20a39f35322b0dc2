import { PERCENTILES } from '../../core/measure/percentiles.js';
import { partsOf } from '../../core/measure/transactions.js';
import { metricRows } from '../../core/measure/user-metrics.js';
import { csvText } from '../../core/text/safe.js';
import { boundNotes, checkRows } from '../../core/report/rows.js';
import { SECTIONS } from '../../core/report/sections.js';

/** @import { DataRecord, Render } from '../../core/report/types.js' */

const TIMES = /** @type {const} */ (['min', 'mean', 'stddev', ...PERCENTILES.map(({ key }) => key), 'max']);
/** The columns; those of times are in ms. */
export const CSV_COLUMNS = ['type', 'name', 'count', 'errors', 'rate', ...TIMES.map((name) => `${name}_ms`)];

/** Writes a row for everything that a result lists: iterations, operations, streams, checks, metrics. @type {Render} */
export function render(result) {
  const { main, iterations, errors } = result;
  /** @type {DataRecord[]} */
  const records = [
    {
      ...{ kind: 'main', name: 'iterations', count: iterations.started, errors: errors.count },
      ...{ rate: iterations.completedRate, times: main.completed },
    },
    ...partsOf(result).map(({ kind, name, summary: { count, errors: failed, rate }, time: times }) => ({
      ...{ kind, name, count, errors: failed, rate, times },
    })),
    ...SECTIONS.flatMap(({ suits, load }) => (suits(result) ? (load().recordsOf?.(result) ?? []) : [])),
    ...checkRows(result).map(({ name, total, failures }) => ({ kind: 'check', name, count: total, errors: failures })),
    ...metricRows(result).map(({ values: times, ...row }) => ({ ...row, times })),
    ...boundNotes(result).map((name) => ({ kind: 'note', name })),
  ];
  const rows = records.map(({ kind, name, count = null, errors: failed = null, rate = null, times }) => [
    ...[kind, name, count, failed, rate],
    ...TIMES.map((key) => times?.[key] ?? null),
  ]);
  return [CSV_COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** @type {(value: string | number | null) => string} */
function cell(value) {
  if (value === null) return '';
  return typeof value === 'number' ? String(Math.round(value * 1e6) / 1e6) : csvText(value);
}
