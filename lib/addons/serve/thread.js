import { Worker } from 'node:worker_threads';

import { makeError } from '../../core/ground/errors.js';

/** @import { TargetOptions } from './server.js' */

/**
 * Starts the embedded REST service in its own thread, so that it does not share the event loop of the run.
 * @throws {Error} E_TARGET
 * @type {(options?: TargetOptions) => Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function startTargetThread(options) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: options, execArgv: [] });
  const { url, problems } = await new Promise((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  if (problems !== undefined) throw makeError('E_TARGET', { problems });
  return {
    url,
    close: async () => {
      await worker.terminate();
    },
  };
}
