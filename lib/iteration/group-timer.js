/** @import { Outcome, TransactionRecorder } from '../contracts/recorders.js' */
/** @import { Lane } from './lane.js' */

/**
 * Measures the group of operations that a lane performs: from the start of the first one to the end of the last one,
 * without pauses.
 */
export class GroupTimer {
  #lane;
  /** The running transaction. @type {TransactionRecorder | null} */
  #group = null;
  #startedAt = 0;
  /** The exchanged ms of the lane when it started. */
  #exchangedMs = 0;
  #exchangedOwnMs = 0;
  #busyMs = 0;
  /** The think time of the phase before it. */
  #pausedMs = 0;

  /** @param {Lane} lane */
  constructor(lane) {
    this.#lane = lane;
  }

  /** Returns the group of the running transaction; null: none is running. */
  get group() {
    return this.#group;
  }

  /**
   * Enters the group of the next operation: the last transaction ends if the operation does not belong to it.
   * `pausedMs` is the think time of the phase so far.
   * @type {(group: TransactionRecorder | null, pausedMs: number) => void}
   */
  enter(group, pausedMs) {
    if (group === this.#group) return;
    this.end('completed', pausedMs);
    this.#group = group;
    this.#startedAt = this.#lane.now;
    this.#exchangedMs = this.#lane.exchangedMs;
    this.#exchangedOwnMs = this.#lane.exchangedOwnMs;
    this.#busyMs = this.#lane.busyMs;
    this.#pausedMs = pausedMs;
  }

  /**
   * Ends the transaction, if one is running. Think time after it (`pausedMs` is that of the phase so far) does not
   * count.
   * @type {(outcome: Outcome, pausedMs: number) => void}
   */
  end(outcome, pausedMs) {
    const group = this.#group;
    if (group === null) return;
    this.#group = null;
    group.ended(outcome);
    if (outcome !== 'completed') return;
    const { now, exchangedMs, exchangedOwnMs, busyMs } = this.#lane;
    const ms = now - this.#startedAt - (pausedMs - this.#pausedMs);
    const ownMs = ownPartOf(
      ms,
      exchangedMs - this.#exchangedMs,
      exchangedOwnMs - this.#exchangedOwnMs,
      busyMs - this.#busyMs,
    );
    group.took(ms, ownMs);
  }
}

/**
 * Returns the part of a time that is the load generator's at most, ms: that of the exchanges in it (`exchangedOwnMs` of
 * `exchangedMs`), and the time between them in which the event loop was busy, as functions of the flow run in it.
 * @type {(ms: number, exchangedMs: number, exchangedOwnMs: number, busyMs: number) => number}
 */
export function ownPartOf(ms, exchangedMs, exchangedOwnMs, busyMs) {
  const betweenMs = Math.max(0, ms - exchangedMs);
  return Math.min(ms, exchangedOwnMs + Math.min(betweenMs, busyMs));
}
