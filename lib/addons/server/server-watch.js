import { ProcessWatch } from './process-watch.js';
import { identityOf } from '../processes/processes.js';

/** @import { FindRoots } from './process-watch.js' */
/** @import { ProcessState } from '../processes/processes.js' */
/** @import { ServerChannel } from './server-link.js' */
/** @import { PreloadChannel } from './preload-channel.js' */

/**
 * The channel of a server: it reads the figures of its processes at an interval, in the thread that started it, so that
 * the thread of the load does not wait for them, and passes on the messages of its threads of Node.
 */
export class ServerWatch {
  #processes;
  #preload;
  /** @type {(message: any) => void} */
  #listener = () => {};
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {FindRoots} findRoots the processes of the server, together with all that they start
   * @param {PreloadChannel | null} preload
   */
  constructor(findRoots, preload) {
    this.#processes = new ProcessWatch(findRoots);
    this.#preload = preload;
    this.folder = preload?.folder ?? null;
  }

  /** Passes messages on from now on. @type {ServerChannel['listen']} */
  listen(listener) {
    this.#listener = listener;
    this.#preload?.listen(listener);
  }

  /** @type {ServerChannel['post']} */
  post(message) {
    if (message.kind === 'processes') this.#watch(/** @type {any} */ (message.body));
    else this.#preload?.post(message);
  }

  close() {
    clearInterval(this.#timer);
  }

  /** @type {(message: { action: 'begin' | 'end', interval?: number }) => void} interval: of 'begin', ms */
  #watch({ action, interval }) {
    clearInterval(this.#timer);
    if (action === 'end') this.#sample(true);
    else {
      this.#processes.begin();
      this.#timer = setInterval(() => this.#sample(false), interval).unref();
    }
  }

  /** @type {(isLast: boolean) => void} */
  #sample(isLast) {
    const sample = this.#processes.sample();
    const { elapsed } = this.#processes;
    this.#listener({ kind: 'processes', from: '', body: { sample, elapsed, rows: this.#processes.rows(), isLast } });
  }
}

/**
 * Finds roots with a slow test, which it runs once for each process: the answers of the last sample are kept.
 * @type {(isRoot: (state: ProcessState) => boolean) => FindRoots}
 */
export function judgingOnce(isRoot) {
  /** @type {Map<string, boolean>} */
  let last = new Map();
  return () => {
    const before = last;
    /** @type {Map<string, boolean>} */
    const now = new Map();
    last = now;
    return (one) => {
      const name = identityOf(one);
      const is = before.get(name) ?? isRoot(one);
      now.set(name, is);
      return is;
    };
  };
}
