import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { makeError } from '../errors.js';
import { jsonFault } from '../flow/formats/json-fault.js';
import { textError } from '../flow/formats/text-error.js';
import { SCHEMA } from './result.js';

/** @import { Result } from '../report/types.js' */

const PARTS = ['iterations', 'requests', 'main', 'operations', 'series', 'exemplars', 'errors', 'client', 'verdict'];

/**
 * A result that was saved with `-o x.json` or `-o x.ndjson`.
 *
 * @param {string} path
 * @param {string} cwd
 * @returns {Result}
 * @throws {Error} E_NO_FILE, E_RESULT; E_FLOW_FILE with line and column where it is no JSON
 */
export function readResult(path, cwd) {
  const absolute = resolve(cwd, path);
  const text = readText(absolute);
  const value = /\.ndjson$/i.test(path) ? lastLine(absolute, text) : parse(absolute, text);
  const missing = PARTS.filter((part) => typeof value?.[part] !== 'object' || value[part] === null);
  if (missing.length === PARTS.length) throw makeError('E_RESULT', { path: absolute, reason: 'is no result of bench-rest', cure: 'save one with -o result.json' });
  if (value.schema !== SCHEMA) throw makeError('E_RESULT', { path: absolute, reason: `is of schema ${JSON.stringify(value.schema)}, this bench-rest reads ${SCHEMA}`, cure: 'use the bench-rest that wrote it, or a newer one' });
  if (missing.length > 0) throw makeError('E_RESULT', { path: absolute, reason: `has no ${missing.join(', ')}`, cure: 'it was cut or changed: save it again' });
  return value;
}

/** @type {(path: string) => string} */
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT') throw makeError('E_NO_FILE', { path });
    throw makeError('E_RESULT', { path, reason: `cannot be read: ${code}`, cure: 'check the file' });
  }
}

/** @type {(path: string, text: string) => any} */
function parse(path, text) {
  if (text === '') throw makeError('E_RESULT', { path, reason: 'is empty', cure: 'the run that was to write it did not end' });
  const fault = jsonFault(text);
  if (fault) throw textError(path, text, fault);
  return JSON.parse(text);
}

/** The result stands in the last line; without it the run did not end. @type {(path: string, text: string) => any} */
function lastLine(path, text) {
  const lines = text.split('\n').filter(Boolean);
  const last = lines.at(-1) ?? '';
  if (last.startsWith('{"type":"result"')) return parse(path, last);
  const samples = lines.filter((one) => one.startsWith('{"type":"sample"') && one.endsWith('}')).length;
  throw makeError('E_RESULT', { path, reason: `is incomplete: ${samples} samples and no result`, cure: 'the run that wrote it did not end; what it says of each second can be read with any tool for JSON lines' });
}
