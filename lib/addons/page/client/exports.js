import { byId, element } from './elements.js';

/** @typedef {{ name: string, type: string, text: () => string }} Export */

/** The column of a statistic of times, as in the format csv. @type {(key: string) => string} */
export const timeColumn = (key) => `${key}_ms`;

/** The columns of intervals.csv by their keys in the model. @type {Record<string, string>} */
export const INTERVAL_COLUMNS = {
  at: 'at_s',
  rate: 'completedRate',
  errorRate: 'errors_per_second',
  p50: timeColumn('median'),
  p95: timeColumn('p95'),
  p99: timeColumn('p99'),
  max: timeColumn('max'),
  concurrency: 'concurrency',
  utilization: 'eventLoopUtilization',
};

/** Buttons that save data as files. A dashboard has them when the run is over. @type {(model: any) => void} */
export function showExports(model) {
  const place = byId('downloads');
  place.hidden = model.isLive;
  const button = (/** @type {Export} */ file) =>
    element('button', { type: 'button', text: file.name, onclick: () => save(file) });
  place.replaceChildren(element('span', { class: 'quiet', text: 'Save the data:' }), ...filesOf(model).map(button));
}

/** @type {(model: any) => Export[]} */
function filesOf({ result, operations, latency, errors, time, byOperation }) {
  const json = () => `${JSON.stringify(result, null, 2)}\n`;
  return [
    ...(result === null ? [] : [{ name: 'result.json', type: 'application/json', text: json }]),
    { name: 'operations.csv', type: 'text/csv', text: () => operationsCsv(operations, latency, errors.failed) },
    { name: 'intervals.csv', type: 'text/csv', text: () => intervalsCsv(time, byOperation) },
  ];
}

/**
 * Returns the table of times and that of operations in one file, in ms; `failed`: iterations that failed.
 * @type {(operations: any[], latency: any, failed: number) => string}
 */
export function operationsCsv(operations, { columns, rows }, failed) {
  const times = (/** @type {any} */ summary) => columns.map((/** @type {any} */ { key }) => summary[key]);
  return csvOf([
    ['name', 'phase', 'count', 'errors', ...columns.map((/** @type {any} */ { key }) => timeColumn(key))],
    ...rows.map((/** @type {any} */ { label, summary }) => [label, 'main', summary.count, failed, ...times(summary)]),
    ...operations.map(({ name, phase, count, errors, time }) => [name, phase, count, errors, ...times(time)]),
  ]);
}

/**
 * The figures of each interval, and the p95 of each operation in it.
 * @type {(time: Record<string, (number | null)[]>, byOperation: { name: string, values: (number | null)[] }[]) =>
 *   string}
 */
export function intervalsCsv(time, byOperation) {
  const columns = [
    ...Object.entries(time).map(([key, values]) => /** @type {const} */ ([INTERVAL_COLUMNS[key], values])),
    ...byOperation.map(({ name, values }) => /** @type {const} */ ([`${timeColumn('p95')} ${name}`, values])),
  ];
  return csvOf([columns.map(([name]) => name), ...time.at.map((_, i) => columns.map(([, values]) => values[i]))]);
}

/** RFC 4180. @type {(rows: ((string | number | null)[])[]) => string} */
function csvOf(rows) {
  return rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');
}

/** A name from a flow is text in a spreadsheet, not a formula. @type {(value: string | number | null) => string} */
function fieldOf(value) {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @type {(file: Export) => void} */
function save({ name, type, text }) {
  const href = URL.createObjectURL(new Blob([text()], { type }));
  element('a', { href, download: name }).click();
  URL.revokeObjectURL(href);
}
