import { Worker } from 'node:worker_threads';

import { settlesWithin, THREAD_MS } from '../../run/closing.js';

/**
 * The thread of an engine. It loads the modules of a run, which takes longer than all that the command does before: so the
 * command starts it first, and its engine gets it later.
 */
export class EngineThread {
  worker = new Worker(new URL('./engine-worker.js', import.meta.url), { stdout: true });
  /** before an engine listens @type {unknown} */
  error = null;

  constructor() {
    this.worker.once('error', (error) => (this.error = error));
  }

  /** Ends a thread that no engine got. @returns {Promise<boolean>} false: it still exists */
  close = () => settlesWithin(this.worker.terminate(), THREAD_MS);
}
