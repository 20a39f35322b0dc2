/** @import { Lane } from './lane.js' */

/**
 * The part of a time that is the load generator's at most: that of the exchanges in it, and the time between them in which the
 * event loop was busy, as functions of the flow run in it.
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
