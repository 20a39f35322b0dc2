import { clock } from './clock.js';

/**
 * Measures how long another thread or machine has been silent. Silence counts only while this side listens: not if
 * messages could not arrive, and not if a look comes late, as after a suspension (SIGSTOP, a paused virtual machine) or
 * without a CPU, when timers run before messages are read.
 */
export class Silence {
  /** The silence at the last look. */
  ms = 0;
  /** Nothing could arrive for a while before the last look. */
  wasCutOff = false;
  #mostMs;
  /** @type {number | null} */
  #lookedAt = null;

  /**
   * @param {{ mostMs?: number }} [options] mostMs: longest time between two looks that counts; after twice that time a
   *   look is late
   */
  constructor({ mostMs = Infinity } = {}) {
    this.#mostMs = mostMs;
  }

  /**
   * Looks: `known` is new since the last look; `isCutOff`: nothing could arrive.
   * @type {(now: number, known: { hasReported: boolean, isCutOff?: boolean }) => void}
   */
  look(now, { hasReported, isCutOff = false }) {
    const elapsed = now - (this.#lookedAt ?? now);
    this.#lookedAt = now;
    this.wasCutOff = isCutOff || elapsed > 2 * this.#mostMs;
    this.ms = hasReported || this.wasCutOff ? 0 : this.ms + Math.min(elapsed, this.#mostMs);
  }
}

/** Threads report several times per second. Silent for this long, ms, one computes or blocks. */
export const SILENT_MS = 2000;
const LOOK_MS = 500;

/**
 * Detects a thread that cannot end, because it computes forever or is blocked in a system call: no timer and no message
 * reaches it. It is lost when it should be over and is silent. A thread that still reports may take as long as it
 * needs.
 */
export class Overdue {
  /** The instant of the clock when the thread should be over. */
  #at = Infinity;
  #silentMs = SILENT_MS;
  #silence = new Silence({ mostMs: LOOK_MS });
  #hasReported = true;
  #onLost;
  #stop;

  /** @param {(silentMs: number) => void} onLost called at each look until it is closed */
  constructor(onLost) {
    this.#onLost = onLost;
    this.#stop = clock.every(() => this.#look(), LOOK_MS);
    this.#look();
  }

  /**
   * Sets when the thread should be over, an instant of the clock, and the longest silence after that.
   * @type {(at: number, silentMs?: number) => void}
   */
  expect(at, silentMs = SILENT_MS) {
    this.#at = at;
    this.#silentMs = silentMs;
    this.#judge();
  }

  /** Returns when it should be over; Infinity: nothing ends it. */
  get at() {
    return this.#at;
  }

  /** Notes that the thread reported something, or begins to do so. */
  reported() {
    this.#hasReported = true;
  }

  close() {
    this.#stop();
  }

  #look() {
    this.#silence.look(clock.now(), { hasReported: this.#hasReported });
    this.#hasReported = false;
    this.#judge();
  }

  #judge() {
    const isSilent = !this.#hasReported && this.#silence.ms >= this.#silentMs;
    if (isSilent && clock.now() >= this.#at) this.#onLost(this.#silence.ms);
  }
}
