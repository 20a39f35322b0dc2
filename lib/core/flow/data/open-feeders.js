import { isUtf8 } from 'node:buffer';
import { basename, isAbsolute, relative, resolve } from 'node:path';

import { nearest } from '../../ground/problems.js';
import { isOutside } from '../../process/confinement.js';
import { readOrComplain, readRegularFile } from '../../process/read-file.js';
import { formatValue, typeName } from '../../text/format-value.js';
import { isRecord } from '../record.js';
import { Feeder, Feeders, sharedTable } from './feeders.js';
import { FEEDERS } from './index.js';
import { ORDERS } from './orders.js';
import { RowFault, placeOf } from './table.js';

/** @import { Problems } from '../../ground/types.js' */
/** @import { Property } from '../types.js' */
/** @import { Definition, FeederFormat, Table } from './types.js' */

/**
 * @typedef {object} FeederContext
 * @property {string} [folder] of the flow; default: the working directory
 * @property {number} seed
 * @property {number} [loads] how many the run has
 * @property {Problems} problems
 * @property {(name: string) => string | undefined} [refuseName] why a feeder cannot have a name
 * @property {boolean} [isShared] threads share the rows
 * @property {Record<string, Table>} [tables] that another thread has read
 */

/** Bytes of a file of rows: 2,500,000 rows of 100 bytes. */
const MAX_BYTES = 256 * 1024 * 1024;
const BOM = Buffer.from('\ufeff');

/**
 * Reads the rows of the feeders of a flow: each becomes a `Feeder`, or its name one of `broken` if it has problems.
 * Rows are parsed when iterations use them: in memory there are the bytes of the file, and eight more for each row.
 * @type {(data: Record<string, unknown>, context: FeederContext) => Feeders}
 */
export function openFeeders(
  data,
  { folder = '', seed, loads, problems, refuseName = () => undefined, isShared = false, tables = {} },
) {
  const feeders = new Feeders();
  for (const [name, given] of Object.entries(data)) {
    const path = `flow.data.${name}`;
    const reason = refuseName(name);
    if (reason) problems.add(path, reason);
    const read = readDefinition(given, path, problems);
    const known = Object.hasOwn(tables, name) ? tables[name] : null;
    const table = known ?? (read && readTable({ path, folder, ...read, isShared, problems }));
    if (read && table)
      feeders.add(
        new Feeder(name, isShared ? sharedTable(table) : table, { definition: read.definition, seed, loads }),
      );
    else feeders.broken.push(name);
  }
  return feeders;
}

/**
 * @typedef {{ path: string, folder: string, definition: Definition, format: FeederFormat, isShared: boolean,
 *   problems: Problems }} FeederSource
 */

/** @type {(source: FeederSource) => Table | null} */
function readTable({ path, folder, definition, format, isShared, problems }) {
  const from = definition.file ? basename(definition.file) : path;
  const bytes = definition.file
    ? readFile(definition.file, { path, folder, isShared, problems })
    : asLines(definition.rows ?? []);
  if (bytes === null) return null;
  try {
    const { columns, bounds, delimiter, lacking, lost } = format.index(bytes, definition);
    if (bounds.length === 0) throw new RowFault('has no rows', bytes.length);
    return { format: format.name, from, columns, delimiter, bytes, bounds, lacking, ...(lost && { lost }) };
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    problems.add(path, `${placeOf({ format: format.name, from, bytes }, error.offset)}: ${error.message}`);
    return null;
  }
}

/** @type {(file: string, context: Pick<FeederSource, 'path' | 'folder' | 'isShared' | 'problems'>) => Buffer | null} */
function readFile(file, { path, folder, isShared, problems }) {
  const whole = resolve(folder, file);
  if (!isAbsolute(file) && isOutside(relative(resolve(folder), whole))) {
    problems.add(path, `${file} is outside of the folder of the flow: write its absolute path, ${whole}`);
    return null;
  }
  const complain = (/** @type {string} */ reason) => problems.add(path, reason);
  const bytes = readOrComplain(
    () => readRegularFile(whole, { maxBytes: MAX_BYTES, isStable: true, isShared }),
    complain,
  );
  if (bytes === null) return null;
  const reason = refuseEncoding(bytes);
  if (!reason) return bytes.subarray(bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0);
  complain(`${file} ${reason}`);
  return null;
}

/** @type {(bytes: Buffer) => string | undefined} */
function refuseEncoding(bytes) {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'is UTF-16: save it as UTF-8';
  return isUtf8(bytes) ? undefined : 'is not UTF-8: save it as UTF-8';
}

/** One line for each row, so that each iteration gets a copy. @type {(rows: unknown[]) => Buffer} */
function asLines(rows) {
  return Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'));
}

/**
 * @typedef {Pick<Property, 'about' | 'type' | 'check' | 'expected' | 'default'> & { schema: Record<string, unknown> }}
 *   DefinitionProperty
 */

const orders = ORDERS.map(({ name }) => name);
// The copy has no holes, which every() would skip.
const isRows = (/** @type {any} */ v) => Array.isArray(v) && [...v].every((row) => isRecord(row) && isData(row));

