import { extname, resolve } from 'node:path';

import { capacitySchema } from '../../capacity/capacity-schema.js';
import { makeError } from '../../ground/errors.js';
import { shapeOf } from '../../ground/schema-shape.js';
import { ShapeError, rebuild } from '../../ground/shape.js';
import { CAPACITY_HEAD, SCHEMA_VERSION } from '../../measure/document.js';
import { FileRefusal, readRegularFile } from '../../process/read-file.js';
import { parseJson } from '../../text/parse-json.js';

/** @import { Capacity } from '../../contracts/capacity.js' */

/** A search has at most a dozen steps. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads a capacity that was saved with `-o x.json`; null if the file is something else, which other readers explain.
 * @throws {Error} E_RESULT: it is damaged, or of a newer version that this one cannot read
 * @type {(path: string, cwd: string) => Capacity | null}
 */
export function readCapacity(path, cwd) {
  if (extname(path).toLowerCase() !== '.json') return null;
  const absolute = resolve(cwd, path);
  const value = valueIn(absolute);
  if (value?.type !== CAPACITY_HEAD.type) return null;
  try {
    // a later version adds keys, and raises the version when it changes one
    return rebuild(shapeOf(capacitySchema()), { ...value, ...CAPACITY_HEAD }, { name: 'capacity', dropsUnknown: true });
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const isNewer = value.schemaVersion > SCHEMA_VERSION;
    throw makeError('E_RESULT', {
      path: absolute,
      reason: `is damaged at ${error.path}: ${error.reason}`,
      cure: isNewer ? 'use a newer bench-rest' : 'it is truncated or was changed: save it again',
    });
  }
}

/** @type {(path: string) => any} */
function valueIn(path) {
  try {
    const text = readRegularFile(path, { maxBytes: MOST_BYTES }).toString();
    return parseJson(text).value;
  } catch (error) {
    if (error instanceof FileRefusal) return null;
    throw error;
  }
}
