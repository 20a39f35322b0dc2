import { DEFAULT_WIDTH, widthWithin, withPlusMinus } from '../terminal.js';
import { VERDICT_STYLES, painter, table, wrapped } from '../text/layout.js';
import { INTERVAL, THRESHOLD_HEAD, figureRow, methodText, operationRow } from './rows.js';
import { namedSides, sideText, streamFigureRows, thresholdRows } from './rows.js';
import { comparedProfileLines } from '../text/profile.js';

/** @import { Cell, Column, Paint } from '../text/layout.js' */
/** @import { Comparison } from '../../contracts/comparison.js' */
/** @import { RenderDocument } from '../types.js' */
/** @import { FigureRow } from './rows.js' */

/** Columns of the narrowest screens that show intervals and verdicts. */
const WITH_INTERVALS = 64;
const WITH_VERDICTS = 48;
/** The figure of operations that the text has. */
const P95 = 'p95, ms';

/** Renders a table of two sides, figure by figure, and the conclusion. @type {RenderDocument<Comparison>} */
export function render(comparison, { color = false, width: given = DEFAULT_WIDTH, unicode = true } = {}) {
  const { figures, warnings } = comparison;
  const width = widthWithin(given);
  const paint = painter(color);
  const columns = columnsOf(comparison);
  const parts = [
    namedSides(comparison).map(({ name, side }) => wrapped(`${name}  ${sideText(side)}`, 3, width)),
    table(columns, figures.map(figureRow).map(cellsOf), { width, paint }),
    operationLines(comparison, { width, paint }),
    streamLines(comparison, { width, paint }),
    thresholdLines(comparison, { width, paint }),
    comparedProfileLines(comparison.profiles ?? [], { width, paint }),
    warnings.map(({ message }) => wrapped(`- ${message}`, 2, width)),
    [wrapped(methodText(comparison), 0, width)],
    [conclusionLine(comparison, { width, paint })],
  ];
  const blocks = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return withPlusMinus(`${blocks.join('\n\n')}\n`, unicode);
}

/** @type {(comparison: Comparison) => Column[]} */
function columnsOf({ method }) {
  return [
    { head: '', isText: true },
    { head: 'A' },
    { head: 'B' },
    { head: 'change' },
    { head: INTERVAL, from: method === 'none' ? Infinity : WITH_INTERVALS },
    { head: '', isText: true, from: WITH_VERDICTS },
  ];
}

/** @type {(row: FigureRow) => Cell[]} */
function cellsOf({ name, base, other, change, interval, verdict }) {
  return [name, base, other, change, interval, verdict === '' ? '' : { text: verdict, style: VERDICT_STYLES[verdict] }];
}

/**
 * The p95 of each operation, if there are several.
 * @type {(comparison: Comparison, options: { width: number, paint: Paint }) => string[]}
 */
function operationLines(comparison, options) {
  const { operations } = comparison;
  if (operations.length < 2) return [];
  const rows = operations.map((operation) => {
    const { name, figures } = operationRow(operation);
    const p95 = figures.filter((row) => row.name === P95);
    return p95.flatMap((row) => cellsOf({ ...row, name }));
  });
  return table([{ head: P95, isText: true }, ...columnsOf(comparison).slice(1)], rows, options);
}

/** @type {(comparison: Comparison, options: { width: number, paint: Paint }) => string[]} */
function streamLines(comparison, options) {
  const rows = streamFigureRows(comparison).map(({ row }) => cellsOf(row));
  const columns = [{ head: 'streams', isText: true }, ...columnsOf(comparison).slice(1)];
  return rows.length > 0 ? table(columns, rows, options) : [];
}

/** @type {(comparison: Comparison, options: { width: number, paint: Paint }) => string[]} */
function thresholdLines(comparison, options) {
  const rows = thresholdRows(comparison);
  const columns = THRESHOLD_HEAD.map((head, i) => ({ head, isText: i === 0 }));
  return rows.length > 0 ? table(columns, rows, options) : [];
}

/** @type {(comparison: Comparison, options: { width: number, paint: Paint }) => string} */
function conclusionLine({ conclusion: { message, verdict } }, { width, paint }) {
  const text = paint('bold', wrapped(message, 0, width));
  return verdict === 'better' || verdict === 'worse' ? paint(VERDICT_STYLES[verdict], text) : text;
}
