import { existsSync, readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';

import { Validator } from '@cfworker/json-schema';

import { makeError } from '../../errors.js';
import { hasFlowExtension } from '../../flow/source/extensions.js';
import { completeStats } from '../../measure/complete.js';
import { decodeHdr } from '../../measure/hdr-encoding.js';
import { TRANSACTIONS } from '../../measure/transactions.js';
import { FileRefusal, readRegularFile } from '../../read-file.js';
import { shortened, formatValue } from '../../text/format-value.js';
import { faultDetails } from '../../text/code-frame.js';
import { parseJson } from '../../text/parse-json.js';
import { SCHEMA } from './describe-run.js';
import { flowInsteadOfResult, isFlow } from './refuse-flow.js';

/** @import { Result } from '../../report/types.js' */

const SCHEMA_FILE = new URL('../../../result.schema.json', import.meta.url);
const MOST_BYTES = 256 * 1024 * 1024;
/** maximum characters of a location and of a reason, which may contain names of any length */
const LONGEST = 300;
/** The extensions of files that hold a whole result. */
export const RESULT_EXTENSIONS = ['.json', '.ndjson'];
const PARTS = ['iterations', 'requests', 'main', 'operations', 'series', 'exemplars', 'errors', 'client', 'verdict'];

/**
 * Reads a result that was saved with `-o x.json` or `-o x.ndjson`.
 *
 * @param {string} path
 * @param {string} cwd
 * @returns {Result}
 * @throws {Error} E_NO_FILE, E_RESULT; with line and column if it is not JSON
 */
export function readResult(path, cwd) {
  const absolute = resolve(cwd, path);
  const text = readText(absolute);
  const extension = extname(path).toLowerCase();
  if (hasFlowExtension(path) && !RESULT_EXTENSIONS.includes(extension)) throw flowInsteadOfResult(absolute, path);
  const value = /\.ndjson(?:(?:\.\d+)?\.partial)?$/i.test(path) ? lastLine(absolute, text) : parse(absolute, text);
  const missing = PARTS.filter((part) => typeof value?.[part] !== 'object' || value[part] === null);
  if (isFlow(value)) throw flowInsteadOfResult(absolute, path);
  if (missing.length === PARTS.length)
    throw makeError('E_RESULT', {
      path: absolute,
      reason: 'is not a result of bench-rest',
      cure: 'save one with -o result.json',
    });
  if (value.schema !== SCHEMA)
    throw makeError('E_RESULT', {
      path: absolute,
      reason: `has schema ${formatValue(value.schema)}, but this bench-rest reads schema ${SCHEMA}`,
      cure: 'use the version of bench-rest that wrote it, or a newer one',
    });
  const fault = missing.length > 0 ? `has no ${missing.join(', ')}` : (schemaFault(value) ?? countsFault(value));
  if (fault)
    throw makeError('E_RESULT', {
      path: absolute,
      reason: fault,
      cure: 'it is truncated or was changed: save it again',
    });
  return completeStats(value);
}

/** The first violation of result.schema.json. Unknown keys are allowed: a newer bench-rest may add some. @type {(value: any) => string | undefined} */
function schemaFault(value) {
  const schema = JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'), (key, given) =>
    key === 'additionalProperties' && given === false ? undefined : given,
  );
  const errors = faultsOf(new Validator(schema, '2020-12'), value);
  if (errors === null) return 'is damaged: a key contains half of a surrogate pair';
  // errors of enclosing values come first; an invalid key is reported for its object
  const fault = errors.find(({ keyword }) => keyword === 'propertyNames') ?? errors.at(-1);
  if (!fault) return undefined;
  const reason = fault.error.replace(/^Instance /, '').replace(/\.$/, '');
  return `is damaged at ${shortened(pathOf(fault.instanceLocation), LONGEST)}: ${shortened(reason, LONGEST)}`;
}

/** Null if a key cannot be part of a JSON pointer, because it has a lone surrogate. @type {(validator: Validator, value: unknown) => import('@cfworker/json-schema').OutputUnit[] | null} */
function faultsOf(validator, value) {
  try {
    return validator.validate(value).errors;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** `#/series/points/3` is `series.points[3]`. @type {(pointer: string) => string} */
function pathOf(pointer) {
  return pointer
    .replace(/^#\/?/, '')
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
}

/** The first counts that cannot be decoded, or that belong to no histogram. @type {(result: Result) => string | undefined} */
function countsFault({ histograms, operations, series, ...others }) {
  if (!histograms) return undefined;
  const { operations: ofOperations, operationsByStatus = [], timers, series: ofPoints, ...rest } = histograms;
  const { scenarios: _scenarios, groups: _groups, ...ofAll } = rest;
  if (ofOperations.length !== operations.length)
    return `is damaged at histograms.operations: ${ofOperations.length} of ${operations.length} operations`;
  if (operationsByStatus.length > operations.length)
    return `is damaged at histograms.operationsByStatus: ${operationsByStatus.length} of ${operations.length} operations`;
  if (ofPoints.length !== series.points.length)
    return `is damaged at histograms.series: ${ofPoints.length} of ${series.points.length} points`;
  for (const { key } of TRANSACTIONS) {
    const [encoded, measured] = [histograms[key] ?? [], others[key] ?? []];
    if (encoded.length !== measured.length)
      return `is damaged at histograms.${key}: ${encoded.length} of ${measured.length} ${key}`;
  }
  const stray = Object.keys(timers).find((name) => !Object.hasOwn(others, name));
  if (stray !== undefined) return `is damaged at histograms.timers: unknown timer ${formatValue(stray)}`;
  const all = [
    ...Object.entries(ofAll),
    ...ofOperations.map((text, i) => [`operations[${i}]`, text]),
    ...operationsByStatus.flatMap((all, i) =>
      Object.entries(all).map(([status, text]) => [`operationsByStatus[${i}].${status}`, text]),
    ),
    ...TRANSACTIONS.flatMap(({ key }) => (histograms[key] ?? []).map((text, i) => [`${key}[${i}]`, text])),
    ...Object.entries(timers),
  ];
  const broken = all.find(([, text]) => text !== null && !isReadable(text));
  return broken && `is damaged at histograms.${broken[0]}: not encoded counts`;
}

/** @type {(encoded: string) => boolean} */
function isReadable(encoded) {
  try {
    decodeHdr(encoded);
    return true;
  } catch {
    // the error of zlib or of the encoding would not help the user
    return false;
  }
}

/** @type {(path: string) => string} */
function readText(path) {
  try {
    return readRegularFile(path, { maxBytes: MOST_BYTES }).toString();
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    const { reason, cure } = error;
    if (!error.isMissing) throw makeError('E_RESULT', { path, reason, cure });
    const partial = `${path}.partial`;
    throw makeError('E_NO_FILE', {
      path,
      cure: existsSync(partial) ? `its run was killed: see ${partial}` : 'check the path',
    });
  }
}

/** @type {(path: string, text: string) => any} */
function parse(path, text) {
  if (text === '')
    throw makeError('E_RESULT', { path, reason: 'is empty', cure: 'the run that should have written it was killed' });
  const { value, fault } = parseJson(text);
  if (!fault) return value;
  const { path: place, reason, cure } = faultDetails(path, text, fault);
  throw makeError('E_RESULT', { path: `${place}:`, reason, cure });
}

/** The result is in the last line; if it is missing, the run was killed. @type {(path: string, text: string) => any} */
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
    cure: 'the run that wrote it was killed; any tool for JSON lines can read its samples',
  });
}
