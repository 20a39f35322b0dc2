import { count, ms, number, rate } from '../../ground/decimal.js';
import { rangeOf } from '../../measure/own-time.js';
import { STATISTICS } from '../../measure/percentiles.js';
import { partsOf } from '../../measure/transactions.js';
import { listedRows, metricRows } from '../../measure/user-metrics.js';
import { goalRows } from '../outcome.js';
import { latencyRows, marginOf } from '../rows.js';
import { marked, markedRange } from '../supported.js';
import { OUTCOME_STYLES, joined, padded, table, widest } from './layout.js';

/** @import { HistogramSummary } from '../../contracts/summaries.js' */
/** @import { TimeKey } from '../supported.js' */
/** @import { Glyphs } from '../terminal.js' */
/** @import { Result } from '../types.js' */
/** @import { Section, SectionOptions } from './index.js' */
/** @import { Cell, Column, Paint, TimeScale } from './layout.js' */

/** @typedef {{ width: number, paint: Paint, glyphs: Glyphs, scale: TimeScale, full?: boolean }} TableOptions */

/**
 * @typedef {object} LatencyRow the iterations or one operation
 * @property {string} name
 * @property {string} phase
 * @property {number} count
 * @property {number | null} errors null: errors do not apply
 * @property {HistogramSummary} times
 * @property {HistogramSummary} [least] times without what the load generator may have added
 *
 * @typedef {Column & { isShown?: (rows: LatencyRow[]) => boolean, cell: (row: LatencyRow, scale: TimeScale) => Cell }}
 *   FigureColumn isShown: by default in every table
 */

/** Keys of the times of iterations that the table shows. */
const MAIN_TIMES = ['completed', 'serviceTime', 'startDelay', 'corrected', 'failed', 'cancelled'];

/** @type {(Column & { key: TimeKey })[]} */
const TIMES = [
  { head: 'mean', key: 'mean', spare: 1 },
  { head: 'p50', key: 'median' },
  { head: 'p90', key: 'p90', spare: 2 },
  { head: 'p95', key: 'p95', from: 48 },
  { head: 'p99', key: 'p99' },
  { head: 'max', key: 'max', from: 58 },
];

/** The columns behind the name. To add one, add a row here. @type {FigureColumn[]} */
const COLUMNS = [
  {
    head: 'phase',
    isText: true,
    from: 68,
    isShown: (rows) => rows.some(({ phase }) => phase !== 'main'),
    cell: ({ phase }) => phase,
  },
  // In `main`, each operation usually has as many requests as there are iterations.
  {
    head: 'count',
    from: 68,
    isShown: (rows) => new Set(rows.flatMap((row) => (row.phase === 'main' ? [row.count] : []))).size > 1,
    cell: (row) => count(row.count),
  },
  ...TIMES.map(({ key, ...column }) => ({
    ...column,
    cell: (/** @type {LatencyRow} */ { times, least }, /** @type {TimeScale} */ { format }) =>
      key === 'max' ? marked(times, key, format) : markedRange(times, least, key, format),
  })),
  {
    head: 'errors',
    cell: ({ errors }) => (errors === null ? '' : errors > 0 ? { text: count(errors), style: 'red' } : '0'),
  },
];

/** The times of the iterations and, if there are several, of the operations. @type {Section} */
export function figuresSection(result, options) {
  return isLeftOut(result, options) ? [] : tableOf(rowsOf(result, options), options);
}

/** @type {(result: Result, options: Partial<SectionOptions>) => boolean} */
function isLeftOut(result, options) {
  return options.room?.hasTable === false || repeatsHeadline(result, options);
}

/** Reports whether the table would have one row. @type {(result: Result, options?: { full?: boolean }) => boolean} */
function repeatsHeadline(result, options = {}) {
  return result.main.completed.count > 0 && rowsOf(result, options).length === 1;
}

/** @type {(result: Result, options: { full?: boolean }) => LatencyRow[]} */
function rowsOf(result, options) {
  return [...iterationRows(result, options), ...operationRows(result)];
}

/**
 * Lists the times that the headline lacks: mean, p90 and maximum; none if there is a table, or no iteration completed.
 * @type {(result: Result, options: Pick<SectionOptions, 'scale' | 'room'>) => string[]}
 */
export function remainingTimes(result, options) {
  const { unit, withUnit, format } = options.scale;
  const { completed, least } = result.main;
  if (completed.count === 0 || !isLeftOut(result, { room: options.room })) return [];
  const { p90, p95, max } = completed;
  const mean = markedRange(completed, least, 'mean', format);
  const margin = rangeOf(completed, least, 'mean') === null ? marginOf(result, 'mean', format) : '';
  return [
    `mean ${mean} ${unit}${margin}`,
    ...(p90 === null ? [] : [`p90 ${markedRange(completed, least, 'p90', format)} ${unit}`]),
    // Without a p95 the headline has the maximum.
    ...(p95 === null ? [] : [`max ${withUnit(max)}`]),
  ];
}

/** Prints the operations alone, if there are several. @type {(result: Result, options: TableOptions) => string[]} */
export function operationsTable(result, options) {
  return tableOf(operationRows(result), options);
}

/** @type {(rows: LatencyRow[], options: TableOptions) => string[]} */
function tableOf(rows, options) {
  const { scale } = options;
  const columns = COLUMNS.filter(({ isShown = () => true }) => isShown(rows));
  const cells = rows.map((row) => [row.name, ...columns.map(({ cell }) => cell(row, scale))]);
  return table([{ head: `latency, ${scale.unit}`, isText: true }, ...columns], cells, options);
}

