import { clock } from '../../run/clock.js';
import { Overdue, SILENT_MS } from '../../run/silence.js';

/** @import { Limits } from '../../contracts/run.js' */

/** If its thread is silent for this long, ms, before any code of the flow runs, it gets no CPU at all. */
const STARTING_MS = 60_000;

/**
 * Decides when the run of an engine should be over: it is lost if its thread is silent for the teardown time after
 * that.
 */
export class OverdueRun extends Overdue {
  /** @type {Limits | null} */
  #limits = null;
  /** Code of the flow can block the thread. */
  #hasStarted = false;

  /** Begins: the flow is read; `before` and warm-up start. @type {(limits: Limits) => void} */
  begin(limits) {
    this.#limits = limits;
    this.#expectIn(limits.leadMs + limits.endMs + limits.gracefulStopMs + limits.teardownMs);
  }

  /** Starts: the first phase begins. */
  start() {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#expectIn(this.at - clock.now());
  }

  /** Measures: iterations start now. */
  measure() {
    const { endMs, gracefulStopMs, teardownMs } = /** @type {Limits} */ (this.#limits);
    this.#expectIn(endMs + gracefulStopMs + teardownMs);
  }

  /** Stops: the run was asked to stop. @type {(withinMs?: number) => void} */
  stop(withinMs = Infinity) {
    const { gracefulStopMs, teardownMs } = /** @type {Limits} */ (this.#limits);
    this.#hasStarted = true;
    this.#expectIn(Math.min(this.at - clock.now(), Math.min(withinMs, gracefulStopMs) + teardownMs));
  }

  /** @type {(ms: number) => void} */
  #expectIn(ms) {
    if (this.#limits === null) return;
    const { teardownMs } = this.#limits;
    this.expect(clock.now() + ms, Math.max(teardownMs, this.#hasStarted ? SILENT_MS : STARTING_MS));
  }
}
