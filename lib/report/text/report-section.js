import { number } from '../numbers.js';
import { table } from './layout.js';

/** The section that the report function of the flow returned. @type {import('./index.js').Section} */
export function reportSection({ report }, { width, paint, quiet }) {
  if (!report || (quiet && !report.failed)) return [];
  const { title, lines = [], columns = [], rows = [], failed } = report;
  const heads = columns.map((head, i) => ({ head, isText: rows.every((row) => typeof row[i] === 'string') }));
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : number(cell))));
  const [head, ...body] = heads.length > 0 ? table(heads, cells, { width, paint }) : [''];
  const hasHead = columns.some((column) => column !== '');
  return [failed ? paint('red', title) : paint('bold', title), ...lines, ...(hasHead ? [head] : []), ...body];
}
