import { isMainThread } from 'node:worker_threads';

/**
 * A flow file may be a program as well, which runs its flow. Where such a file is loaded as a flow, those runs are counted
 * here: for all copies of the package in this thread, since the file may import another one than the command is.
 *
 * @typedef {object} OwnRuns
 * @property {number} count of the runs that code of the flow has started
 * @property {boolean} isRepeated the thread repeats what another one has loaded, and starts none of them again
 */

const KEY = Symbol.for('bench-rest.own-runs');

/** @type {Record<symbol, OwnRuns | undefined>} */
const shared = /** @type {any} */ (globalThis);

/** Begins to count; call it before a flow is loaded. The runs of the main thread are those of the program. @type {(options?: { isRepeated: boolean }) => OwnRuns} */
export function countOwnRuns({ isRepeated } = { isRepeated: false }) {
  if (isMainThread) return { count: 0, isRepeated: false };
  return (shared[KEY] ??= { count: 0, isRepeated });
}

/** Counts a run. @returns {boolean} whether another thread has started it already */
export function isRepeatedRun() {
  const runs = shared[KEY];
  if (runs === undefined) return false;
  runs.count++;
  return runs.isRepeated;
}
