import { number, rebuild, record } from '../../core/ground/shape.js';
import { SAMPLE_MS, ServerRecorder } from './measure/server-figures.js';
import { settlesWithin } from '../../core/run/closing.js';

/** @import { ServerFigures } from '../../core/contracts/stats.js' */
/** @import { ServerLink } from './server-link.js' */

/** Time limit of the last figures, ms: those of a blocked thread are missing. */
const END_MS = 500;

const amount = number({ least: 0 });
const delay = record({ mean: amount, p99: amount, max: amount });
const NODE_SAMPLE = record({
  loop: record({ active: amount, idle: amount }),
  delay,
  recent: delay,
  gc: record({ time: amount, count: amount }),
  memory: record({ heap: amount, external: amount, limit: amount, collected: amount }),
  resources: amount,
  losses: record({ errors: amount, dropped: amount }),
});

/** A service can send anything: null for other messages. @type {(body: unknown) => any} */
function sampleOf(body) {
  try {
    return rebuild(NODE_SAMPLE, body, { name: 'figures' });
  } catch {
    return null;
  }
}

/**
 * The load of a server between `begin` and `end`: of its processes, which ServerWatch reads, and of its threads of
 * Node, which send their figures by their preload (preload/figures.cjs).
 */
export class ServerMeter {
  #link;
  #name;
  #recorder = new ServerRecorder();
  #isMeasuring = false;
  #answered = () => 0;
  /** Threads, and '' for the processes, whose last figures have not arrived. @type {Set<string>} */
  #awaited = new Set();
  #onEnd = () => {};
  /** Settles when the last figures have arrived. */
  ended = Promise.resolve();

  /** @param {ServerLink} link @param {string} name the option that named the server */
  constructor(link, name) {
    this.#link = link;
    this.#name = name;
    link.on('hello', (_, { id }) => this.#isMeasuring && this.#beginThread(id));
    link.on('bye', (_, { id }) => {
      // While the last figures are awaited, the service may be ending: its threads were there until the end.
      if (this.#isMeasuring && this.#awaited.size === 0) this.#recorder.endThread(id);
      this.#arrived(id);
    });
    link.on('processes', (body) => this.#addProcesses(body));
    link.on('figures', (body, thread) => {
      const sample = sampleOf(body);
      if (sample !== null && this.#isMeasuring) this.#recorder.addThread(thread, sample);
      this.#arrived(thread.id);
    });
  }

  /** @type {(answered: () => number) => void} counts the requests that are answered by now */
  begin(answered) {
    this.#recorder = new ServerRecorder();
    this.#answered = answered;
    this.#isMeasuring = true;
    this.#link.send('processes', { action: 'begin', interval: SAMPLE_MS });
    this.#beginThread();
  }

  end() {
    if (!this.#isMeasuring) return;
    this.#awaited = new Set(['', ...this.#link.threads.map(({ id }) => id)]);
    const last = new Promise((resolve) => (this.#onEnd = () => resolve(undefined)));
    this.ended = settlesWithin(last, END_MS).then(() => void (this.#isMeasuring = false));
    this.#link.send('figures', { action: 'end' });
    this.#link.send('processes', { action: 'end' });
  }

  /**
   * Returns the figures so far, with those of each second at the end; null: there are none.
   * @type {(options?: { isOver?: boolean }) => ServerFigures | null}
   */
  toJSON(options) {
    const summary = this.#recorder.summary(options);
    return summary && { name: this.#name, source: 'process', ...summary };
  }

  /** @type {(id?: string) => void} */
  #beginThread(id) {
    this.#link.send('figures', { action: 'begin', interval: SAMPLE_MS }, id);
  }

  /** @type {(body: any) => void} */
  #addProcesses({ sample, elapsed, rows, isLast }) {
    if (this.#isMeasuring && sample === null) this.#recorder.addGap(elapsed);
    else if (this.#isMeasuring) this.#recorder.add(sample, rows, this.#answered());
    if (isLast) this.#arrived('');
  }

  /** @type {(id: string) => void} */
  #arrived(id) {
    if (this.#awaited.delete(id) && this.#awaited.size === 0) this.#onEnd();
  }
}
