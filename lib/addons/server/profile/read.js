import { gunzipSync } from 'node:zlib';

import { CallTree, profileOf } from './call-tree.js';
import { addFolded } from './folded.js';
import { OperationShares, readFollowed } from './operations.js';
import { placeOf } from './place.js';
import { addPprof } from './pprof.js';
import { SourceMaps } from './source-maps.js';
import { addCpuProfile, addHeapProfile } from './v8.js';

/** @import { Profile, ProfileFunction, ProfileKind } from '../profile.js' */
/** @import { ReadOptions } from './v8.js' */

/** Reading a larger profile would block the thread of the run for seconds. An hour has 20 MB. */
export const MOST_BYTES = 40_000_000;
/** Folded stacks do not say how long a sample is: perf and py-spy take 100 per second. */
const MS_PER_SAMPLE = 10;

/**
 * @typedef {object} Recorded the profile of a process, as its profiler wrote it
 * @property {string} name of the process
 * @property {boolean} [isWorker] it is of a worker thread
 * @property {Uint8Array} bytes
 * @property {Map<string, string>} [mapUrls] of its source maps, by the file
 * @property {number} [overhead] share of its CPU time
 * @property {Uint8Array} [marks] what the preload noted about operations
 */

/**
 * Reads the profiles of the processes of a service, which are all of one kind, as one: those of V8, those of pprof
 * (gzip too), folded stacks. `folder` is that of the service; `lastMs`: only the end of a CPU profile; `operations`
 * are the names of those of the flow.
 * @throws {Error} one cannot be read
 * @type {(recorded: Recorded[], options: { folder: string, durationMs: number, lastMs?: number, operations?: string[]
 *   }) => Profile}
 */
export function readProfiles(recorded, { folder, durationMs, lastMs, operations: names = [] }) {
  const tree = new CallTree();
  const shares = new OperationShares(names);
  /** @type {ProfileKind} */
  let kind = 'cpu';
  let duration = 0;
  let totalSoFar = 0;
  // The overheads as a mean, weighted by the values of the profiles that have one.
  let overheadValue = 0;
  let valueWithOverhead = 0;
  const processes = recorded.map(({ name, isWorker, bytes, mapUrls, overhead, marks }) => {
    const followed = readFollowed(marks, names.length);
    const before = totalSoFar;
    try {
      const read = addAny(tree, bytes, { places: placesIn(folder, mapUrls), lastMs, shares, followed });
      totalSoFar = checkedSum(tree.self);
      kind = read.kind;
      duration = Math.max(duration, read.durationMs || durationMs);
    } catch (error) {
      if (recorded.length === 1) throw error;
      throw new Error(`that of ${name}: ${/** @type {Error} */ (error).message}`, { cause: error });
    }
    const total = totalSoFar - before;
    if (overhead !== undefined) {
      overheadValue += overhead * total;
      valueWithOverhead += total;
    }
    return { name, total, ...(isWorker && { isWorker }) };
  });
  const busy = processes.filter(({ total }) => total > 0).sort((a, b) => b.total - a.total);
  const overhead = valueWithOverhead > 0 ? overheadValue / valueWithOverhead : undefined;
  return profileOf(tree, { kind, duration, processes: busy, overhead, operations: shares.result() });
}

/**
 * Adds a profile of any format, which its first bytes tell.
 * @type {(tree: CallTree, bytes: Uint8Array, options: ReadOptions) => { kind: ProfileKind, durationMs: number }}
 */
function addAny(tree, given, options) {
  if (given.length > MOST_BYTES) throw tooLarge(`${Math.round(given.length / 1e6)} MB`);
  const isGzip = given[0] === 0x1f && given[1] === 0x8b;
  const bytes = isGzip ? decompressed(given) : given;
  if (bytes.length === 0) throw new Error('it is empty');
  const { frameOf } = options.places;
  const beginning = bytes.subarray(0, 1000);
  // Folded stacks of PHP begin with {main}.
  if (/^\s*\{\s*"/.test(textOf(beginning))) {
    const profile = JSON.parse(textOf(bytes));
    if (profile.head === undefined) return { kind: 'cpu', ...addCpuProfile(tree, profile, options) };
    addHeapProfile(tree, profile, options);
    return { kind: 'heap', durationMs: 0 };
  }
  if (!isText(beginning)) return addPprof(tree, bytes, frameOf);
  addFolded(tree, textOf(bytes), frameOf, MS_PER_SAMPLE);
  return { kind: 'cpu', durationMs: 0 };
}

/** @type {(bytes: Uint8Array) => Uint8Array} */
function decompressed(bytes) {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw tooLarge(`more than ${MOST_BYTES / 1e6} MB when decompressed`);
  }
}

/** @type {(size: string) => Error} */
function tooLarge(size) {
  return new Error(`it has ${size}, more than can be read`);
}

/** Decodes UTF-8 without its byte order mark. @type {(bytes: Uint8Array) => string} */
function textOf(bytes) {
  return new TextDecoder().decode(bytes);
}

/**
 * Tells folded stacks, which have no control characters except tabs and line ends, from pprof, which has some.
 * @type {(bytes: Uint8Array) => boolean}
 */
function isText(bytes) {
  return bytes.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13);
}

/**
 * Finds functions in the sources of a service; each place is computed once.
 * @type {(folder: string, mapUrls?: Map<string, string>) => import('./v8.js').Places}
 */
function placesIn(folder, mapUrls) {
  const maps = new SourceMaps(mapUrls);
  /** @type {Map<string, ProfileFunction>} */
  const known = new Map();
  return {
    frameOf(call) {
      const key = `${call.name}\0${call.file}\0${call.line}\0${call.column}`;
      const frame = known.get(key) ?? placeOf(maps.original(call), folder);
      known.set(key, frame);
      return frame;
    },
    lineOf: (call, line) => maps.originalLine(call, line),
  };
}

/**
 * Adds up the values of a tree.
 * @throws {TypeError} they are no times, or sizes
 * @type {(values: number[]) => number}
 */
function checkedSum(values) {
  const total = values.reduce((sum, value) => (value >= 0 ? sum + value : NaN), 0);
  if (!(total <= Number.MAX_SAFE_INTEGER)) throw new TypeError('it has values that are no times or sizes');
  return total;
}
