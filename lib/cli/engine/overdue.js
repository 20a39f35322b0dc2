import { afterTime } from '../../run/clock.js';

/**
 * @import { Limits } from '../../run/plan.js'
 */

/** The flow's thread reports twice per second. Silent for this long, ms, it computes or blocks. */
const SILENT_MS = 2000;
/** Silent for this long, ms, before any code of the flow runs, it gets no CPU at all. */
const STARTING_MS = 60_000;

/**
 * Detects a run that cannot end, because its thread computes forever or is blocked in a system call: no timer and no
 * message reaches such a thread. The run is lost when it should be over and its thread has been silent for the teardown
 * time. A thread that still reports may take as long as it needs.
 */
export class Overdue {
  /** instant of performance.now() when the run should be over */
  #at = Infinity;
  #reportedAt = performance.now();
  #cancelCheck = () => {};
  #onLost;
  /** @type {Limits | null} */
  #limits = null;
  /** code of the flow can block the thread */
  #hasStarted = false;

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

  /** The first phase begins. */
  start() {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#check();
  }

  /** Iterations start now. */
  measure() {
    const { endMs, gracefulStopMs, teardownMs } = /** @type {Limits} */ (this.#limits);
    this.#expect(performance.now() + endMs + gracefulStopMs + teardownMs);
  }

  /** The run was asked to stop. @type {(withinMs?: number) => void} */
  stop(withinMs = Infinity) {
    const { gracefulStopMs, teardownMs } = /** @type {Limits} */ (this.#limits);
    this.#hasStarted = true;
    this.#expect(Math.min(this.#at, performance.now() + Math.min(withinMs, gracefulStopMs) + teardownMs));
  }

  /** The thread reported something. */
  reported() {
    this.#reportedAt = performance.now();
  }

  close() {
    this.#cancelCheck();
  }

  /** @type {(at: number) => void} */
  #expect(at) {
    this.#at = at;
    this.#check();
  }

  #check() {
    this.#cancelCheck();
    if (this.#limits === null || this.#at === Infinity) return;
    const now = performance.now();
    const silentMs = Math.max(this.#hasStarted ? SILENT_MS : STARTING_MS, this.#limits.teardownMs);
    const waitMs = Math.max(this.#at, this.#reportedAt + silentMs) - now;
    if (waitMs <= 0) this.#onLost(now - this.#reportedAt);
    else this.#cancelCheck = afterTime(this.#checkAfter, waitMs);
  }

  /** After a suspension the thread gets its time again. @type {(wasSuspended: boolean) => void} */
  #checkAfter = (wasSuspended) => {
    if (wasSuspended) this.reported();
    this.#check();
  };
}
