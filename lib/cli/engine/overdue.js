/**
 * @import { Limits } from '../../run/plan.js'
 */

/** The flow's thread reports twice per second. Silent for this long, ms, it computes or blocks. */
const SILENT_MS = 2000;
/** A check that is late by more than this, ms, means that the whole process was suspended, not the thread. */
const SUSPENDED_MS = 500;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Detects a run that cannot end, because its thread computes forever or is blocked in a system call: no timer and no
 * message reaches such a thread. The run is lost when it should be over and its thread has been silent for the teardown
 * time. A thread that still reports may take as long as it needs.
 */
export class Overdue {
  /** instant of performance.now() when the run should be over */
  #at = Infinity;
  #reportedAt = performance.now();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #onLost;
  /** @type {Limits | null} */
  #limits = null;

  /** @param {(silentMs: number) => void} onLost */
  constructor(onLost) {
    this.#onLost = onLost;
  }

  /** The flow is read; `before` and warm-up start. @type {(limits: Limits) => void} */
  begin(limits) {
    this.#limits = limits;
    const { leadMs, endMs, gracefulStopMs, teardownMs } = limits;
    this.#expect(performance.now() + leadMs + endMs + gracefulStopMs + teardownMs);
  }

  /** Iterations start now. */
  measure() {
    const { endMs, gracefulStopMs, teardownMs } = /** @type {Limits} */ (this.#limits);
    this.#expect(performance.now() + endMs + gracefulStopMs + teardownMs);
  }

  /** The run was asked to stop. @type {(withinMs?: number) => void} */
  stop(withinMs = Infinity) {
    const { gracefulStopMs, teardownMs } = /** @type {Limits} */ (this.#limits);
    this.#expect(Math.min(this.#at, performance.now() + Math.min(withinMs, gracefulStopMs) + teardownMs));
  }

  /** The thread reported something. */
  reported() {
    this.#reportedAt = performance.now();
  }

  close() {
    clearTimeout(this.#timer);
  }

  /** @type {(at: number) => void} */
  #expect(at) {
    this.#at = at;
    this.#check();
  }

  #check() {
    clearTimeout(this.#timer);
    if (this.#limits === null || this.#at === Infinity) return;
    const now = performance.now();
    const waitMs = Math.max(this.#at, this.#reportedAt + Math.max(SILENT_MS, this.#limits.teardownMs)) - now;
    if (waitMs <= 0) this.#onLost(now - this.#reportedAt);
    else this.#checkAfter(Math.min(waitMs, LONGEST_TIMER_MS));
  }

  /** @type {(ms: number) => void} */
  #checkAfter(ms) {
    const dueAt = performance.now() + ms;
    this.#timer = setTimeout(() => {
      if (performance.now() - dueAt > SUSPENDED_MS) this.reported();
      this.#check();
    }, ms);
  }
}
