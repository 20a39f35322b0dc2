import { isMainThread } from 'node:worker_threads';

import { uncaughtError } from '../iteration/failure.js';
import { isInternal } from './code-place.js';

/**
 * Counts the errors of a flow that nothing catches, in a thread that runs nothing else: they would end it in the middle of
 * the run. The main thread belongs to the program. Internal errors end the thread;
 * those that the flow handles by a listener of its own are not counted.
 *
 * @param {(error: Error) => void} count
 */
export function countUncaught(count) {
  if (isMainThread) return;
  process.on('uncaughtException', (thrown, origin) => {
    if (process.listenerCount('uncaughtException') > 1) return;
    if (!isInternal(thrown)) {
      count(uncaughtError(thrown, origin));
      return;
    }
    process.removeAllListeners('uncaughtException');
    // again, without a listener
    process.nextTick(() => {
      throw thrown;
    });
  });
}
