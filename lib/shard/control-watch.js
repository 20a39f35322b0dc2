/**
 * @import { Timing } from './timing.js'
 *
 * @typedef {Pick<Timing, 'missingMs' | 'unreachableMs' | 'pollMs'>} Limits
 */

/**
 * Decides when a shard has no coordinator any more: the queue answers that there is no control, or does not answer for long.
 * Time in which the queue does not answer is no time without a control: its coordinator cannot renew it meanwhile either.
 */
export class ControlWatch {
  #limits;
  #now;
  /** instant of the last answer of the queue */
  #reachedAt;
  /** instant of the first answer without a control; null if there is one @type {number | null} */
  #missingSince = null;

  /**
   * @param {Limits} limits
   * @param {() => number} now ms
   */
  constructor(limits, now) {
    this.#limits = limits;
    this.#now = now;
    this.#reachedAt = now();
  }

  /** The queue has answered, after `tookMs`. @type {(hasControl: boolean, tookMs: number) => void} */
  answered(hasControl, tookMs) {
    this.#reachedAt = this.#now();
    const wasSlow = tookMs > this.#limits.pollMs;
    if (hasControl) this.#missingSince = null;
    else if (this.#missingSince === null || wasSlow) this.#missingSince = this.#reachedAt;
  }

  /** The queue has not answered, or takes no messages. */
  failed() {
    this.#missingSince = null;
  }

  /** The coordinator has gone: it does not renew the control, though the queue answers. */
  get isMissing() {
    return this.#missingSince !== null && this.#now() - this.#missingSince > this.#limits.missingMs;
  }

  /** The queue has been out of reach for so long that the shard stops. */
  get isCutOff() {
    return this.#now() - this.#reachedAt > this.#limits.unreachableMs;
  }
}
