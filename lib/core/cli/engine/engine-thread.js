import { settlesWithin, THREAD_MS } from '../../run/closing.js';
import { RunnerThread } from '../../run/runner.js';

/**
 * The thread of an engine. It loads the modules of a run, which takes longer than all that the command does before: so
 * the command starts it first, and its engine gets it later.
 */
export class EngineThread extends RunnerThread {
  constructor() {
    super(new URL('./engine-worker.js', import.meta.url), { stdout: true, stderr: true });
  }

  /** Ends a thread that no engine leads. @returns {Promise<boolean>} false: it still exists */
  close = async () => this.hasListener || settlesWithin(this.terminate(), THREAD_MS);
}
