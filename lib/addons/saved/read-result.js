import { readdirSync, statSync } from 'node:fs';
import { extname, join, parse as parsePath, resolve } from 'node:path';

import schema from '../../../result.schema.json' with { type: 'json' };
import { METHOD_KEYS } from '../../core/flow/properties.js';
import { hasFlowExtension } from '../../core/flow/source/formats/index.js';
import { offered } from '../../core/ground/addons.js';
import { makeError } from '../../core/ground/errors.js';
import { shapeOf } from '../../core/ground/schema-shape.js';
import { ShapeError, rebuild } from '../../core/ground/shape.js';
import { RUN_HEAD, SCHEMA_VERSION } from '../../core/measure/document.js';
import { hasCounts } from '../../core/measure/histogram.js';
import { contradictionIn } from './received-stats.js';
import { stateOf, stateOfLoad } from '../../core/measure/state.js';
import { FileRefusal, readTextFile } from '../../core/process/read-file.js';
import { distinct } from './distinct.js';
import { isShard } from '../../core/run/options/shard.js';
import { faultDetails } from '../../core/text/code-frame.js';
import { formatValue, shortened } from '../../core/text/format-value.js';
import { parseJson } from '../../core/text/parse-json.js';
import { MAX_RESULT_BYTES, MAX_RESULT_VALUES, hasMoreValues } from './bounded.js';
import { usageError } from '../../core/cli/usage-error.js';

/** @import { Result } from '../../core/report/types.js' */

/** Bytes of a file, which may have a point for each second before its result. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Maximum characters of a location and of a reason, which may contain names of any length. */
const LONGEST = 300;
/** The extensions of files that hold a whole result. */
export const RESULT_EXTENSIONS = ['.json', '.ndjson'];
/** The types of other documents. @type {string[]} */
const OTHER_TYPES = offered('documentTypes');
/** Objects that every result has; a document without any of them is no result. */
const REQUIRED = [
  'iterations',
  'requests',
  'main',
  'operations',
  'series',
  'exemplars',
  'errors',
  'loadGenerator',
  'validity',
];

/**
 * Reads a result that was saved with `-o x.json` or `-o x.ndjson`. `onNotice` receives a sentence if another version
 * saved it.
 * @throws {Error} E_FILE_NOT_FOUND, E_RESULT; with line and column if it is not JSON
 * @type {(path: string, cwd: string, onNotice?: (text: string) => void) => Result}
 */
export function readResult(path, cwd, onNotice = () => {}) {
  const absolute = resolve(cwd, path);
  const text = readText(absolute);
  const extension = extname(path).toLowerCase();
  if (hasFlowExtension(path) && !RESULT_EXTENSIONS.includes(extension)) throw flowInsteadOfResult(absolute, path);
  const value = LINES.test(path) ? lastLine(absolute, text) : parse(absolute, text);
  const isOther = OTHER_TYPES.includes(value?.type);
  if (!isOther && isFlow(value)) throw flowInsteadOfResult(absolute, path);
  if (!isOther && missingIn(value).length === REQUIRED.length) throw notAResult(absolute);
  const version = versionOf(value, absolute);
  try {
    if (version > SCHEMA_VERSION) onNotice(newerNotice(path, version));
    return checked({ ...value, ...RUN_HEAD });
  } catch (error) {
    const reason = shortened(/** @type {Error} */ (error).message, LONGEST);
    const isNewer = version > SCHEMA_VERSION;
    throw makeError('E_RESULT', {
      path: absolute,
      reason: isNewer ? `has schema version ${version}, and ${reason}` : reason,
      cure: isNewer ? 'use a newer bench-rest' : 'it is truncated or was changed: save it again',
    });
  }
}

/**
 * Returns the schema version of a document.
 * @throws {Error} E_RESULT: it is not a result
 * @type {(value: any, path: string) => number}
 */
