import { streamRows, streamTexts, streamsOf } from '../streams.js';
import { marked } from '../supported.js';
import { table, wrapped } from './layout.js';

/** The times that the table shows. */
const COLUMNS = /** @type {const} */ ([
  { head: 'mean', key: 'mean', from: 68 },
  { head: 'p50', key: 'median' },
  { head: 'p95', key: 'p95', from: 48 },
  { head: 'p99', key: 'p99' },
  { head: 'max', key: 'max', from: 58 },
]);

/** The streams of each operation: their times, and their counts. @type {import('./index.js').Section} */
export function streamsSection(result, options) {
  const { paint, width } = options;
  const { unit, format } = options.scale;
  const rows = streamRows(result);
  const isOne = streamsOf(result).length === 1;
  const cells = rows.map(({ operation, label, summary }) => [
    isOne ? label : `${operation}: ${label}`,
    ...COLUMNS.map(({ key }) => marked(format(summary[key]), summary, key)),
  ]);
  const lines = streamTexts(result).map(({ operation, text }) => {
    const head = `${operation}  `;
    return `${paint('dim', head)}${wrapped(text, head.length, width)}`;
  });
  const heads = [{ head: `streams, ${unit}`, isText: true }, ...COLUMNS];
  return [...(cells.length > 0 ? table(heads, cells, options) : []), ...lines];
}
