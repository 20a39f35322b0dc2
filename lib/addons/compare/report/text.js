import { regressionsIn } from '../measure/compared-figures.js';
import { boldList, escaped, joinedParts, list, table as markdownTable } from '../../../core/report/markup.js';
import { DEFAULT_WIDTH, forLocale, glyphsOf, widthWithin } from '../../../core/report/terminal.js';
import { joinedBlocks, painter, table, wrapped } from '../../../core/report/text/layout.js';
import { factName } from '../../../core/report/run-facts.js';
import { comparedProfileLines } from '../../server/report/profile-blocks.js';
import { INTERVAL, THRESHOLD_HEAD, VERDICT_STYLES, figureRow, methodText, operationRow } from './rows.js';
import { namedSides, sideText, streamFigureRows, thresholdRows } from './rows.js';

/** @import { Comparison } from '../comparison.js' */
/** @import { Cell, Column } from '../../../core/report/text/layout.js' */
/** @import { LineOptions } from '../../server/report/profile-blocks.js' */
/** @import { RenderDocument } from '../../../core/report/types.js' */
/** @import { FigureRow } from './rows.js' */

/** Columns of the narrowest terminals that show intervals, and verdicts. */
const WITH_INTERVALS = 64;
const WITH_VERDICTS = 48;

/**
 * Renders the comparison of two sides, as `compare` and `ab` print it: a table of all figures, then the conclusion.
 * @type {RenderDocument<Comparison>}
 */
export function render(comparison, { color = false, width: given = DEFAULT_WIDTH, unicode = true } = {}) {
  const { figures, warnings } = comparison;
  const width = widthWithin(given);
  const options = { width, paint: painter(color), glyphs: glyphsOf(unicode) };
  const parts = [
    namedSides(comparison).map(({ name, side }) => wrapped(`${name}  ${sideText(side)}`, 3, width)),
    table(columnsOf(comparison), figures.map(figureRow).map(cellsOf), options),
    operationLines(comparison, options),
    streamLines(comparison, options),
    thresholdLines(comparison, options),
    comparedProfileLines(comparison.profiles ?? [], options),
    warnings.map(({ message }) => wrapped(`- ${message}`, 2, width)),
    [wrapped(methodText(comparison), 0, width)],
    [conclusionLine(comparison, options)],
  ];
  return forLocale(joinedBlocks(parts), unicode);
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
 * @type {(comparison: Comparison, options: LineOptions) => string[]}
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

/** @type {(comparison: Comparison, options: LineOptions) => string[]} */
function streamLines(comparison, options) {
  const rows = streamFigureRows(comparison).map(({ row }) => cellsOf(row));
  const columns = [{ head: 'streams', isText: true }, ...columnsOf(comparison).slice(1)];
  return table(columns, rows, options);
}

/** @type {(comparison: Comparison, options: LineOptions) => string[]} */
function thresholdLines(comparison, options) {
  const rows = thresholdRows(comparison);
  const columns = THRESHOLD_HEAD.map((head, i) => ({ head, isText: i === 0 }));
  return table(columns, rows, options);
}

/** @type {(comparison: Comparison, options: LineOptions) => string} */
function conclusionLine({ conclusion: { message, verdict } }, { width, paint }) {
  const text = paint('bold', wrapped(message, 0, width));
  return verdict === 'better' || verdict === 'worse' ? paint(VERDICT_STYLES[verdict], text) : text;
}

/** More operations are folded. */
const MOST_SHOWN = 10;
const MARKDOWN_HEAD = ['A', 'B', 'change', INTERVAL, ''];

/** Writes a comment for a pull request: the conclusion first. @type {RenderDocument<Comparison>} */
export function renderMarkdown(comparison) {
  const { conclusion, outcome, warnings, figures, differences } = comparison;
  const thresholds = thresholdRows(comparison).map((row) => row.map(escaped));
  return joinedParts([
    `### ${escaped(conclusion.message)}`,
    boldList(regressionsIn(outcome)),
    list(warnings.map(({ message }) => message)),
    namedSides(comparison)
      .map(({ name, side }) => `- **${name}**: ${escaped(sideText(side))}`)
      .join('\n'),
    markdownTable(
      ['', ...MARKDOWN_HEAD],
      figures.map((figure) => markdownCells(figureRow(figure))),
    ),
    operationsTable(comparison),
    streamsTable(comparison),
    markdownTable(THRESHOLD_HEAD, thresholds),
    differencesTable(differences, factName),
    escaped(methodText(comparison)),
  ]);
}

/**
 * Writes a table of Markdown of what differs between two sides; empty if nothing does. `nameOf` names a path.
 * @type {(differences: Comparison['differences'], nameOf: (path: string) => string) => string}
 */
export function differencesTable(differences, nameOf) {
  const rows = differences.map((one) => [nameOf(one.path), one.base ?? '-', one.new ?? '-'].map(escaped));
  return markdownTable(['what differs', 'A', 'B'], rows);
}

/** @type {(comparison: Comparison) => string} */
function operationsTable({ operations }) {
  const rows = operations.map((operation) => {
    const { name, base, other, figures } = operationRow(operation);
    const [, p95] = figures;
    return [...markdownCells({ ...p95, name }), escaped(base), escaped(other)];
  });
  const text = markdownTable(['operations, p95 in ms', ...MARKDOWN_HEAD, 'requests of A', 'of B'], rows);
  if (operations.length <= MOST_SHOWN) return text;
  return `<details><summary>${operations.length} operations</summary>\n\n${text}\n\n</details>`;
}

/** @type {(comparison: Comparison) => string} */
function streamsTable(comparison) {
  const rows = streamFigureRows(comparison).map(({ row }) => markdownCells(row));
  return markdownTable(['streams', ...MARKDOWN_HEAD], rows);
}

/** @type {(row: FigureRow) => string[]} */
function markdownCells({ name, base, other, change, interval, verdict }) {
  const word = verdict === 'better' || verdict === 'worse' ? `**${verdict}**` : verdict;
  return [escaped(name), base, other, change, interval, word];
}
