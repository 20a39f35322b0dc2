import { latencyRows } from '../../measure/figure-rows.js';
import { partsOf } from '../../measure/parts.js';
import { count } from '../numbers.js';
import { marked } from '../supported.js';
import { table, wrapped } from './layout.js';

/**
 * @import { HistogramSummary } from '../../measure/histogram.js'
 * @import { Result } from '../types.js'
 * @import { TimeScale } from '../time-scale.js'
 * @import { Glyphs } from '../glyphs.js'
 * @import { Cell, Paint } from './layout.js'
 *
 * @typedef {{ width: number, paint: Paint, glyphs: Glyphs, scale: TimeScale }} TableOptions
 *
 * @typedef {object} LatencyRow the iterations or one operation
 * @property {string} name
 * @property {string} phase
 * @property {number} count
 * @property {number | null} errors null: errors do not apply
 * @property {HistogramSummary} times
 *
 * @typedef {object} FigureColumn
 * @property {string} head
 * @property {boolean} [isText]
 * @property {number} [from] only in tables at least this wide
 * @property {number} [spare] left out if the names need its place, the lowest one first
 * @property {(rows: LatencyRow[]) => boolean} [isShown] by default in every table
 * @property {(row: LatencyRow, scale: TimeScale) => Cell} cell
 */

/** The times of an iteration that the table shows. */
const MAIN_TIMES = ['ok', 'serviceTime', 'startDelay', 'corrected', 'failed', 'cancelled'];

/** The columns behind the name. To add one, add a row here. @type {FigureColumn[]} */
const COLUMNS = [
  {
    head: 'phase',
    isText: true,
    from: 68,
    isShown: (rows) => rows.some(({ phase }) => phase !== 'main'),
    cell: ({ phase }) => phase,
  },
  {
    head: 'count',
    from: 68,
    isShown: (rows) => new Set(rows.flatMap((row) => (row.phase === 'main' ? [row.count] : []))).size > 1,
    cell: (row) => count(row.count),
  },
  { head: 'mean', spare: 1, cell: ({ times }, { format }) => format(times.mean) },
  { head: 'p50', cell: ({ times }, { format }) => marked(format(times.median), times, 'median') },
  { head: 'p90', spare: 2, cell: ({ times }, { format }) => marked(format(times.p90), times, 'p90') },
  { head: 'p95', from: 48, cell: ({ times }, { format }) => marked(format(times.p95), times, 'p95') },
  { head: 'p99', cell: ({ times }, { format }) => marked(format(times.p99), times, 'p99') },
  { head: 'max', from: 58, cell: ({ times }, { format }) => format(times.max) },
  {
    head: 'errors',
    cell: ({ errors }) => (errors === null ? '' : errors > 0 ? { text: count(errors), style: 'red' } : '0'),
  },
];

/** One table of the iterations and, if there are several, the operations. @type {import('./index.js').Section} */
export function figuresSection(result, options) {
  const table = repeatsHeadline(result) ? [] : tableOf(rowsOf(result), options);
  return [...table, ...percentileLines(result, options)];
}

/**
 * The other times of a run whose table would only repeat the headline.
 *
 * @param {Result} result
 * @param {TimeScale} scale
 * @returns {string[]} mean, p90 and maximum; none if there is a table
 */
export function remainingTimes(result, { withUnit }) {
  if (!repeatsHeadline(result)) return [];
  const { mean, p90, p95, max } = result.main.ok;
  return [
    `mean ${withUnit(mean)}`,
    ...(p90 === null ? [] : [`p90 ${marked(withUnit(p90), result.main.ok, 'p90')}`]),
    // the headline has it instead of percentiles
    ...(p95 === null ? [] : [`max ${withUnit(max)}`]),
  ];
}

/** A table of completed iterations alone. @type {(result: Result) => boolean} */
function repeatsHeadline(result) {
  return result.main.ok.count > 0 && rowsOf(result).length === 1;
}

/** @type {(result: Result) => LatencyRow[]} */
function rowsOf(result) {
  return [...iterationRows(result), ...operationRows(result)];
}

/**
 * The operations alone, if there are several.
 *
 * @param {Result} result
 * @param {TableOptions} options
 * @returns {string[]} lines
 */
export function operationsTable(result, options) {
  return tableOf(operationRows(result), options);
}

/** @type {(rows: LatencyRow[], options: TableOptions) => string[]} */
function tableOf(rows, options) {
  if (rows.length === 0) return [];
  const { scale } = options;
  const columns = COLUMNS.filter(({ isShown = () => true }) => isShown(rows));
  const cells = rows.map((row) => [row.name, ...columns.map(({ cell }) => cell(row, scale))]);
  return table([{ head: `latency, ${scale.unit}`, isText: true }, ...columns], cells, options);
}

/** @type {(result: Result) => LatencyRow[]} */
function iterationRows(result) {
  const { iterations } = result;
  return latencyRows(result)
    .filter(({ key }) => MAIN_TIMES.includes(key))
    .map(({ key, label, summary }) => ({
      name: label,
      phase: 'main',
      count: summary.count,
      errors: key === 'ok' ? iterations.failed : null,
      times: summary,
    }));
}

/** Scenarios, groups and operations; a single operation is the iteration. @type {(result: Result) => LatencyRow[]} */
function operationRows(result) {
  const parts = partsOf(result);
  if (parts.length < 2) return [];
  return parts.map(({ name, kind, summary, time }) => ({ ...summary, name, phase: kind, times: time }));
}

/** Those of the run option. @type {(result: Result, options: TableOptions) => string[]} */
function percentileLines({ percentiles = [] }, { paint, width, scale }) {
  if (percentiles.length === 0) return [];
  const parts = percentiles.map(({ percentile, ms }) => `p${percentile} ${scale.format(ms)}`);
  const head = `percentiles, ${scale.unit}`;
  return [`${paint('dim', head)}  ${wrapped(parts.join(', '), head.length + 2, width)}`];
}
