import { Worker } from 'node:worker_threads';

import { settlesWithin, THREAD_MS } from '../../run/closing.js';

/**
 * The thread of an engine. It loads the modules of a run, which takes longer than all that the command does before: so
 * the command starts it first, and its engine gets it later.
 */
export class EngineThread {
  #worker = new Worker(new URL('./engine-worker.js', import.meta.url), {
    stdout: true,
    // flows read them
    argv: process.argv.slice(2),
  });
  /** before an engine listens @type {unknown} */
  error = null;
  #isTaken = false;

  constructor() {
    this.#worker.once('error', (error) => (this.error = error));
  }

  /** For an engine, which ends it from then on. @returns {Worker} */
  take() {
    this.#isTaken = true;
    return this.#worker;
  }

  /** Ends a thread that no engine took. @returns {Promise<boolean>} false: it still exists */
  close = async () => this.#isTaken || settlesWithin(this.#worker.terminate(), THREAD_MS);
}
