import { checkRows, checksLine } from '../checks.js';
import { count } from '../numbers.js';
import { table, wrapped } from './layout.js';

/**
 * @import { CheckRow } from '../checks.js'
 * @import { SectionOptions } from './index.js'
 */

const MAX_FAILED = 10;
const INDENT = 2;

/** How many checks passed, and each that failed with its first failure; a full report has a table of all. @type {import('./index.js').Section} */
export function checksSection(result, options) {
  const { checks } = result;
  const { full, quiet, paint, glyphs } = options;
  if (!checks || (quiet && checks.failures === 0)) return [];
  const rows = checkRows(result);
  const failed = rows.filter(({ failures }) => failures > 0);
  const listed = full ? failed : failed.slice(0, MAX_FAILED);
  const rest = failed.length - listed.length;
  const mark = checks.failures > 0 ? glyphs.failed : glyphs.passed;
  return [
    paint(checks.failures > 0 ? 'red' : 'green', `${mark} checks   ${checksLine(checks)}`),
    ...(full ? tableOf(rows, options) : []),
    ...listed.flatMap((row) => failureLines(row, options)),
    ...(rest > 0 ? [`${' '.repeat(INDENT)}and ${count(rest)} more`] : []),
  ];
}

/** @type {(rows: CheckRow[], options: SectionOptions) => string[]} */
function tableOf(rows, options) {
  const columns = [
    { head: 'check', isText: true },
    { head: 'passed' },
    { head: 'count', from: 58 },
    { head: 'failed', from: 48 },
  ];
  const cells = rows.map(({ name, passed, total, failures }) => [name, passed, count(total), count(failures)]);
  return table(columns, cells, options);
}

/** @type {(row: CheckRow, options: SectionOptions) => string[]} */
function failureLines({ name, total, failures, failure }, { width }) {
  const line = (/** @type {string} */ text, /** @type {number} */ indent) =>
    ' '.repeat(indent) + wrapped(text, indent + INDENT, width);
  return [line(`${count(failures)} of ${count(total)} failed: ${name}`, INDENT), line(failure, 2 * INDENT)];
}
