import { makeError } from '../ground/errors.js';
import { describe } from '../iteration/failure.js';
import { codeFrame } from '../text/code-frame.js';
import { typeName } from '../text/format-value.js';
import { settlesWithin } from './closing.js';
import { thrownPlace } from './flow-failures.js';

/** @import { SectionFunction } from '../contracts/run.js' */
/** @import { ReportSection, Stats } from '../contracts/stats.js' */

/** Time limit of the function, and limits of its section: lines of text or rows, columns, characters of a text. */
const TIME_LIMIT_MS = 5000;
const MOST_LINES = 1000;
const MOST_COLUMNS = 50;
const MOST_CHARACTERS = 1000;
/** Of a section without a title. */
const TITLE = 'section';

/**
 * Calls the section function of a flow with the stats of the whole run. `section` is null if it returns nothing; after
 * an E_SECTION the section describes the error.
 * @type {(sectionFunction: SectionFunction, stats: Stats, limitMs?: number) => Promise<{ section: ReportSection | null,
 *   error?: Error }>}
 */
export async function sectionOf(sectionFunction, stats, limitMs = TIME_LIMIT_MS) {
  try {
    // It gets a copy: the result keeps the measured values.
    const made = Promise.resolve(sectionFunction(structuredClone(stats)));
    if (!(await settlesWithin(made, limitMs))) throw new Error(`it did not finish within ${limitMs / 1000} s`);
    const value = await made;
    const refusal = refusalOf(value);
    return refusal === null ? { section: asSection(value) } : failed(refusal);
  } catch (cause) {
    return failed(reasonOf(cause), cause);
  }
}

/** @type {(reason: string, cause?: unknown) => { section: ReportSection, error: Error }} */
function failed(reason, cause) {
  const error = makeError('E_SECTION', { reason }, { cause });
  return { section: { title: TITLE, lines: linesOf(error.message), failed: true }, error };
}

/** @type {(cause: unknown) => string} */
function reasonOf(cause) {
  const reason = describe(cause, '');
  const place = thrownPlace(cause);
  if (place === null) return reason;
  const { file, line, column, source } = place;
  return `${reason}, at ${file}:${line}:${column}${source && `\n${codeFrame(source, column)}`}`;
}

/** Explains why a value cannot become a section. @type {(value: any) => string | null} */
function refusalOf(value) {
  if (value === undefined || value === null || typeof value === 'string') return null;
  const { text, rows, columns = [] } = Array.isArray(value) ? { text: undefined, rows: value } : value;
  if (text === undefined && rows === undefined)
    return `it returned ${typeName(value)}: return text, { title, text, rows } or rows`;
  const areRows = rows === undefined || (Array.isArray(rows) && rows.every((row) => typeof row === 'object' && row));
  if (!areRows) return 'its rows are not arrays or objects';
  return Array.isArray(columns) ? null : `its columns are ${typeName(columns)}: return an array of texts`;
}

/** @type {(value: any) => ReportSection | null} */
function asSection(value) {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return { title: TITLE, lines: linesOf(value) };
  if (Array.isArray(value)) return { title: TITLE, ...tableOf(value) };
  const { title = TITLE, text, columns, rows } = value;
  return {
    title: shortened(String(title)),
    ...(text !== undefined && { lines: linesOf(String(text)) }),
    ...(rows !== undefined && tableOf(rows, columns)),
  };
}

/** @type {(text: string) => string[]} */
function linesOf(text) {
  return text.replace(/\n$/, '').split(/\r?\n/, MOST_LINES).map(shortened);
}

/**
 * Makes a table of rows: arrays of cells, or objects, whose keys are the columns.
 * @type {(rows: any[], columns?: any[]) => Pick<ReportSection, 'columns' | 'rows'>}
 */
function tableOf(rows, columns) {
  const some = rows.slice(0, MOST_LINES);
  const heads = columns ?? [...new Set(some.flatMap((row) => (Array.isArray(row) ? [] : Object.keys(row))))];
  const width = Math.min(
    MOST_COLUMNS,
    some.reduce((most, row) => Math.max(most, Array.isArray(row) ? row.length : 0), heads.length),
  );
  const indexes = Array.from({ length: width }, (_, i) => i);
  return {
    columns: indexes.map((i) => shortened(String(heads[i] ?? ''))),
    rows: some.map((row) => indexes.map((i) => cellOf(Array.isArray(row) ? row[i] : row[heads[i]]))),
  };
}

/** @type {(value: unknown) => string | number | null} */
function cellOf(value) {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && Number.isFinite(value) ? value : shortened(String(value));
}

/** @type {(text: string) => string} */
function shortened(text) {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