function versionOf(value, path) {
  const { type, schemaVersion } = value;
  if (type !== RUN_HEAD.type)
    throw makeError('E_RESULT', {
      path,
      reason: OTHER_TYPES.includes(type) ? `is a ${type}, not a result` : `has the type ${formatValue(type)}`,
      cure: `use a file with "type": "${RUN_HEAD.type}", as -o result.json writes it`,
    });
  if (Number.isInteger(schemaVersion) && schemaVersion >= SCHEMA_VERSION) return schemaVersion;
  throw makeError('E_RESULT', {
    path,
    reason: `has schemaVersion ${formatValue(schemaVersion)}, and this bench-rest reads ${SCHEMA_VERSION} and newer`,
    cure: 'use the version of bench-rest that wrote it',
  });
}

/** @type {(path: string, version: number) => string} */
function newerNotice(path, version) {
  return `${path} has schema version ${version}, of a newer bench-rest: what this one does not know is left out`;
}

/** Lists the required objects that a document lacks. @type {(value: any) => string[]} */
function missingIn(value) {
  return REQUIRED.filter((key) => typeof value?.[key] !== 'object' || value[key] === null);
}

/**
 * Rebuilds a result: properties that are not in its schema are dropped, as a newer bench-rest may add some.
 * @type {(value: any) => Result}
 * @throws {Error} the first contradiction to the schema, or between the figures and the counts of histograms
 */
function checked(value) {
  const missing = missingIn(value);
  if (missing.length > 0) throw new Error(`has no ${missing.join(', ')}`);
  const result = withShortRun(rebuilt(value));
  const { endedAt, loadGenerators = [] } = result;
  const wrong = loadGenerators.findIndex(({ shard }) => shard && !isShard(shard));
  if (wrong >= 0) throw damaged(`loadGenerators[${wrong}].shard`, 'no number up to that of all shards');
  // The last state of an aborted run has no end: iterations were running, so its counters need not add up.
  const contradiction = contradictionIn(result, { isOver: endedAt !== undefined });
  if (contradiction) throw damaged(contradiction);
  if (hasCounts(result)) checkCounts(result);
  return result;
}

/** Makes the texts about a run single lines of a report. @type {(result: Result) => Result} */
function withShortRun(result) {
  if (!result.run) return result;
  const run = Object.fromEntries(
    Object.entries(result.run).map(([name, value]) => [name, typeof value === 'string' ? distinct(value) : value]),
  );
  return { ...result, run: /** @type {Result['run']} */ (run) };
}

/** @type {(value: any) => Result} */
function rebuilt(value) {
  try {
    return rebuild(shapeOf(schema), value, { name: 'result', dropsUnknown: true });
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw damaged(shortened(error.path.replace(/^result\.?/, ''), LONGEST / 2), error.reason);
  }
}

/** Checks that the counts of each histogram are those of its figures. @type {(result: Result) => void} */
function checkCounts(result) {
  try {
    // These decode all histograms, and throw at the first one whose counts and figures differ.
    stateOf(result);
    result.loads?.forEach((load, i) => stateOfLoad(load, `loads[${i}]`));
  } catch (error) {
    throw damaged(/** @type {Error} */ (error).message);
  }
}

/** `place`: where, and the reason if it is known. @type {(...place: string[]) => Error} */
function damaged(...place) {
  return new Error(`is damaged at ${place.join(': ')}`);
}

/** @type {(path: string) => string} */
function readText(path) {
  try {
    return readTextFile(path, { maxBytes: MOST_BYTES });
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    const { reason, cure } = error;
    if (!error.isMissing) throw makeError('E_RESULT', { path, reason, cure });
    const partial = partialBeside(path);
    const seePartial = `its run was killed: see ${partial}, whose points any tool for JSON lines can read`;
    throw makeError('E_FILE_NOT_FOUND', { what: 'file', path, cure: partial === null ? 'check the path' : seePartial });
  }
}

