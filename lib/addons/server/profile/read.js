import { CallTree, profileOf } from './call-tree.js';
import { OperationShares, readFollowed } from './operations.js';
import { placeOf } from './place.js';
import { SourceMaps } from './source-maps.js';
import { addCpuProfile, addHeapProfile } from './v8.js';

/** @import { Profile, ProfileFunction, ProfileKind } from '../profile.js' */
/** @import { ReadOptions } from './v8.js' */

/** Reading a larger profile would block the thread of the run for seconds. An hour has 20 MB. */
export const MOST_BYTES = 40_000_000;

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
 * Reads the profiles of the processes of a service, which are all of one kind, as one. `folder` is that of the
 * service; `lastMs`: only the end of a CPU profile; `operations` are the names of those of the flow.
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
      const read = addProfile(tree, bytes, { places: placesIn(folder, mapUrls), lastMs, shares, followed });
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
 * Adds a profile of V8.
 * @type {(tree: CallTree, bytes: Uint8Array, options: ReadOptions) => { kind: ProfileKind, durationMs: number }}
 */
function addProfile(tree, bytes, options) {
  if (bytes.length > MOST_BYTES) throw new Error(`it has ${Math.round(bytes.length / 1e6)} MB, more than can be read`);
  // Decoded without a byte order mark.
  const profile = JSON.parse(new TextDecoder().decode(bytes));
  if (profile.head === undefined) return { kind: 'cpu', ...addCpuProfile(tree, profile, options) };
  addHeapProfile(tree, profile, options);
  return { kind: 'heap', durationMs: 0 };
}

/** Each place is computed once. @type {(folder: string, mapUrls?: Map<string, string>) => import('./v8.js').Places} */
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
