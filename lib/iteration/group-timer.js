/**
 * @import { TransactionRecorder } from '../contracts/recorders.js'
 * @import { Outcome } from './iteration-run.js'
 * @import { Lane } from './lane.js'
 */

/**
 * Measures the group of operations that a lane performs: from the start of the first one to the end of the last one,
 * without pauses.
 */
export class GroupTimer {
  #lane;
  #ownPart;
  /** the running transaction @type {TransactionRecorder | null} */
  #group = null;
  #startedAt = 0;
  /** think time of the phase before it */
  #pausedMs = 0;

  /** @param {Lane} lane */
  constructor(lane) {
    this.#lane = lane;
    this.#ownPart = new OwnPart(lane);
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
    this.#ownPart.begin();
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
    const ms = this.#lane.now - this.#startedAt - (pausedMs - this.#pausedMs);
    group.took(ms, this.#ownPart.of(ms));
  }
}

/**
 * The part of a time that is the load generator's at most: that of the exchanges in it, and the time between them in
 * which the event loop was busy, as functions of the flow run in it.
 */
export class OwnPart {
  #lane;
  #exchangedMs = 0;
  #ownMs = 0;
  #busyMs = 0;

  /** @param {Lane} lane */
  constructor(lane) {
    this.#lane = lane;
  }

  /** The time begins. */
  begin() {
    const { exchanged, readDelay, now } = this.#lane;
    this.#exchangedMs = exchanged.ms;
    this.#ownMs = exchanged.ownMs;
    this.#busyMs = readDelay.busyAt(now);
  }

  /**
   * The time ends.
   *
   * @param {number} ms how long it was
   * @returns {number} ms of it
   */
  of(ms) {
    const { exchanged, readDelay, now } = this.#lane;
    const betweenMs = Math.max(0, ms - (exchanged.ms - this.#exchangedMs));
    const ownMs = exchanged.ownMs - this.#ownMs;
    return Math.min(ms, ownMs + Math.min(betweenMs, readDelay.busyAt(now) - this.#busyMs));
  }
}
