import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

import { rootsOfAddons } from '../ground/addons.js';

/** @import { WorkerOptions } from 'node:worker_threads' */
/** @import { StopOptions } from './run.js' */
/** @import { Loss } from './types.js' */

/**
 * @typedef {object} ThreadListener
 * @property {(posted: unknown) => any} read throws if it is no message of ours
 * @property {(message: any) => void} onMessage
 * @property {(loss: Loss) => void} onLost called once, after its last message; also after its end
 */

const FOREIGN_MESSAGE =
  'code of the flow posted a message to parentPort, which bench-rest uses itself: remove it, or use a worker thread of its own';

/**
 * The size with which the young generation of a thread begins: the one to which V8 lets it grow. Earlier collections,
 * while connections are opened, scatter the objects of a virtual user: with 1,000 connections a request took 6.9 us of
 * CPU instead of 6.4.
 */
const YOUNG_MB = 16;

/** The messages by which a run is led, wherever it is. */
export class LedByMessages {
  /** @type {(message: { type: string } & Record<string, any>) => void} */
  post(message) {
    throw new Error(`nothing takes ${message.type}`);
  }

  /** Starts the measured iterations. @type {(at: number) => void} at: common time */
  startAt(at) {
    this.post({ type: 'start', at });
  }

  /** @type {(reason: string, options?: StopOptions) => void} */
  stop(reason, { within } = {}) {
    this.post({ type: 'stop', reason, within });
  }

  abort() {
    this.post({ type: 'abort' });
  }
}

/**
 * A thread that runs a load, as the leading thread sees it: EngineThread and WorkerHandle extend it. Code of the flow
 * runs in it, which can throw, exit, and post anything: the first of these is its loss, and later ones are ignored.
 */
export class RunnerThread extends LedByMessages {
  #worker;
  /** @type {ThreadListener | null} */
  #listener = null;
  /** @type {Loss | null} */
  #loss = null;

  /**
   * @param {URL} module
   * @param {WorkerOptions & { data?: unknown }} [options] `data`: `workerData.data` of the module
   */
  constructor(module, { data, ...options } = {}) {
    super();
    setFlagsFromString(`--min-semi-space-size=${YOUNG_MB}`);
    // Flows may read the arguments of the process.
    const workerData = { roots: rootsOfAddons(), module: module.href, data };
    this.#worker = startThread({ argv: process.argv.slice(2), workerData, ...options });
    /** @type {Loss | undefined} */
    let thrown;
    // Reports that were posted before an error may arrive after it, but not after the exit: that is the loss.
    this.#worker.on('error', (error) => {
      thrown = { error: error ?? 'no error' };
      void this.terminate();
    });
    this.#worker.on('exit', (code) => this.#lose(thrown ?? { code }));
  }

  /** @type {(listener: ThreadListener) => void} */
  listen(listener) {
    this.#listener = listener;
    this.#worker.on('message', (posted) => this.#receive(posted));
    if (this.#loss !== null) listener.onLost(this.#loss);
  }

  get hasListener() {
    return this.#listener !== null;
  }

  get stdout() {
    return this.#worker.stdout;
  }

  get stderr() {
    return this.#worker.stderr;
  }

  /** @override @type {LedByMessages['post']} */
  post(message) {
    this.#worker.postMessage(message);
  }

  /** @type {() => Promise<unknown>} */
  terminate() {
    return this.#worker.terminate();
  }

  /** @type {(posted: unknown) => void} */
  #receive(posted) {
    const { read, onMessage } = /** @type {ThreadListener} */ (this.#listener);
    // Later reports of a lost thread are not counted.
    if (this.#loss !== null) return;
    let message;
    try {
      message = read(posted);
    } catch (error) {
      this.#lose({ reason: `${FOREIGN_MESSAGE} (${/** @type {Error} */ (error).message})` });
      void this.terminate();
      return;
    }
    onMessage(message);
  }

  /** @type {(loss: Loss) => void} */
  #lose(loss) {
    if (this.#loss !== null) return;
    this.#loss = loss;
    this.#listener?.onLost(loss);
  }
}

const ENTRY = new URL('../process/thread.js', import.meta.url);

/**
 * Starts a thread that can require ES modules, as it loads features when they are needed: a process that uses the
 * package as CommonJS may have turned that off. Flags of V8 are those of all threads, and may not be repeated.
 * @type {(options: WorkerOptions) => Worker}
 */
function startThread(options) {
  if (/** @type {any} */ (process.features).require_module !== false) return new Worker(ENTRY, options);
  const needed = '--experimental-require-module';
  try {
    return new Worker(ENTRY, { execArgv: [...process.execArgv, needed], ...options });
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'ERR_WORKER_INVALID_EXEC_ARGV') throw error;
    return new Worker(ENTRY, { execArgv: [needed], ...options });
  }
}
