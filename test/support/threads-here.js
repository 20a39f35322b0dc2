import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { PassThrough } from 'node:stream';
import threads from 'node:worker_threads';

import { IS_FULL } from './scale.js';

const { Worker } = threads;
let count = 0;
/** There is one `parentPort` per thread: a module owns it until it is loaded, or posts its first message. */
let starting = Promise.resolve();

threads.Worker = new Proxy(Worker, {
  construct(target, [url, options]) {
    const module = options?.workerData?.module ?? url;
    const entry = Object.values(ENTRIES).find(({ pattern, stories }) => stories > 0 && pattern.test(module));
    return new (entry?.Thread ?? target)(url, options);
  },
});
syncBuiltinESMExports();

/**
 * Runs a story whose command has its engine or its target, or whose runs have their workers, in this thread: a new thread
 * loads all modules again, which takes 0.2 s of CPU. With the full counts they are threads. A test about a flow that blocks,
 * ends or breaks its thread, or about the CPU or the memory of a thread, needs a thread.
 *
 * @template T
 * @param {'engine' | 'workers' | 'target'} what
 * @param {() => Promise<T>} story
 * @returns {Promise<T>}
 */
export function here(what, story) {
  return IS_FULL ? story() : inThisThread(what, story);
}

/** The same with all counts. @type {<T>(what: 'engine' | 'workers' | 'target', story: () => Promise<T>) => Promise<T>} */
export async function inThisThread(what, story) {
  const entry = ENTRIES[what];
  entry.stories++;
  try {
    return await story();
  } finally {
    entry.stories--;
  }
}

/** The same for every story of a suite. @param {'engine' | 'workers'} what */
export function suiteHere(what) {
  if (IS_FULL) return;
  before(() => void ENTRIES[what].stories++);
  after(() => void ENTRIES[what].stories--);
}

/** Evaluates a module in this thread, with the events and methods of a `Worker` that the command and the pool use. */
class ThreadHere extends EventEmitter {
  stdout = new PassThrough();
  stderr = new PassThrough();
  #port;
  #isTerminated = false;
  #isWorker;
  #wasRun = false;

  /** @param {URL} _url @param {{ workerData: { module: string, data?: unknown } }} options */
  constructor(_url, { workerData }) {
    super();
    this.#isWorker = ENTRIES.workers.pattern.test(workerData.module);
    const { port1, port2 } = new threads.MessageChannel();
    this.#port = port1;
    const hasPosted = new Promise((resolve) => this.once('message', resolve));
    port1.on('message', (message) => this.emit('message', message));
    starting = starting.then(async () => {
      if (this.#isTerminated) return;
      provide(port2, structuredClone(workerData));
      const isLoaded = import(`${workerData.module}?${++count}`).catch((error) => this.emit('error', error));
      // a thread that is terminated while it loads still reads the port: not that of the next one
      await Promise.race([isLoaded, hasPosted]);
      provide(null, null);
    });
  }

  postMessage(message) {
    this.#wasRun ||= message.type === 'start';
    this.#port.postMessage(message);
  }

  async terminate() {
    this.#isTerminated = true;
    // timers of its run would keep the process of the test; a worker closes its generator after its run
    this.#port.postMessage({ type: 'abort' });
    if (this.#isWorker && !this.#wasRun) this.#port.postMessage({ type: 'start', at: 0 });
    this.#port.close();
    // those of a thread end with it, which removes the listeners of their pipes
    this.stdout.end();
    this.stderr.end();
    this.emit('exit', 1);
  }
}

/** The embedded target in this thread. */
class TargetHere extends EventEmitter {
  #target;

  /**
   * @param {URL} _url
   * @param {{ workerData: { options: import('../../lib/addons/serve/server.js').TargetOptions } }} options
   */
  constructor(_url, { workerData }) {
    super();
    this.#target = import('../../lib/addons/serve/server.js').then(({ startTarget }) =>
      startTarget(workerData.options),
    );
    this.#target.then(
      ({ url }) => this.emit('message', { url }),
      ({ message }) => this.emit('message', { problems: message }),
    );
  }

  async terminate() {
    await (await this.#target).close();
  }
}

/** The modules that can run here, with the number of stories that let them. */
const ENTRIES = {
  engine: { pattern: /\/cli\/engine\/engine-worker\.js$/, Thread: ThreadHere, stories: 0 },
  workers: { pattern: /\/run\/workers\/entry\.js$/, Thread: ThreadHere, stories: 0 },
  target: { pattern: /\/serve\/worker\.js$/, Thread: TargetHere, stories: 0 },
};

function provide(parentPort, workerData) {
  Object.assign(threads, { parentPort, workerData });
  syncBuiltinESMExports();
}
