import { regressionsIn } from '../../measure/outcome.js';
import { escaped, table } from '../markup.js';
import { differenceName } from './objections.js';
import { INTERVAL, THRESHOLD_HEAD, figureRow, methodText, operationRow } from './rows.js';
import { namedSides, sideText, streamFigureRows, thresholdRows } from './rows.js';

/** @import { ComparedSide, Comparison } from '../../contracts/comparison.js' */
/** @import { RenderDocument } from '../types.js' */
/** @import { FigureRow } from './rows.js' */

/** More operations are folded. */
const MOST_SHOWN = 10;
const HEAD = ['A', 'B', 'change', INTERVAL, ''];

/**
 * Writes the comparison as a comment for a pull request: the conclusion first, as few readers go on.
 * @type {RenderDocument<Comparison>}
 */
export function render(comparison) {
  const { conclusion, outcome, warnings, figures, differences } = comparison;
  const thresholds = thresholdRows(comparison);
  const parts = [
    `### ${escaped(conclusion.message)}`,
    regressionsIn(outcome)
      .map((text) => `- **${escaped(text)}**`)
      .join('\n'),
    warnings.map(({ message }) => `- ${escaped(message)}`).join('\n'),
    namedSides(comparison).map(sideLines).join('\n'),
    table(
      ['', ...HEAD],
      figures.map((figure) => cellsOf(figureRow(figure))),
    ),
    operationsTable(comparison),
    streamsTable(comparison),
    thresholds.length > 0
      ? table(
          THRESHOLD_HEAD,
          thresholds.map((row) => row.map(escaped)),
        )
      : '',
    differences.length > 0
      ? table(
          ['what differs', 'A', 'B'],
          differences.map((one) => [differenceName(one.path), one.base ?? '-', one.new ?? '-'].map(escaped)),
        )
      : '',
    escaped(methodText(comparison)),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** @type {(named: { name: string, side: ComparedSide }) => string} */
function sideLines({ name, side }) {
  const reasons = side.validity?.reasons ?? [];
  return [`- **${name}**: ${escaped(sideText(side))}`, ...reasons.map(({ message }) => `  - ${escaped(message)}`)].join(
    '\n',
  );
}

/** @type {(comparison: Comparison) => string} */
function operationsTable({ operations }) {
  if (operations.length === 0) return '';
  const rows = operations.map((operation) => {
    const { name, base, other, figures } = operationRow(operation);
    const [, p95] = figures;
    return [...cellsOf({ ...p95, name }), escaped(base), escaped(other)];
  });
  const text = table(['operations, p95 in ms', ...HEAD, 'requests of A', 'of B'], rows);
  if (operations.length <= MOST_SHOWN) return text;
  return `<details><summary>${operations.length} operations</summary>\n\n${text}\n\n</details>`;
}

/** @type {(comparison: Comparison) => string} */
function streamsTable(comparison) {
  const rows = streamFigureRows(comparison).map(({ row }) => cellsOf(row));
  return rows.length > 0 ? table(['streams', ...HEAD], rows) : '';
}

/** @type {(row: FigureRow) => string[]} */
function cellsOf({ name, base, other, change, interval, verdict }) {
  const word = verdict === 'better' || verdict === 'worse' ? `**${verdict}**` : verdict;
  return [escaped(name), base, other, change, interval, word];
}
