import { COMPLETED } from '../../ground/end-reasons.js';
import { readLimit } from '../../ground/units.js';
import { countExhaustion } from '../../measure/validity.js';

/** @import { Clock } from '../../contracts/clock.js' */
/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { EndReason } from '../../ground/end-reasons.js' */
/** @import { Recorder } from '../../measure/recorder.js' */

/**
 * @typedef {object} EndingOptions
 * @property {Clock} clock
 * @property {number} gracefulStopMs
 * @property {number} teardownMs
 * @property {Clock['after']} [after] waits for the end of the grace period; default: that of the clock
 * @property {(teardownBy: number) => void} cancel cancels running iterations; teardown may run until that instant
 */

/** @typedef {(reason: EndReason, options: { within: number }) => void} StopListener */

/**
 * Decides how a run ends. After a stop running iterations get a grace period before they are cancelled; an abort
 * cancels them at once and skips teardown. The first reason wins.
 */
export class Ending {
  #clock;
  #gracefulStopMs;
  #teardownMs;
  #after;
  #cancel;
  /** No iteration may start any more. */
  isOver = false;
  /** Null before the stop. @type {EndReason | null} */
  #why = null;
  #at = Infinity;
  #isAborted = false;
  /** Running iterations were cancelled. */
  #hasCancelled = false;
  #isClosed = false;
  #cancelTimer = () => {};
  /** The end of the grace period; -Infinity: there is nothing to cancel. */
  #cancelAt = Infinity;
  /** @type {Set<StopListener>} */
  #stopListeners = new Set();
  /** @type {Set<() => void>} */
  #abortListeners = new Set();

  /** @param {EndingOptions} options */
  constructor({ clock, gracefulStopMs, teardownMs, cancel, after = clock.after }) {
    this.#clock = clock;
    this.#gracefulStopMs = gracefulStopMs;
    this.#teardownMs = teardownMs;
    this.#after = after;
    this.#cancel = cancel;
  }

  get isAborted() {
    return this.#isAborted;
  }

  /** Reports whether the run ended otherwise than as planned: its teardown has a time limit. */
  get isCutShort() {
    return this.#hasCancelled || (this.isOver && this.#why !== COMPLETED);
  }

  get why() {
    return this.#why;
  }

  get at() {
    return this.#at;
  }

  /**
   * Stops the run, or shortens the grace period of a stop. `within`: that period, ms.
   * @type {(reason: EndReason, options?: { within?: number }) => void}
   */
  stop(reason, { within = this.#gracefulStopMs } = {}) {
    const now = this.#clock.now();
    const graceMs = Math.min(within, this.#gracefulStopMs);
    if (this.#isClosed || (this.isOver && now + graceMs >= this.#cancelAt)) return;
    if (!this.isOver) {
      this.isOver = true;
      this.#why = reason;
      this.#at = now;
    }
    this.#cancelAt = now + graceMs;
    for (const listener of this.#stopListeners) listener(reason, { within });
    this.#cancelTimer();
    this.#cancelTimer = this.#after(() => this.#cancelAll(this.#clock.now() + this.#teardownMs), graceMs);
  }

  /** Stops as planned at an instant; Infinity: never. Returns a cancel. @type {(instant: number) => () => void} */
  stopAt(instant) {
    if (instant === Infinity) return () => {};
    return this.#clock.after(() => this.stop(COMPLETED), instant - this.#clock.now());
  }

  abort() {
    if (this.#isAborted || this.#isClosed) return;
    this.#isAborted = true;
    this.stop('aborted');
    this.#cancelTimer();
    for (const listener of this.#abortListeners) listener();
    // No teardown may run.
    this.#cancelAll(-Infinity);
  }

  /** @type {(teardownBy: number) => void} */
  #cancelAll(teardownBy) {
    this.#hasCancelled = true;
    this.#cancelAt = -Infinity;
    this.#cancel(teardownBy);
  }

  /**
   * Calls `listener` when the run is over, and when its grace period is shortened; returns an unsubscribe.
   * @type {(listener: StopListener) => () => void}
   */
  onStop(listener) {
    this.#stopListeners.add(listener);
    return () => this.#stopListeners.delete(listener);
  }

  /** Calls the listener once, when the run is aborted. @type {(listener: () => void) => void} */
  onAbort(listener) {
    this.#abortListeners.add(listener);
  }

  /** Ends: all iterations are over, so there is nothing to cancel. */
  drained() {
    this.#cancelAt = -Infinity;
    this.#cancelTimer();
  }

  close() {
    this.#isClosed = true;
    this.#cancelTimer();
  }
}

/** A share of failed iterations is judged from this many on. */
const MIN_ITERATIONS = 100;
/** Errors after which a run without any connection ends. */
const CONNECT_TRIES = 100;

/**
 * Creates a function that returns why a run has too many errors to continue, or null. `bailout` is a number of errors,
 * or a share of failed iterations such as `5%`; `opened` counts the connections so far.
 * @typedef {Pick<Recorder, 'errorCount' | 'errors' | 'iterations'> & { requests: { answered: number } }} CountedSoFar
 * @type {(options: Pick<RunOptions, 'bailout' | 'keepGoing'>) => (recorder: CountedSoFar, opened: () => number) =>
 *   EndReason | null}
 */
export function createErrorLimits({ bailout, keepGoing }) {
  const limit = bailout === undefined ? null : readLimit(bailout);
  return (recorder, opened) => {
    if (limit !== null && isReached(limit, recorder)) return 'bailout';
    return !keepGoing && isUnreachable(recorder, opened) ? 'unreachable' : null;
  };
}

/**
 * @type {(limit: NonNullable<ReturnType<typeof readLimit>>, recorder: Pick<Recorder, 'errorCount' | 'iterations'>) =>
 *   boolean}
 */
function isReached(limit, { errorCount, iterations: { completed, failed } }) {
  if ('count' in limit) return errorCount >= limit.count;
  const ended = completed + failed;
  return ended >= MIN_ITERATIONS && failed > 0 && failed / ended >= limit.share;
}

/**
 * Reports whether all attempts to connect have failed. Errors caused by exhausted files, ports or memory of this
 * machine do not count.
 * @type {(recorder: Omit<CountedSoFar, 'iterations'>, opened: () => number) => boolean}
 */
function isUnreachable(recorder, opened) {
  const { errorCount, requests } = recorder;
  // Connections of the warm-up are reused, and not counted.
  if (errorCount < CONNECT_TRIES || opened() > 0 || requests.answered > 0) return false;
  return errorCount - countExhaustion(recorder.errors()) >= CONNECT_TRIES;
}