/** The `least` times of those that have some. @type {Record<string, 'least' | 'serviceLeast' | undefined>} */
const LEAST_OF = { completed: 'least', serviceTime: 'serviceLeast' };

/** @type {(result: Result, options: { full?: boolean }) => LatencyRow[]} */
function iterationRows(result, { full = false }) {
  const { iterations, main } = result;
  // Service times differ from response times if iterations waited for a virtual user.
  const hidden = full ? [] : ['startDelay', ...(iterations.late > 0 ? [] : ['serviceTime'])];
  return latencyRows(result)
    .filter(({ key }) => MAIN_TIMES.includes(key) && !hidden.includes(key))
    .map(({ key, label, summary }) => {
      const least = LEAST_OF[key];
      return {
        name: label,
        phase: 'main',
        count: summary.count,
        errors: key === 'completed' ? iterations.failed : null,
        times: summary,
        ...(least && { least: main[least] }),
      };
    });
}

/** None for a single operation: it is all of an iteration. @type {(result: Result) => LatencyRow[]} */
function operationRows(result) {
  const parts = partsOf(result);
  // An operation with `repeat` has more requests than there are iterations.
  if (parts.length === 1 && parts[0].summary.count <= result.iterations.started) return [];
  return parts.map(({ name, kind, summary, time }) => {
    const { least } = summary.times;
    return { ...summary, name, phase: kind, times: time, ...(least && { least }) };
  });
}

/** Columns of narrow terminals; wide ones have all statistics. */
const NARROW = ['p50', 'p95', 'p99', 'max'];
const WIDE = 78;

/** All times of a run, with all their statistics. @type {Section} */
export function latencySection(result, options) {
  if (result.main.completed.count === 0) return [];
  const { unit, format } = options.scale;
  const columns = [
    { head: `times, ${unit}`, isText: true },
    ...STATISTICS.map(({ label }) => ({ head: label, from: NARROW.includes(label) ? 0 : WIDE })),
  ];
  const rows = latencyRows(result).map(({ label, summary }) => [
    label,
    ...STATISTICS.map(({ key }) => marked(summary, key, format)),
  ]);
  return table(columns, rows, options);
}

/** @typedef {ReturnType<typeof metricRows>[0]} MetricRow */
/** @typedef {Column & { cell: (row: MetricRow) => string }} MetricColumn */

/** The columns of the tables of metrics, behind the name. @type {MetricColumn} */
const COUNT = { head: 'count', cell: (row) => number(row.count) };
/** @type {MetricColumn} */
const RATE = { head: 'per second', from: 60, cell: (row) => rate(row.rate) };
/** @type {MetricColumn[]} */
const METRIC_TIMES = /** @type {(Column & { key: TimeKey })[]} */ ([
  { head: 'p50', key: 'median', from: 50 },
  { head: 'p95', key: 'p95', from: 80 },
  { head: 'p99', key: 'p99' },
  { head: 'max', key: 'max', from: 80 },
]).map(({ key, ...column }) => ({ ...column, cell: ({ values }) => (values ? marked(values, key, ms) : '-') }));

/** A table for metrics of one or two kinds. */
const TABLES = [
  { head: 'timers, ms', kinds: ['timer'], columns: [COUNT, RATE, ...METRIC_TIMES] },
  { head: 'histograms', kinds: ['histogram'], columns: [COUNT, ...METRIC_TIMES] },
  { head: 'meters', kinds: ['meter'], columns: [COUNT, RATE] },
  { head: 'counters', kinds: ['counter', 'gauge'], columns: [{ ...COUNT, head: 'value' }] },
];

/** The metrics of hooks. @type {Section} */
export function metricsSection(result, options) {
  const { listed, rest } = listedRows(metricRows(result), options.full ? Infinity : undefined);
  const tables = TABLES.map(({ head, kinds, columns }) => {
    const own = listed.filter(({ kind }) => kinds.includes(kind));
    const rows = own.map((row) => [row.name, ...columns.map(({ cell }) => cell(row))]);
    return table([{ head, isText: true }, ...columns], rows, options);
  });
  // The rest, names of Server-Timing, are timers, whose table is the first one.
  tables[0].push(...rest);
  return tables.filter((lines) => lines.length > 0).flatMap((lines, i) => (i > 0 ? ['', ...lines] : lines));
}

/** Columns of expressions; the measured value of a longer one follows at once. */
const MAX_EXPRESSION = 32;

/** The thresholds and the precision of a run, each with what was measured. @type {Section} */
export function thresholdsSection(result, { paint, quiet, glyphs, width, room: { goals = Infinity } = {} }) {
  const rows = goalRows(result);
  const passed = quiet ? 0 : goals - rows.filter((row) => !row.passed).length;
  const shown = rows.filter((row) => row.passed).slice(0, Math.max(0, passed));
  const listed = rows.filter((row) => !row.passed || shown.includes(row));
  const more = quiet ? 0 : rows.length - listed.length;
  const column = Math.min(MAX_EXPRESSION, widest(listed.map(({ expression }) => expression)));
  const lines = listed.map(({ state, expression, measured }) => {
    const mark = glyphs[state];
    const indent = mark.length + 1;
    const name = padded(`${mark} ${expression}`, indent + column);
    const parts = joined([name, measured], { gap: '   ', indent, width });
    return paint(OUTCOME_STYLES[state], parts.join('\n'));
  });
  return more > 0 ? [...lines, paint('green', `${glyphs.passed} ${more} more`)] : lines;
}
