import { number, record, text } from '../../core/ground/shape.js';

/**
 * @typedef {import('./measure/server-figures.js').NodeThread} NodeThread
 *
 * @typedef {object} ServerChannel leads to our thread that started the server, which passes messages on to all threads
 *   of Node in the service
 * @property {string | null} folder for files of the service, removed when the server has ended; null: there is none, as
 *   no thread of Node could write to it
 * @property {(listener: (message: { kind: string, from: string, body: any }) => void) => void} listen `from` is the id
 *   of a thread of the service; empty: our own thread sent it
 * @property {(message: { kind: string, to?: string, body: object }) => void} post
 */

const short = text({ most: 200 });
const whole = number({ least: 0, isWhole: true });
/** What a thread says of itself. An empty id is our own thread's. */
export const NODE_THREAD = record({
  id: text({ most: 200, pattern: /./ }),
  pid: whole,
  thread: whole,
  name: short,
  version: short,
});

/** The threads of Node in the service, as the thread of a run sees them. */
export class ServerLink {
  #channel;
  /** @type {Map<string, NodeThread>} */
  #threads = new Map();
  /** @type {Map<string, Set<(body: any, from: NodeThread | undefined) => void>>} */
  #listeners = new Map();

  /** @param {ServerChannel} channel */
  constructor(channel) {
    this.#channel = channel;
    channel.listen((message) => this.#receive(message));
  }

  /** @type {string | null} */
  get folder() {
    return this.#channel.folder;
  }

  /** The threads that run now. @type {NodeThread[]} */
  get threads() {
    return [...this.#threads.values()];
  }

  /** Sends a message to all threads, or to one. @type {(kind: string, body: object, to?: string) => void} */
  send(kind, body, to) {
    this.#channel.post({ kind, to, body });
  }

  /**
   * Subscribes to the messages of a kind. `hello` and `bye`: a thread has begun, or ended; the channel has checked the
   * body of `hello`, and no other, and lets no service send these two or `processes`. `from` is undefined if our own
   * thread sent it. The returned function unsubscribes.
   * @type {(kind: string, listener: (body: any, from: any) => void) => () => void}
   */
  on(kind, listener) {
    const listeners = this.#listeners.get(kind) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(kind, listeners);
    return () => void listeners.delete(listener);
  }

  /** @type {(message: { kind: string, from: string, body: any }) => void} */
  #receive({ kind, from, body }) {
    if (kind === 'hello') this.#threads.set(from, body);
    const thread = this.#threads.get(from);
    if (kind === 'bye') this.#threads.delete(from);
    // A thread that has not said hello, or has said bye, is none of the service.
    if (thread || from === '') for (const listener of this.#listeners.get(kind) ?? []) listener(body, thread);
  }
}
