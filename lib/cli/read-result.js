import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { Validator } from '@cfworker/json-schema';

import { makeError } from '../errors.js';
import { jsonFault } from '../flow/formats/json-fault.js';
import { textError } from '../flow/formats/text-error.js';
import { decodeHdr } from '../measure/hdr-encoding.js';
import { show } from '../show.js';
import { SCHEMA } from './result.js';

/** @import { Result } from '../report/types.js' */

const SCHEMA_FILE = new URL('../../result.schema.json', import.meta.url);
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
  if (missing.length === PARTS.length)
    throw makeError('E_RESULT', {
      path: absolute,
      reason: 'is no result of bench-rest',
      cure: 'save one with -o result.json',
    });
  if (value.schema !== SCHEMA)
    throw makeError('E_RESULT', {
      path: absolute,
      reason: `is of schema ${show(value.schema)}, this bench-rest reads ${SCHEMA}`,
      cure: 'use the bench-rest that wrote it, or a newer one',
    });
  const fault = missing.length > 0 ? `has no ${missing.join(', ')}` : (shapeFault(value) ?? countsFault(value));
  if (fault)
    throw makeError('E_RESULT', { path: absolute, reason: fault, cure: 'it was cut or changed: save it again' });
  return value;
}

/** The first thing that is not as result.schema.json says; what a newer bench-rest adds is none. @type {(value: any) => string | undefined} */
function shapeFault(value) {
  const schema = JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'), (key, given) =>
    key === 'additionalProperties' && given === false ? undefined : given,
  );
  const { errors } = new Validator(schema, '2020-12').validate(value);
  // it begins with those of what holds it
  const fault = errors.at(-1);
  return (
    fault &&
    `is damaged at ${placeOf(fault.instanceLocation)}: ${fault.error.replace(/^Instance /, '').replace(/\.$/, '')}`
  );
}

/** `#/series/points/3` is `series.points[3]`. @type {(pointer: string) => string} */
function placeOf(pointer) {
  return pointer
    .replace(/^#\/?/, '')
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
}

/** The first of the counts that cannot be read, or belongs to nothing. @type {(result: Result) => string | undefined} */
function countsFault({ histograms, operations, series, ...others }) {
  if (!histograms) return undefined;
  const { operations: ofOperations, timers, series: ofPoints, ...ofAll } = histograms;
  if (ofOperations.length !== operations.length)
    return `is damaged at histograms.operations: ${ofOperations.length} of ${operations.length} operations`;
  if (ofPoints.length !== series.points.length)
    return `is damaged at histograms.series: ${ofPoints.length} of ${series.points.length} points`;
  const stray = Object.keys(timers).find((name) => !Object.hasOwn(others, name));
  if (stray !== undefined) return `is damaged at histograms.timers: there is no timer ${show(stray)}`;
  const all = [
    ...Object.entries(ofAll),
    ...ofOperations.map((text, i) => [`operations[${i}]`, text]),
    ...Object.entries(timers),
  ];
  const broken = all.find(([, text]) => text !== null && !isReadable(text));
  return broken && `is damaged at histograms.${broken[0]}: these are no counts`;
}

/** @type {(encoded: string) => boolean} */
function isReadable(encoded) {
  try {
    decodeHdr(encoded);
    return true;
  } catch {
    // zlib's words, or those of the encoding: nobody could do anything about them
    return false;
  }
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
  if (text === '')
    throw makeError('E_RESULT', { path, reason: 'is empty', cure: 'the run that was to write it did not end' });
  const fault = jsonFault(text);
  if (fault) throw textError(path, text, fault);
  return JSON.parse(text);
}

/** The result stands in the last line; without it the run did not end. @type {(path: string, text: string) => any} */
function lastLine(path, text) {
  const lines = text.split('\n').filter(Boolean);
  const last = lines.at(-1) ?? '';
  if (last.startsWith('{"type":"result"')) {
    const { type: _, ...result } = parse(path, last);
    return result;
  }
  const samples = lines.filter((one) => one.startsWith('{"type":"sample"') && one.endsWith('}')).length;
  throw makeError('E_RESULT', {
    path,
    reason: `is incomplete: ${samples} samples and no result`,
    cure: 'the run that wrote it did not end; what it says of each second can be read with any tool for JSON lines',
  });
}
