import { count } from '../../core/ground/decimal.js';
import { MAIN_PERCENTILES } from '../../core/measure/percentiles.js';
import { rangeOf } from '../../core/report/distribution-charts.js';
import { cut, timeScaleOf, widest, widthOf } from '../../core/report/text/layout.js';
import { alignedRight, segmentOf, restRows, shownOf } from './line.js';

/** @import { TimeScale } from '../../core/report/text/layout.js' */
/** @import { Look } from './line.js' */
/** @import { Piece, ScreenModel, StateModel } from './model.js' */
/** @import { Segment } from './terminal.js' */

const GAP = 2;
const LEAST_NAME = 12;
const LEAST_BAR = 16;
/** Share of the width. */
const MOST_OF_NAME = 0.4;

/** @typedef {StateModel['operations'][0]} Operation */

/**
 * @type {{ head: string, cell: (operation: Operation, scale: TimeScale) => string, style?: (operation: Operation) =>
 *   Piece[1] }[]}
 */
const COLUMNS = [
  ...MAIN_PERCENTILES.map(({ key, label }) => ({
    head: label,
    cell: (/** @type {Operation} */ { times }, /** @type {TimeScale} */ { format }) => format(times[key]),
  })),
  { head: 'count', cell: ({ count: text }) => text },
  { head: 'errors', style: ({ errors }) => (errors > 0 ? 'red' : undefined), cell: ({ errors }) => count(errors) },
];

/**
 * Draws a bar for each operation, from p50 to p95 and on to p99, all on one logarithmic axis; the first row is the head
 * of the table.
 * @type {(model: ScreenModel, room: { width: number, height: number }, look: Look) => Segment[][]}
 */
export function operationRows({ state: { operations, times } }, { width, height }, look) {
  // The unit is that of the report, chosen by the iterations; or by an operation until an iteration completes.
  const known = [times, ...operations.map((one) => one.times)].find((one) => one !== null && one.median !== null);
  if (operations.length === 0 || !known) return [];
  const shown = shownOf(operations, height - 1);
  const scale = timeScaleOf(known, look.glyphs);
  const title = `operations, ${scale.unit}`;
  const cells = shown.map((one) => COLUMNS.map(({ cell }) => cell(one, scale)));
  const widths = widthsOf([title, ...shown.map(({ name }) => name)], cells, width);
  // Operations without a row count too: the axis stays when the terminal changes its height.
  const axis = axisOf(operations);
  const layout = { widths, look };
  const heads = COLUMNS.map(({ head }) => /** @type {Piece} */ ([head, 'dim']));
  const rows = shown.map((operation, i) => {
    const bar = barOf(operation, { ...axis, columns: widths.bar }, look);
    const figures = COLUMNS.map(({ style }, at) => /** @type {Piece} */ ([cells[i][at], style?.(operation)]));
    return rowOf([operation.name], bar, figures, layout);
  });
  return [
    rowOf([title, 'bold'], [[scaleText(axis, widths.bar, scale), 'dim']], heads, layout),
    ...rows,
    ...restRows(operations.length - shown.length, width, look),
  ];
}

/** @typedef {{ name: number, bar: number, figures: number[] }} Widths of the parts of a row; a gap follows the name */

/** @type {(names: string[], cells: string[][], width: number) => Widths} */
function widthsOf(names, cells, width) {
  const figures = COLUMNS.map(({ head }, i) => GAP + Math.max(head.length, widest(cells.map((row) => row[i]))));
  const room = width - GAP - figures.reduce((sum, own) => sum + own, 0);
  const wanted = Math.max(LEAST_NAME, widest(names));
  const name = Math.max(0, Math.min(wanted, room - LEAST_BAR, Math.floor(width * MOST_OF_NAME)));
  return { name, bar: Math.max(1, room - name), figures };
}

/** @type {(name: Piece, chart: Piece[], figures: Piece[], layout: { widths: Widths, look: Look }) => Segment[]} */
function rowOf([name, style], chart, figures, { widths, look }) {
  const aligned = figures.map(([text, own], i) => /** @type {Piece} */ ([alignedRight(text, widths.figures[i]), own]));
  return [
    segmentOf([[cut(name, widths.name, look.glyphs.ellipsis), style]], widths.name + GAP, look),
    segmentOf(chart, widths.bar, look),
    segmentOf(
      aligned,
      widths.figures.reduce((sum, own) => sum + own, 0),
      look,
    ),
  ];
}

/** @type {(operations: Operation[]) => { low: number, high: number }} */
function axisOf(operations) {
  const ends = operations.flatMap(({ times }) => MAIN_PERCENTILES.flatMap(({ key }) => times[key] ?? []));
  if (ends.length === 0) return { low: 0.1, high: 1 };
  const [low, high] = rangeOf(Math.min(...ends), Math.max(...ends));
  return { low, high };
}

/** @type {(axis: { low: number, high: number }, columns: number, scale: TimeScale) => string} */
function scaleText({ low, high }, columns, { round }) {
  const [first, last] = [round(low), round(high)];
  return first + ' '.repeat(Math.max(1, columns - widthOf(first) - widthOf(last))) + last;
}

/** @type {(operation: Operation, axis: { low: number, high: number, columns: number }, look: Look) => Piece[]} */
function barOf({ times: { median, p95, p99 } }, { low, high, columns }, { glyphs }) {
  if (median === null) return [];
  const columnOf = (/** @type {number} */ time) => {
    const column = (Math.log(Math.max(low, time) / low) / Math.log(high / low)) * (columns - 1);
    return Math.min(columns - 1, Math.round(column));
  };
  const [from, middle] = [columnOf(median), columnOf(p95 ?? median)];
  const to = columnOf(p99 ?? p95 ?? median);
  return [
    [' '.repeat(from)],
    [glyphs.from, 'p50'],
    [glyphs.done.repeat(Math.max(0, middle - from)), 'p95'],
    [glyphs.left.repeat(Math.max(0, to - middle)), 'p99'],
  ];
}
