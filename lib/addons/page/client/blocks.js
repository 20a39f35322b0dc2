import { count } from '../../../core/ground/decimal.js';
import { element, table, timeText } from './elements.js';

/** @import { Block } from '../../../core/report/types.js' */

/** The statistics of a table of times. */
const BLOCK_TIMES = ['median', 'p95', 'p99', 'max'];
/** The classes of colors. @type {Record<string, string | undefined>} */
const STYLE_CLASSES = { green: 'passed', yellow: 'failed', red: 'failed' };

/** The elements of a piece of a section. @type {(label: string, block: Block) => Node[]} label: of its table */
export function contentOf(label, { title, plain = [], lines = [], columns = [], rows = [], times, ...block }) {
  const { folded, remarks = [], list = [] } = block;
  const heads = columns.map(({ from = Infinity, spare, ...column }) => ({
    ...column,
    isWide: from < Infinity || spare !== undefined,
  }));
  const cells = rows.map((row) => row.map(cellOf));
  const made = [
    ...(plain.length > 0 ? [element('pre', { ...REGION, 'aria-label': label, text: plain.join('\n') })] : []),
    ...(rows.length > 0 ? [table(label, heads, cells)] : []),
  ];
  return [
    ...(title ? [element('p', { text: title.text })] : []),
    ...lines.map(({ name, ...one }) => element('p', styled({ ...one, text: namedText(name, one.text) }))),
    ...(folded === undefined ? made : [element('details', {}, element('summary', { text: folded }), ...made)]),
    ...(times && times.rows.length > 0 ? [timesTable(label, times)] : []),
    ...remarks.map(({ name, text }) => element('p', { class: 'quiet small', text: namedText(name, text) })),
    ...(list.length > 0 ? [element('ul', {}, ...list.map((one) => element('li', styled(one))))] : []),
  ];
}

/** A region that scrolls sideways, also by keyboard. */
const REGION = { class: 'scroll', tabindex: 0, role: 'region' };

/** @type {(name: string | undefined, text: string) => string} */
function namedText(name, text) {
  return name === undefined ? text : `${name.trim()}: ${text}`;
}

/** @type {(cell: NonNullable<Block['rows']>[0][0]) => Node | string} */
function cellOf(cell) {
  return typeof cell === 'string' ? cell : element('span', styled(cell));
}

/** @type {(one: { text: string, style?: string, state?: string }) => { class?: string, text: string }} */
function styled({ text, style = '', state = STYLE_CLASSES[style] }) {
  return { class: state, text };
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
