import measured from 'measured-core';

/**
 * @typedef {{ mean: number, count: number, currentRate: number, '1MinuteRate': number, '5MinuteRate': number,
 *   '15MinuteRate': number }} MeterSummary events per second; currentRate: since the last reading
 */

/** A measured-core meter, to which the meters of finished runs can be added. */
export class Meter extends measured.Meter {
  /** @type {MeterSummary[]} */
  #finished = [];

  /** Marks `count` events at once; measured-core takes 0 for 1. @type {(count: number) => void} */
  markAll(count) {
    if (count > 0) this.mark(count);
  }

  /** @type {(summary: MeterSummary) => void} */
  addFinished(summary) {
    this.#finished.push(summary);
  }

  /** @returns {MeterSummary} */
  toJSON() {
    const own = super.toJSON();
    if (this.#finished.length === 0) return own;
    const names = /** @type {(keyof MeterSummary)[]} */ (Object.keys(own));
    return /** @type {MeterSummary} */ (
      Object.fromEntries(names.map((name) => [name, this.#finished.reduce((sum, one) => sum + one[name], own[name])]))
    );
  }
}

/**
 * A measured-core timer on a histogram of ours.
 *
 * @param {Meter} meter
 * @param {{ update: (ms: number) => void, toJSON: () => object }} histogram
 */
export function createTimer(meter, histogram) {
  return new measured.Timer({ meter, histogram });
}
