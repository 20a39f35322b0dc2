import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { PassThrough } from 'node:stream';
import threads from 'node:worker_threads';

const ENGINE = /\/engine-worker\.js$/;
const { Worker } = threads;
let count = 0;
/** There is one `parentPort` per thread: an engine owns it until its first message. */
let starting = Promise.resolve();

/**
 * Runs the engine of every later command in this thread: a new thread would load all modules again, which takes 0.2 s
 * of CPU. Threads of `workers` and of `--serve` stay threads.
 */
export function runEngineHere() {
  threads.Worker = new Proxy(Worker, {
    construct: (target, [url, options]) => (ENGINE.test(url) ? new ThreadHere(url, options) : new target(url, options)),
  });
  syncBuiltinESMExports();
}

/** Evaluates a module in this thread, with the events and methods of a `Worker` that the command uses. */
class ThreadHere extends EventEmitter {
  stdout = new PassThrough();
  #port;

  /** @param {URL} url @param {{ workerData: unknown }} options */
  constructor(url, { workerData }) {
    super();
    const { port1, port2 } = new threads.MessageChannel();
    this.#port = port1;
    const hasStarted = new Promise((resolve) => this.once('message', resolve).once('exit', resolve));
    port1.on('message', (message) => this.emit('message', message));
    starting = starting.then(async () => {
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
    this.#port.close();
    this.emit('exit', 1);
  }
}

function provide(parentPort, workerData) {
  Object.assign(threads, { parentPort, workerData });
  syncBuiltinESMExports();
}
