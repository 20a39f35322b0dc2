import { DEFAULT_WIDTH, widthWithin, withPlusMinus } from '../terminal.js';
import { painter, table, wrapped } from '../text/layout.js';
import { INTERVAL, THRESHOLD_HEAD, figureRow, methodText, operationRow } from './rows.js';
import { namedSides, sideText, thresholdRows } from './rows.js';

/** @import { Cell, Column, Paint, Style } from '../text/layout.js' */
/** @import { Comparison } from '../../contracts/comparison.js' */
/** @import { RenderComparison } from './formats.js' */
/** @import { FigureRow } from './rows.js' */

/** Columns of the narrowest screens that show intervals and verdicts. */
const WITH_INTERVALS = 64;
const WITH_VERDICTS = 48;
/** @type {Record<string, Style>} */
const STYLES = { better: 'green', worse: 'red', noise: 'dim' };

/** Renders a table of two sides, figure by figure, and the conclusion. @type {RenderComparison} */
export function render(comparison, { color = false, width: given = DEFAULT_WIDTH, unicode = true } = {}) {
  const { figures, warnings } = comparison;
  const width = widthWithin(given);
  const paint = painter(color);
  const columns = columnsOf(comparison);
  const parts = [
    namedSides(comparison).map(({ name, side }) => wrapped(`${name}  ${sideText(side)}`, 3, width)),
    table(columns, figures.map(figureRow).map(cellsOf), { width, paint }),
    operationLines(comparison, { width, paint }),
    thresholdLines(comparison, { width, paint }),
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
  return [name, base, other, change, interval, verdict === '' ? '' : { text: verdict, style: STYLES[verdict] }];
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
    const [, p95] = figures;
    return cellsOf({ ...p95, name });
  });
  return table([{ head: 'p95, ms', isText: true }, ...columnsOf(comparison).slice(1)], rows, options);
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
  return verdict === 'better' || verdict === 'worse' ? paint(STYLES[verdict], text) : text;
}
