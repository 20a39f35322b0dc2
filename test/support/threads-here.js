import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { PassThrough } from 'node:stream';
import threads from 'node:worker_threads';

import { IS_FULL } from './scale.js';

const { Worker } = threads;
/** The modules that can run here, with the number of stories that let them. */
const ENTRIES = {
  engine: { pattern: /\/cli\/engine\/engine-worker\.js$/, stories: 0 },
  workers: { pattern: /\/run\/workers\/entry\.js$/, stories: 0 },
};
let count = 0;
/** There is one `parentPort` per thread: a module owns it until its first message. */
let starting = Promise.resolve();

if (!IS_FULL) {
  threads.Worker = new Proxy(Worker, {
    construct: (target, [url, options]) =>
      Object.values(ENTRIES).some(({ pattern, stories }) => stories > 0 && pattern.test(url))
        ? new ThreadHere(url, options)
        : new target(url, options),
  });
  syncBuiltinESMExports();
}

/**
 * Runs a story whose command has its engine, or whose runs have their workers, in this thread: a new thread loads all
 * modules again, which takes 0.15 s of CPU. With the full counts they are threads. A test about a flow that blocks,
 * ends or breaks its thread, or about the CPU or the memory of a thread, needs a thread.
 *
 * @template T
 * @param {'engine' | 'workers'} what
 * @param {() => Promise<T>} story
 * @returns {Promise<T>}
 */
export async function here(what, story) {
  const entry = ENTRIES[what];
  entry.stories++;
  try {
    return await story();
  } finally {
    entry.stories--;
  }
}

/** Evaluates a module in this thread, with the events and methods of a `Worker` that the command and the pool use. */
class ThreadHere extends EventEmitter {
  stdout = new PassThrough();
  #port;
  #isTerminated = false;

  /** @param {URL} url @param {{ workerData: unknown }} options */
  constructor(url, { workerData }) {
    super();
    const { port1, port2 } = new threads.MessageChannel();
    this.#port = port1;
    const hasStarted = new Promise((resolve) => this.once('message', resolve).once('exit', resolve));
    port1.on('message', (message) => this.emit('message', message));
    starting = starting.then(async () => {
      if (this.#isTerminated) return;
      provide(port2, structuredClone(workerData));
      import(`${url}?${++count}`).catch((error) => this.emit('error', error));
      await hasStarted;
      provide(null, null);
    });
  }

  postMessage(message) {
    this.#port.postMessage(message);
  }

  async terminate() {
    this.#isTerminated = true;
    this.#port.close();
    this.emit('exit', 1);
  }
}

function provide(parentPort, workerData) {
  Object.assign(threads, { parentPort, workerData });
  syncBuiltinESMExports();
}
