import { marked } from '../supported.js';
import { OUTCOME_STYLES, table, wrapped } from './layout.js';

/** @import { Block, BlockOptions } from '../types.js' */
/** @import { Style } from './layout.js' */

/** The statistics of a table of times. */
const TIMES = /** @type {const} */ ([
  { head: 'mean', key: 'mean', from: 68 },
  { head: 'p50', key: 'median' },
  { head: 'p95', key: 'p95', from: 48 },
  { head: 'p99', key: 'p99' },
  { head: 'max', key: 'max', from: 58 },
]);

/** @typedef {Pick<BlockOptions, 'glyphs' | 'paint' | 'scale' | 'width'>} Layout */

/** Prints a piece of a section. @type {(block: Block, options: Layout) => string[]} */
export function blockLines(block, options) {
  const { title, lines = [], columns = [], rows = [], times, remarks = [], list = [], plain = [] } = block;
  const { paint, width, glyphs } = options;
  const painted = (/** @type {string} */ text, /** @type {Style | Style[] | undefined} */ style) =>
    style === undefined ? text : paint(style, text);
  const named = (/** @type {string} */ name, /** @type {string} */ text, /** @type {Style} */ style) =>
    `${paint(style, `${name}  `)}${wrapped(text, name.length + 2, width)}`;
  const cells = rows.map((row) =>
    row.map((cell) =>
      typeof cell === 'object' && 'state' in cell
        ? { text: `${glyphs[cell.state]} ${cell.text}`, style: OUTCOME_STYLES[cell.state] }
        : cell,
    ),
  );
  // Remarks about a line are indented below it.
  const [margin, indent] = lines.length > 0 ? ['  ', 2] : ['', 0];
  return [
    ...(title ? [painted(wrapped(title.text, 0, width), title.style)] : []),
    ...plain,
    ...lines.map(({ name, text, style }) =>
      name === undefined ? painted(wrapped(text, 2, width), style) : named(name, text, 'bold'),
    ),
    ...table(columns, cells, options),
    ...(times ? timesTable(times, options) : []),
    ...remarks.map(({ name, text }) =>
      name === undefined ? margin + wrapped(text, indent, width) : named(name, text, 'dim'),
    ),
    ...list.map(({ text, style, link }) =>
      painted(wrapped(`- ${text}${link ? `  ${link.link ?? link.id}` : ''}`, 2, width), style),
    ),
  ];
}

/** @type {(times: NonNullable<Block['times']>, options: Layout) => string[]} */
function timesTable({ head, rows }, options) {
  const { unit, format } = options.scale;
  const cells = rows.map(({ name, summary }) => [name, ...TIMES.map(({ key }) => marked(summary, key, format))]);
  return table([{ head: `${head}, ${unit}`, isText: true }, ...TIMES], cells, options);
}