/** The properties of a feeder. @type {Record<string, DefinitionProperty>} */
export const DEFINITION = {
  file: {
    about: 'path of a file, relative to the flow',
    type: 'string',
    check: (v) => typeof v === 'string' && v !== '',
    expected: 'a path',
    schema: { type: 'string' },
  },
  rows: {
    about: 'the rows, instead of a file',
    type: 'Record<string, unknown>[]',
    check: isRows,
    expected: 'an array of objects, with values of JSON',
    schema: { type: 'array', items: { type: 'object' }, minItems: 1 },
  },
  order: {
    about: `which row an iteration gets: ${orders.join(', ')}`,
    type: orders.map((name) => `'${name}'`).join(' | '),
    check: (v) => orders.includes(v),
    expected: orders.join(', '),
    schema: { enum: orders },
    default: 'sequential',
  },
  whenEmpty: {
    about: 'what happens after the last row of order unique: the run ends, or operations that need a row fail',
    type: "'end' | 'fail'",
    check: (v) => v === 'end' || v === 'fail',
    expected: 'end or fail',
    schema: { enum: ['end', 'fail'] },
    default: 'end',
  },
  delimiter: {
    about: 'character between the values of a CSV file; default: a comma, and a tab in a .tsv file',
    type: 'string',
    check: (v) => typeof v === 'string' && /^[^"\r\n\u0080-\uffff]$/.test(v),
    expected: "one ASCII character, such as ';'",
    schema: { type: 'string', minLength: 1, maxLength: 1 },
  },
  columns: {
    about: 'names of the columns of a CSV file whose first line does not have them',
    type: 'string[]',
    check: (v) => Array.isArray(v) && v.length > 0 && [...v].every((name) => typeof name === 'string'),
    expected: 'an array of names',
    schema: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
};

/**
 * Reads the definition of a feeder: `'users.csv'`, an array of rows, or an object. Null if problems were added.
 * @type {(given: unknown, path: string, problems: Problems) => { definition: Definition, format: FeederFormat } | null}
 */
function readDefinition(given, path, problems) {
  const properties = /** @type {Record<string, any>} */ (expanded(given));
  const count = problems.list.length;
  checkProperties(properties, path, problems);
  if (problems.list.length > count) return null;
  const format = /** @type {FeederFormat} */ (formatOf(properties));
  const { order = DEFINITION.order.default, whenEmpty = DEFINITION.whenEmpty.default } = properties;
  return { definition: /** @type {Definition} */ ({ ...properties, order, whenEmpty }), format };
}

/** @type {(properties: Record<string, any>, path: string, problems: Problems) => void} */
function checkProperties(properties, path, problems) {
  if (!isRecord(properties)) {
    const expected = "a path such as 'users.csv', an array of rows or { file: 'users.csv' }";
    problems.add(path, `expected ${expected}, got ${typeName(properties)}`);
    return;
  }
  const count = problems.list.length;
  for (const [key, value] of Object.entries(properties)) {
    const row = Object.hasOwn(DEFINITION, key) ? DEFINITION[key] : undefined;
    if (!row) problems.unknown(`${path}.${key}`, 'property of a feeder', key, Object.keys(DEFINITION));
    else if (value !== undefined && !row.check(value))
      problems.add(`${path}.${key}`, `expected ${row.expected}, got ${formatValue(value)}`);
  }
  if (problems.list.length > count) return;
  const reason = refuseCombination(properties);
  if (reason) problems.add(path, reason);
  else checkFormat(properties, path, problems);
}

/** @type {(properties: Record<string, any>, path: string, problems: Problems) => void} */
function checkFormat(properties, path, problems) {
  const format = formatOf(properties);
  if (!format) {
    problems.add(path, refuseFile(properties.file));
    return;
  }
  for (const { name, options } of FEEDERS) {
    const foreign = options.filter((key) => properties[key] !== undefined && !format.options.includes(key));
    for (const key of foreign) problems.add(`${path}.${key}`, `is for ${name}, and this is ${format.name}: remove it`);
  }
}

/** @type {(given: unknown) => unknown} */
function expanded(given) {
  if (typeof given === 'string') return { file: given };
  return Array.isArray(given) ? { rows: given } : given;
}

/** @type {(properties: Record<string, any>) => string | undefined} */
function refuseCombination({ file, rows, order, whenEmpty }) {
  if (file === undefined && rows === undefined) return "has no rows: write file: 'users.csv', or rows: [{ … }]";
  if (file !== undefined && rows !== undefined) return 'has file and rows: use one of them';
  if (rows?.length === 0) return 'has no rows';
  if (whenEmpty !== undefined && order !== 'unique')
    return 'has whenEmpty, but only rows of order unique run out: remove it';
  return undefined;
}

/** @type {(properties: Record<string, any>) => FeederFormat | undefined} */
function formatOf({ file }) {
  if (file === undefined) return FEEDERS.find(({ name }) => name === 'rows');
  return FEEDERS.find(({ extensions }) => extensions.some((extension) => file.toLowerCase().endsWith(extension)));
}

/** @type {(file: string) => string} */
function refuseFile(file) {
  const known = FEEDERS.flatMap(({ extensions }) => extensions);
  const extension = /\.\w+$/.exec(file)?.[0] ?? '';
  const near = nearest(extension, known);
  return `${file} is not a file of rows: expected ${known.join(', ')}${near ? `, did you mean ${near}?` : ''}`;
}

/** JSON.stringify leaves functions out. @type {(value: any) => boolean} */
function isData(value) {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isData);
  return !['function', 'symbol', 'bigint'].includes(typeof value);
}
