/**
 * @import { TransactionRecorder } from '../measure/transactions.js'
 * @import { Outcome } from './iteration-run.js'
 */

/** Measures the group of operations that a lane performs: from the start of the first one to the end of the last one, without pauses. */
export class GroupTimer {
  /** the running transaction @type {TransactionRecorder | null} */
  #group = null;
  #startedAt = 0;
  /** think time of the phase before it */
  #pausedMs = 0;

  /**
   * Called before each operation: the last transaction ends if the operation does not belong to it.
   *
   * @param {TransactionRecorder | null} group of the operation
   * @param {number} now
   * @param {number} pausedMs think time of the phase so far
   */
  enter(group, now, pausedMs) {
    if (group === this.#group) return;
    this.end('completed', now, pausedMs);
    this.#group = group;
    this.#startedAt = now;
    this.#pausedMs = pausedMs;
  }

  /**
   * Ends the transaction, if one is running. Think time after it does not count.
   *
   * @param {Outcome} outcome
   * @param {number} now
   * @param {number} pausedMs think time of the phase so far
   */
  end(outcome, now, pausedMs) {
    const group = this.#group;
    if (group === null) return;
    this.#group = null;
    group.ended(outcome);
    if (outcome !== 'cancelled') group.time.update(now - this.#startedAt - (pausedMs - this.#pausedMs));
  }
}
