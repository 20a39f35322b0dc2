/**
 * @import { Worker } from 'node:worker_threads'
 * @import { StartSettings, StartedServer } from '../../run/server/started-server.js'
 */

/** Grace period of a server after an abort, ms: with the other limits of an abort less than a second. */
const ABORTED_MS = 300;

/**
 * The server of a run, started by this thread for the thread of the run: hooks may block that one, end it, or keep it too
 * busy to read the output of the server.
 */
export class EngineServer {
  #worker;
  #loaded;
  /** @type {StartedServer | null} */
  #server = null;

  /**
   * @param {Pick<Worker, 'postMessage'>} worker
   * @param {StartSettings} settings
   */
  constructor(worker, settings) {
    this.#worker = worker;
    this.#loaded = this.#start(settings);
  }

  /** @returns {string} why it ended, with its last output; empty if it has not ended by itself */
  get output() {
    if (!this.#server?.hasEnded) return '';
    const lines = this.#server.outputText();
    return lines === '' ? 'the server wrote nothing' : `last output of the server:${lines}`;
  }

  /** @type {(how: { isAborted: boolean }) => Promise<string>} a sentence about processes that had left the server, or empty */
  async end({ isAborted }) {
    await this.#loaded;
    return (await this.#server?.stop(...(isAborted ? [ABORTED_MS] : []))) ?? '';
  }

  /** Resolves when the server can be ended. @type {(settings: StartSettings) => Promise<void>} */
  async #start(settings) {
    const { StartedServer } = await import('../../run/server/started-server.js');
    const server = new StartedServer(settings);
    this.#server = server;
    server.start().then(
      (ready) => {
        this.#worker.postMessage({ type: 'serverReady', ...ready });
        server.onEnd((end) => this.#worker.postMessage({ type: 'serverEnded', end }));
      },
      ({ code, message }) => this.#worker.postMessage({ type: 'serverRefused', error: { code, message } }),
    );
  }
}
