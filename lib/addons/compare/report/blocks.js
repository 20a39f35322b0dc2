import { regressionsIn } from '../measure/compared-figures.js';
import { factName } from './run-facts.js';
import { comparedProfileLines } from '../../server/report/profile-blocks.js';
import { INTERVAL, VERDICT_STYLES, figureRow, methodText, operationRow } from './rows.js';
import { namedSides, sideText, streamFigureRows } from './rows.js';

/** @import { Comparison } from '../comparison.js' */
/** @import { Cell, Column, Style } from '../../../core/report/text/layout.js' */
/** @import { Block, BlockOptions } from '../../../core/report/types.js' */
/** @import { FigureRow } from './rows.js' */

/** Columns of the narrowest terminals that show intervals, and verdicts. */
const WITH_INTERVALS = 64;
const WITH_VERDICTS = 48;
/** More operations are folded. */
const MOST_SHOWN = 10;

/**
 * The comparison of two sides, as `compare` and `ab` print it: all figures, then the conclusion. Markdown, a comment
 * for a pull request, begins with it.
 * @type {(comparison: Comparison, options: BlockOptions) => Block[]}
 */
export function blocksOf(comparison, options) {
  const { conclusion, outcome, warnings, profiles = [], differences } = comparison;
  const notes = { list: warnings.map(({ message }) => ({ text: message })) };
  const method = { title: { text: methodText(comparison) } };
  const isText = options.format === 'text';
  // A terminal needs the operations only if there are several.
  const operations =
    isText && comparison.operations.length < 2
      ? []
      : [operationsBlock(comparison, isText ? 'p95, ms' : 'operations, p95 in ms')];
  const figures = [
    { remarks: namedSides(comparison).map(({ name, side }) => ({ name, text: sideText(side) })) },
    { columns: columnsOf(comparison, ''), rows: comparison.figures.map((figure) => cellsOf(figureRow(figure))) },
    ...operations,
    {
      columns: columnsOf(comparison, 'streams'),
      rows: streamFigureRows(comparison).map(({ row }) => cellsOf(row)),
    },
    thresholdsBlock(comparison),
  ];
  if (isText)
    return [
      ...figures,
      { plain: comparedProfileLines(profiles, options) },
      notes,
      method,
      { title: { text: conclusion.message, style: conclusionStyle(conclusion) } },
    ];
  return [
    { title: { text: conclusion.message, level: 3 } },
    regressionsBlock(regressionsIn(outcome)),
    notes,
    ...figures,
    differencesBlock(differences, factName),
    method,
  ];
}

/** @type {(conclusion: Pick<Comparison['conclusion'], 'verdict'>) => Style[]} */
function conclusionStyle({ verdict }) {
  return verdict === 'better' || verdict === 'worse' ? [VERDICT_STYLES[verdict], 'bold'] : ['bold'];
}

/** @type {(comparison: Comparison, head: string) => Column[]} */
function columnsOf({ method }, head) {
  return [
    { head, isText: true },
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

/** The p95 of each operation. @type {(comparison: Comparison, head: string) => Block} */
function operationsBlock(comparison, head) {
  const { operations } = comparison;
  const rows = operations.map((operation) => {
    const { name, base, other, figures } = operationRow(operation);
    const [, p95] = figures;
    return [...cellsOf({ ...p95, name }), base, other];
  });
  const counts = ['requests of A', 'of B'].map((head) => ({ head, isText: true, from: Infinity }));
  return {
    columns: [...columnsOf(comparison, head), ...counts],
    rows,
    ...(operations.length > MOST_SHOWN && { folded: `${operations.length} operations` }),
  };
}

/** Counts failed runs of each side. @type {(comparison: Pick<Comparison, 'thresholds' | 'sides'>) => Block} */
export function thresholdsBlock({ thresholds, sides: { base, new: other } }) {
  return {
    columns: ['thresholds that failed', 'A', 'B'].map((head, i) => ({ head, isText: i === 0 })),
    rows: thresholds.map((one) => [one.expression, `${one.base} of ${base.runs}`, `${one.new} of ${other.runs}`]),
  };
}

/** @type {(texts: string[]) => Block} */
export function regressionsBlock(texts) {
  return { list: texts.map((text) => ({ text, style: 'red' })) };
}

/**
 * What differs between two sides. `nameOf` names a path.
 * @type {(differences: Comparison['differences'], nameOf: (path: string) => string) => Block}
 */
export function differencesBlock(differences, nameOf) {
  return {
    columns: ['what differs', 'A', 'B'].map((head) => ({ head, isText: true })),
    rows: differences.map(({ path, base, new: other }) => [nameOf(path), base || '-', other || '-']),
  };
}
