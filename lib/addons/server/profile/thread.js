import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

import { readProfiles } from './read.js';

/** @import { Profile } from '../profile.js' */
/** @import { Recorded } from './read.js' */

const SELF = new URL(import.meta.url);

if (!isMainThread && workerData?.thread === SELF.href)
  parentPort?.postMessage(readProfiles(workerData.recorded, workerData.options));

/**
 * Reads profiles in a thread of its own: a large one takes seconds and gigabytes, which the thread of the run lacks.
 * @throws {Error} one cannot be read
 * @type {(recorded: Recorded[], options: Parameters<typeof readProfiles>[1]) => Promise<Profile>}
 */
export function readInThread(recorded, options) {
  return new Promise((resolve, reject) => {
    const thread = new Worker(SELF, { workerData: { thread: SELF.href, recorded, options } });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('its thread ended')));
  });
}
