import { clock } from './clock.js';

/** @import { TimeLimits } from '../contracts/run.js' */

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
const SILENT_MS = 2000;
const LOOK_MS = 500;

/**
 * Detects a thread that cannot end, because it computes forever or is blocked in a system call: no timer and no message
 * reaches it. It is lost when it should be over and is silent, or when it is silent for longer than code of a flow may
 * run. A thread that still reports may take as long as it needs.
 */
export class Overdue {
  /** The instant of the clock when the thread should be over. */
  #at = Infinity;
  #silentMs = SILENT_MS;
  #mostSilentMs = Infinity;
  #silence = new Silence({ mostMs: LOOK_MS });
  /** Since the last look; at first true, as the silence begins now. */
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
   * Sets when the thread should be over, and its longest silence from then on, and before.
   * @type {(at: number, silentMs?: number, mostSilentMs?: number) => void}
   */
  expect(at, silentMs = SILENT_MS, mostSilentMs = Infinity) {
    this.#at = at;
    this.#silentMs = silentMs;
    this.#mostSilentMs = mostSilentMs;
    this.#judge();
  }

  /** Returns when the thread should be over; Infinity: nothing ends it. */
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
    if (this.#hasReported) return;
    const { ms } = this.#silence;
    const isOverdue = ms >= this.#silentMs && clock.now() >= this.#at;
    if (isOverdue || ms >= this.#mostSilentMs) this.#onLost(ms);
  }
}

/** If its thread is silent for this long, ms, before any code of the flow runs, it gets no CPU at all. */
const STARTING_MS = 60_000;

/** Decides when the run of an engine is overdue: lost if its thread is silent for the teardown time after that. */
export class OverdueRun extends Overdue {
  /** @type {TimeLimits | null} */
  #limits = null;
  /** Code of the flow can block the thread, or the run shall stop: a shorter silence is enough. */
  #isJudgedSoon = false;
  #isStopped = false;

  /** Begins: the flow is read; `before` and warm-up start. @type {(limits: TimeLimits) => void} */
  begin(limits) {
    this.#limits = limits;
    this.#expectIn(limits.leadMs + limits.endMs + limits.gracefulStopMs + limits.teardownMs);
  }

  /** Starts: the first phase begins. The run may last as long as before. */
  start() {
    if (this.#isJudgedSoon) return;
    this.#isJudgedSoon = true;
    this.#expectIn(this.at - clock.now());
  }

  /** Measures: iterations start now, unless the run was asked to stop. */
  measure() {
    if (this.#isStopped) return;
    const { endMs, gracefulStopMs, teardownMs } = /** @type {TimeLimits} */ (this.#limits);
    this.#expectIn(endMs + gracefulStopMs + teardownMs);
  }

  /** Stops: the run was asked to stop. @type {(withinMs?: number) => void} */
  stop(withinMs = Infinity) {
    const { gracefulStopMs, teardownMs } = /** @type {TimeLimits} */ (this.#limits);
    this.#isJudgedSoon = true;
    this.#isStopped = true;
    this.#expectIn(Math.min(this.at - clock.now(), Math.min(withinMs, gracefulStopMs) + teardownMs));
  }

  /** @type {(ms: number) => void} */
  #expectIn(ms) {
    if (this.#limits === null) return;
    const { teardownMs } = this.#limits;
    this.expect(clock.now() + ms, Math.max(teardownMs, this.#isJudgedSoon ? SILENT_MS : STARTING_MS));
  }
}