/** The newest file that a killed run of this result left; null: none. @type {(path: string) => string | null} */
function partialBeside(path) {
  const { dir, name } = parsePath(path);
  const files = (filesIn(dir) ?? []).filter((file) => PARTIAL.test(file) && file.replace(PARTIAL, '') === name);
  const times = files.map((file) => statSync(join(dir, file), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return files.length === 0 ? null : join(dir, files[times.indexOf(Math.max(...times))]);
}

/** The end of the name of a file of JSON lines, and of one that is written during a run, see `startFile`. */
const LINES = /\.ndjson(?:(?:\.\d+)?\.partial)?$/i;
const PARTIAL = /\.ndjson(?:\.\d+)?\.partial$/i;

/** @type {(path: string, text: string) => any} */
function parse(path, text) {
  if (text === '')
    throw makeError('E_RESULT', { path, reason: 'is empty', cure: 'the run that should have written it was killed' });
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_RESULT_BYTES || hasMoreValues(bytes, MAX_RESULT_VALUES))
    throw makeError('E_RESULT', { path, reason: 'is larger than any result', cure: 'check the path' });
  const { value, fault } = parseJson(text);
  if (!fault) return value;
  if (!RESULT_EXTENSIONS.some((extension) => path.toLowerCase().endsWith(extension)) && !/^\s*\{/.test(text))
    throw notAResult(path);
  const { path: place, reason, cure } = faultDetails(path, text, fault);
  throw makeError('E_RESULT', { path: `${place}:`, reason, cure });
}

/** @type {(path: string) => Error} */
function notAResult(path) {
  return makeError('E_RESULT', { path, reason: 'is not a result of bench-rest', cure: 'save one with -o result.json' });
}

/** Parses the last line, which has the result unless the run was killed. @type {(path: string, text: string) => any} */
function lastLine(path, text) {
  const lines = text.split('\n').filter(Boolean);
  const last = lines.at(-1) ?? '';
  if (last.startsWith('{"$schema":')) return parse(path, last);
  const points = lines.filter((one) => /^\{"type":"point".*\}$/.test(one)).length;
  if (points === 0 && /^\{"time":/.test(lines[0] ?? ''))
    throw makeError('E_RESULT', {
      path,
      reason: 'is a log of requests, not a result',
      cure: 'save a result with -o result.json; merge --log joins logs',
    });
  throw makeError('E_RESULT', {
    path,
    reason: `is incomplete: ${points} points and no result`,
    cure: 'the run that wrote it was killed; any tool for JSON lines can read its points',
  });
}

/** Reports whether a value that was saved as JSON is a flow. @type {(value: any) => boolean} */
function isFlow(value) {
  if (Array.isArray(value))
    return value.length > 0 && value.every((one) => typeof one === 'string' || isOperation(one));
  // The main of a result has a histogram.
  return isOperation(value) || (value?.main !== undefined && value.main?.histogram === undefined);
}

/** @type {(value: any) => boolean} */
function isOperation(value) {
  return typeof value === 'object' && value !== null && METHOD_KEYS.some((key) => Object.hasOwn(value, key));
}

/** @type {(absolute: string, path: string) => Error} */
function flowInsteadOfResult(absolute, path) {
  return makeError('E_RESULT', {
    path: absolute,
    reason: 'is a flow, not a result',
    cure: `run it and save its result: bench-rest -o result.json ${path}`,
  });
}

/**
 * Lists the paths of the results in a folder, by their names and the numbers in these; any other path is that of a
 * result.
 * @throws {Error} E_USAGE: the folder has none
 * @type {(path: string, cwd: string) => string[]}
 */
export function resultsIn(path, cwd) {
  const folder = resolve(cwd, path);
  const files = filesIn(folder);
  if (files === null) return [path];
  const names = files.filter((name) => RESULT_EXTENSIONS.includes(extname(name).toLowerCase()));
  if (names.length === 0) throw usageError(`${path} has no results: no ${RESULT_EXTENSIONS.join(' or ')} file`);
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).map((name) => join(path, name));
}

/**
 * @type {(folder: string) => string[] | null} null: it is no folder, or cannot be read as one, which reading the result
 *   reports
 */
function filesIn(folder) {
  try {
    return statSync(folder).isDirectory() ? readdirSync(folder) : null;
  } catch {
    return null;
  }
}
