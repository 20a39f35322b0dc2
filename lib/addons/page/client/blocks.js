import { count } from '../../../core/ground/decimal.js';
import { element, table, timeText } from './elements.js';

/** @import { Block } from '../../../core/report/types.js' */

/** The statistics of a table of times. */
const BLOCK_TIMES = ['median', 'p95', 'p99', 'max'];
/** The classes of colors. @type {Record<string, string | undefined>} */
const STYLE_CLASSES = { green: 'passed', yellow: 'failed', red: 'failed' };

/**
 * The elements of a piece of a section, without its title. `label`: the name of its table.
 * @type {(label: string, block: Block) => HTMLElement[]}
 */
export function contentOf(label, { lines = [], columns = [], rows = [], times, remarks = [] }) {
  const heads = columns.map(({ from, spare, ...column }) => ({
    ...column,
    isWide: from !== undefined || spare !== undefined,
  }));
  return [
    ...lines.map(({ name, text, style = '' }) =>
      element('p', { class: STYLE_CLASSES[style], text: namedText(name, text) }),
    ),
    ...(rows.length > 0
      ? [
          table(
            label,
            heads,
            rows.map((row) => row.map(cellOf)),
          ),
        ]
      : []),
    ...(times && times.rows.length > 0 ? [timesTable(label, times)] : []),
    ...remarks.map(({ name, text }) => element('p', { class: 'quiet small', text: namedText(name, text) })),
  ];
}

/** @type {(name: string | undefined, text: string) => string} */
function namedText(name, text) {
  return name === undefined ? text : `${name.trim()}: ${text}`;
}

/** @type {(cell: NonNullable<Block['rows']>[0][0]) => Node | string} */
function cellOf(cell) {
  if (typeof cell === 'string') return cell;
  const { text } = cell;
  return element('span', { class: 'state' in cell ? cell.state : STYLE_CLASSES[cell.style], text });
}

/** @type {(label: string, times: NonNullable<Block['times']>) => HTMLElement} */
function timesTable(label, { head, rows }) {
  const columns = [head, 'count', 'p50, ms', 'p95, ms', 'p99, ms', 'max, ms'].map((text, i) => ({
    head: text,
    isText: i === 0,
  }));
  const cells = rows.map(({ name, summary }) => [
    name,
    count(summary.count),
    ...BLOCK_TIMES.map((key) => timeText(summary, key)),
  ]);
  return table(label, columns, cells);
}
