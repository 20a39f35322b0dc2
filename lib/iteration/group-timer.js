/**
 * @import { Outcome, TransactionRecorder } from '../contracts/recorders.js'
 * @import { Lane } from './lane.js'
 */

/**
 * Measures the group of operations that a lane performs: from the start of the first one to the end of the last one,
 * without pauses.
 */
export class GroupTimer {
  #lane;
  /** the running transaction @type {TransactionRecorder | null} */
  #group = null;
  #startedAt = 0;
  /** of the lane when it started */
  #exchangedMs = 0;
  #exchangedOwnMs = 0;
  #busyMs = 0;
  /** think time of the phase before it */
  #pausedMs = 0;

  /** @param {Lane} lane */
  constructor(lane) {
    this.#lane = lane;
  }

  /** Of the running transaction; null: none is running. */
  get group() {
    return this.#group;
  }

  /**
   * Called before each operation: the last transaction ends if the operation does not belong to it.
   *
   * @param {TransactionRecorder | null} group of the operation
   * @param {number} pausedMs think time of the phase so far
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
   * Ends the transaction, if one is running. Think time after it does not count.
   *
   * @param {Outcome} outcome
   * @param {number} pausedMs think time of the phase so far
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
 * The part of a time that is the load generator's at most: that of the exchanges in it, and the time between them in
 * which the event loop was busy, as functions of the flow run in it.
 *
 * @param {number} ms the time
 * @param {number} exchangedMs service times of the exchanges in it
 * @param {number} exchangedOwnMs the load generator's part of them
 * @param {number} busyMs of the event loop in it
 * @returns {number} ms of it
 */
export function ownPartOf(ms, exchangedMs, exchangedOwnMs, busyMs) {
  const betweenMs = Math.max(0, ms - exchangedMs);
  return Math.min(ms, exchangedOwnMs + Math.min(betweenMs, busyMs));
}
