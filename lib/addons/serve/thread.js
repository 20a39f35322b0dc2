import { Worker } from 'node:worker_threads';

import { rootsOfAddons } from '../../core/ground/addons.js';
import { makeError } from '../../core/ground/errors.js';
import { THREAD_MS, settlesWithin } from '../../core/run/closing.js';

/** @import { TargetOptions } from './server.js' */
/** @import { CompanionModule } from '../../core/cli/types.js' */

/** Serves the base URL of a run. @type {CompanionModule['open']} */
export async function open(settings, { shutdown }) {
  const target = await startTargetThread(settings);
  shutdown.add(() => settlesWithin(target.close(), THREAD_MS));
  return { layer: { name: '--serve', options: { baseUrl: target.url } } };
}

/**
 * Starts the embedded REST service in its own thread, so that it does not share the event loop of the run.
 * @throws {Error} E_TARGET
 * @type {(options?: TargetOptions) => Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function startTargetThread(options) {
  const workerData = { roots: rootsOfAddons(), module: new URL('./worker.js', import.meta.url).href, options };
  const worker = new Worker(new URL('../../core/process/thread.js', import.meta.url), { workerData, execArgv: [] });
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
