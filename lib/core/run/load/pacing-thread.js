import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { commonNow, toCommonTime } from '../clock.js';

/** @import { Clock } from '../../contracts/clock.js' */
/** @import { Alarm, PacingMemory } from '../types.js' */

/** Positions in the words of {@link PacingMemory}: of all load threads, and of each. */
const CHANGES = 0;
const IS_CLOSED = 1;
const alarmsOf = (/** @type {number} */ loadThread) => 2 + 2 * loadThread;
const wakeupsOf = (/** @type {number} */ loadThread) => 3 + 2 * loadThread;
/** If the thread gets no CPU, a timer of the event loop wakes it instead. */
const FALLBACK_MS = 5;

/** Shares of a new lateness in the mean and in the deviation; the lead has that many deviations more (RFC 6298 2). */
const MEAN_GAIN = 1 / 8;
const DEVIATION_GAIN = 1 / 4;
const DEVIATIONS = 2;
/** The first lead, and its bounds. */
const FIRST_MS = 0.15;
const LEAST_MS = 0.05;
/** A thread that woke later than this had no CPU; a longer lead would not help. */
const MOST_MS = 0.25;

/**
 * A thread that sleeps until an instant of a load thread and wakes its event loop. It sleeps on a futex, which is exact
 * to 0.05 ms; timers of an event loop are exact to 1 ms. It serves all load threads of a process.
 */
export class PacingThread {
  #worker;
  /** @type {PacingMemory} */
  memory;

  /**
   * Starts the thread for a number of load threads; rejects if it cannot be started.
   * @throws {Error} the thread cannot be started
   * @type {(loadThreads: number) => Promise<PacingThread>}
   */
  static async start(loadThreads) {
    const thread = new PacingThread(loadThreads);
    await once(thread.#worker, 'online');
    return thread;
  }

  /** @param {number} loadThreads */
  constructor(loadThreads) {
    const words = new Int32Array(new SharedArrayBuffer(alarmsOf(loadThreads) * Int32Array.BYTES_PER_ELEMENT));
    const instants = new Float64Array(new SharedArrayBuffer(loadThreads * Float64Array.BYTES_PER_ELEMENT));
    this.memory = { words, instants };
    // Modules that the program preloads would run there once more.
    const bare = { execArgv: [], env: {} };
    this.#worker = new Worker(new URL('./pacing-worker.js', import.meta.url), {
      ...bare,
      name: 'pacing',
      workerData: this.memory,
    });
    // Without it, timers of the load threads wake them.
    this.#worker.on('error', () => {});
  }

  async close() {
    const { words } = this.memory;
    Atomics.store(words, IS_CLOSED, 1);
    wake(words, CHANGES);
    await this.#worker.terminate();
  }
}

/** The {@link Alarm} of one load thread. */
export class ThreadAlarm {
  #clock;
  #memory;
  #loadThread;
  #lead = new LeadTime();

  /** @param {Clock} clock @param {PacingMemory} memory @param {number} loadThread its number */
  constructor(clock, memory, loadThread) {
    this.#clock = clock;
    this.#memory = memory;
    this.#loadThread = loadThread;
  }

  get leadMs() {
    return this.#lead.ms;
  }

  /** @type {(at: number, onWake: () => void) => () => void} */
  set(at, onWake) {
    const { words, instants } = this.#memory;
    const position = wakeupsOf(this.#loadThread);
    const wakeups = Atomics.load(words, position);
    let isSet = true;
    const ring = () => {
      if (!isSet) return;
      isSet = false;
      cancelFallback();
      this.#lead.add(this.#clock.now() - at);
      onWake();
    };
    const cancelFallback = this.#clock.after(ring, Math.ceil(at - this.#clock.now()) + FALLBACK_MS);
    instants[this.#loadThread] = toCommonTime(at);
    Atomics.add(words, alarmsOf(this.#loadThread), 1);
    wake(words, CHANGES);
    const { async: isAsync, value } = Atomics.waitAsync(words, position, wakeups);
    if (isAsync) value.then(ring);
    else this.#clock.afterReads(ring);
    return () => {
      isSet = false;
      cancelFallback();
    };
  }
}

/** The thread wakes each load thread once at each of its instants. @type {(memory: PacingMemory) => void} */
export function wakeAtInstants({ words, instants }) {
  /** For each load thread the last alarm that woke it. */
  const done = new Int32Array(instants.length);
  while (Atomics.load(words, IS_CLOSED) === 0) {
    const changes = Atomics.load(words, CHANGES);
    const now = commonNow();
    let next = Infinity;
    for (let loadThread = 0; loadThread < done.length; loadThread++) {
      const alarm = Atomics.load(words, alarmsOf(loadThread));
      if (alarm === done[loadThread]) continue;
      if (instants[loadThread] > now) {
        next = Math.min(next, instants[loadThread]);
        continue;
      }
      done[loadThread] = alarm;
      wake(words, wakeupsOf(loadThread));
    }
    Atomics.wait(words, CHANGES, changes, next - now);
  }
}

/** Changes a word and wakes the threads that wait for that. @type {(words: Int32Array, position: number) => void} */
function wake(words, position) {
  Atomics.add(words, position, 1);
  Atomics.notify(words, position);
}

/**
 * How long before an instant an alarm is set, learned from how late the last ones were: mean and deviation, as TCP
 * computes its retransmission timer (RFC 6298).
 */
export class LeadTime {
  #mean = FIRST_MS / 2;
  #deviation = FIRST_MS / 2 / DEVIATIONS;
  ms = FIRST_MS;

  /** Adds how late an alarm was. @type {(lateMs: number) => void} */
  add(lateMs) {
    // An alarm that was cancelled can ring the next one early.
    const late = Math.max(0, Math.min(lateMs, MOST_MS));
    this.#deviation += (Math.abs(late - this.#mean) - this.#deviation) * DEVIATION_GAIN;
    this.#mean += (late - this.#mean) * MEAN_GAIN;
    this.ms = Math.max(LEAST_MS, Math.min(MOST_MS, this.#mean + DEVIATIONS * this.#deviation));
  }
}
