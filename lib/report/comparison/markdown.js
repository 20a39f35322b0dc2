import { escaped, table } from '../markup.js';
import { INTERVAL, THRESHOLD_HEAD, figureRow, methodText, operationRow, sideText, thresholdRows } from './rows.js';

/** @import { Comparison, RenderComparison, Side } from './formats.js' */
/** @import { FigureRow } from './rows.js' */

/** More operations are folded. */
const MOST_SHOWN = 10;
const HEAD = ['A', 'B', 'change', INTERVAL, ''];

/** A comment for a pull request: the sentence first. @type {RenderComparison} */
export function render(comparison) {
  const { sentence, regressions, objections, sides, totals, figures, differences } = comparison;
  const thresholds = thresholdRows(comparison);
  const parts = [
    `### ${escaped(sentence)}`,
    regressions.map((text) => `- **${escaped(text)}**`).join('\n'),
    objections.map((text) => `- ${escaped(text)}`).join('\n'),
    [totals.base, totals.other].map((of, i) => sideLines(sides[i], sideText(sides[i], of))).join('\n'),
    table(
      ['', ...HEAD],
      figures.map((figure) => cellsOf(figureRow(figure))),
    ),
    operationsTable(comparison),
    thresholds.length > 0
      ? table(
          THRESHOLD_HEAD,
          thresholds.map((row) => row.map(escaped)),
        )
      : '',
    differences.length > 0
      ? table(
          ['what differs', 'A', 'B'],
          differences.map((one) => [one.name, one.base || '-', one.other || '-'].map(escaped)),
        )
      : '',
    escaped(methodText(comparison)),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** @type {(side: Side, text: string) => string} */
function sideLines({ name, reasons }, text) {
  return [`- **${name}**: ${escaped(text)}`, ...reasons.map((reason) => `  - ${escaped(reason)}`)].join('\n');
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

/** @type {(row: FigureRow) => string[]} */
function cellsOf({ name, base, other, change, interval, verdict }) {
  const word = verdict === 'better' || verdict === 'worse' ? `**${verdict}**` : verdict;
  return [escaped(name), base, other, change, interval, word];
}
