import { isUtf8 } from 'node:buffer';
import { basename, isAbsolute, relative, resolve } from 'node:path';

import { isOutside } from '../../process/confinement.js';
import { FileRefusal, readRegularFile } from '../../process/read-file.js';
import { readDefinition } from './definition.js';
import { Feeder, Feeders, sharedTable } from './feeders.js';
import { RowFault, placeOf } from './table.js';

/** @import { Problems } from '../../ground/types.js' */
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
 * Reads the rows of the feeders of a flow; a feeder with problems has a name alone. Rows are parsed when iterations use
 * them: in memory there are the bytes of the file, and eight more for each row.
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
 *   problems: Problems }} Source
 *
 * @type {(source: Source) => Table | null}
 */
function readTable({ path, folder, definition, format, isShared, problems }) {
  const from = definition.file ? basename(definition.file) : path;
  const bytes = definition.file
    ? readFile(definition.file, { path, folder, isShared, problems })
    : asLines(definition.rows ?? []);
  if (bytes === null) return null;
  try {
    const { columns, bounds, delimiter, lacking } = format.index(bytes, definition);
    if (bounds.length === 0) throw new RowFault('has no rows', bytes.length);
    return {
      format: format.name,
      from,
      columns,
      delimiter,
      bytes,
      bounds,
      lacking,
    };
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    problems.add(path, `${placeOf({ format: format.name, from, bytes }, error.offset)}: ${error.message}`);
    return null;
  }
}

/** @type {(file: string, context: Pick<Source, 'path' | 'folder' | 'isShared' | 'problems'>) => Buffer | null} */
function readFile(file, { path, folder, isShared, problems }) {
  const whole = resolve(folder, file);
  if (!isAbsolute(file) && isOutside(relative(resolve(folder), whole))) {
    problems.add(path, `${file} is outside of the folder of the flow: write its absolute path, ${whole}`);
    return null;
  }
  try {
    const bytes = readRegularFile(whole, { maxBytes: MAX_BYTES, isStable: true, isShared });
    const reason = refuseEncoding(bytes);
    if (!reason) return bytes.subarray(bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0);
    problems.add(path, `${file} ${reason}`);
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    problems.add(path, error.message);
  }
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
