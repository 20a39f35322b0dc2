import { Worker } from 'node:worker_threads';

import { makeError } from '../../errors.js';
import { fromPlain } from './plain-error.js';

/** @import { FromWorker, Report, ToWorker, WorkerData } from './types.js' */

/**
 * One worker thread, from its birth to its end, which may come before its time.
 *
 * @param {WorkerData} workerData
 * @param {{ onReport: (report: Report) => void, onLost: (error: Error & { code: string }) => void }} listener
 */
export function startMember(workerData, { onReport, onLost }) {
  const name = `worker ${workerData.part + 1} of ${workerData.parts}`;
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData, name });
  let isReady = false;
  let isGone = false;
  let isAsked = false;
  /** of the question that is open @type {(result: any) => void} */
  let answer = () => {};
  /** @type {(error: Error) => void} */
  let refuse = () => {};
  const ready = new Promise((resolve, reject) => {
    answer = resolve;
    refuse = reject;
  }).then(() => (isReady = true));

  worker.on('message', (/** @type {FromWorker} */ message) => {
    if (message.type === 'report') onReport(message);
    else if (message.type === 'answer') answer(message.result);
    else {
      isGone = true;
      refuse(fromPlain(message.error));
    }
  });
  worker.on('error', (error) => lose(String(error?.message ?? error)));
  worker.on('exit', (code) => lose(`it ended with code ${code}`));

  /** @type {(reason: string) => void} */
  function lose(reason) {
    if (isGone) return;
    isGone = true;
    const error = makeError('E_WORKER', { name, reason });
    if (isReady) onLost(error);
    else refuse(error);
    answer(null);
  }

  return {
    ready,
    /** @type {(message: ToWorker) => void} */
    tell: (message) => worker.postMessage(message),
    /** null if it did not live to answer. @type {(message: ToWorker) => Promise<any>} */
    ask(message) {
      if (isGone) return Promise.resolve(null);
      worker.postMessage(message);
      isAsked = true;
      return new Promise((resolve) => {
        answer = (result) => {
          isAsked = false;
          resolve(result);
        };
      });
    },
    /** Whoever should have answered long ago is ended. */
    giveUp() {
      if (isGone || !isAsked) return;
      lose('it did not stop');
      worker.terminate();
    },
    async end() {
      isGone = true;
      await worker.terminate();
    },
  };
}
