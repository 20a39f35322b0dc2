/** @import { Clock } from '../contracts/clock.js' */
/** @import { Lane } from './lane.js' */

/**
 * Lanes that pause: a binary heap of the instants at which they go on, with one timer for all. A timer, its functions
 * and a promise for each pause live so long that only a full collection frees them: 80 MB with 10,000 lanes that pause
 * for a second.
 */
export class Sleepers {
  #clock;
  #wake;
  /** The heap: instants of the clock, and the lanes that go on then. @type {number[]} */
  #instants = [];
  /** @type {Lane[]} */
  #lanes = [];
  /** Of the timer; Infinity: there is none. */
  #timerAt = Infinity;
  #cancelTimer = () => {};

  /**
   * @param {Pick<Clock, 'now' | 'after'>} clock
   * @param {(lane: Lane, instant: number) => void} wake called once for each pause, with the instant of {@link add}
   */
  constructor(clock, wake) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** Returns the instant at which the lane goes on. @type {(lane: Lane, ms: number) => number} */
  add(lane, ms) {
    const now = this.#clock.now();
    const instant = now + ms;
    this.#push(instant, lane);
    if (instant < this.#timerAt) this.#setTimer(now);
    return instant;
  }

  /** Ends all pauses. */
  wakeAll() {
    this.close();
    const instants = this.#instants;
    this.#instants = [];
    for (const [i, lane] of this.#lanes.splice(0).entries()) this.#wake(lane, instants[i]);
  }

  /** Wakes no lane any more. */
  close() {
    this.#cancelTimer();
    this.#timerAt = Infinity;
  }

  /** @param {number} now */
  #setTimer(now) {
    this.#cancelTimer();
    this.#timerAt = this.#instants[0];
    this.#cancelTimer = this.#clock.after(this.#onTimer, this.#timerAt - now);
  }

  #onTimer = () => {
    this.#timerAt = Infinity;
    const now = this.#clock.now();
    while (this.#lanes.length > 0 && this.#instants[0] <= now) {
      const instant = this.#instants[0];
      this.#wake(this.#pop(), instant);
    }
    if (this.#lanes.length > 0 && this.#instants[0] < this.#timerAt) this.#setTimer(this.#clock.now());
  };

  /** @type {(instant: number, lane: Lane) => void} */
  #push(instant, lane) {
    const instants = this.#instants;
    const lanes = this.#lanes;
    let at = lanes.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (instants[above] <= instant) break;
      instants[at] = instants[above];
      lanes[at] = lanes[above];
      at = above;
    }
    instants[at] = instant;
    lanes[at] = lane;
  }

  /** Removes the lane that is the first to go on. @type {() => Lane} */
  #pop() {
    const instants = this.#instants;
    const lanes = this.#lanes;
    const first = lanes[0];
    const instant = /** @type {number} */ (instants.pop());
    const lane = /** @type {Lane} */ (lanes.pop());
    const { length } = lanes;
    if (length === 0) return first;
    let at = 0;
    for (let below = 1; below < length; below = 2 * at + 1) {
      if (below + 1 < length && instants[below + 1] < instants[below]) below++;
      if (instants[below] >= instant) break;
      instants[at] = instants[below];
      lanes[at] = lanes[below];
      at = below;
    }
    instants[at] = instant;
    lanes[at] = lane;
    return first;
  }
}
