import { createRandom } from '../ground/random.js';
import { writeRate } from '../ground/units.js';
import { describeEnd, describeLimit } from './describe.js';

/** @import { ScheduleEntry } from '../contracts/schedule.js' */

/** In a run of at most so many iterations, its last interval is a part of it that can be seen. */
const SHORT = 1000;
/**
 * Arrivals whose instants are kept. A run that is short by its expected number of arrivals may draw more than SHORT,
 * and a result near the end looks ahead to the next one.
 */
const KEPT = 2 * SHORT;
/** Arrivals that are drawn to know how long they take, 20 ms of CPU; more take the time of their mean rate. */
const MOST_DRAWN = 1e6;

/** @type {ScheduleEntry} */
export default {
  name: 'poisson',
  about: 'open model: iterations start at random with a constant average rate, like requests of many independent users',
  chosenBy: 'rate',
  options: ['rate', 'arrival', 'limit', 'iterations', 'duration', 'forever', 'maxBacklog', 'pacing'],
  suits: ({ rate, arrival }) => rate !== undefined && arrival === 'poisson',
  describe: ({ rate = 0, limit, ...end }) =>
    `${describeEnd(end) || 'until stopped'}, ${writeRate(rate)} at random, up to ${describeLimit(limit)}`,
  warmUp: ({ limit, rate, arrival, seed }) => ({ limit, rate, arrival, seed }),

  length({ rate = 0, seed = 1, iterations = Infinity, duration = Infinity }) {
    const isLong = iterations > MOST_DRAWN;
    const ms = isLong ? (iterations * 1000) / rate : new ArrivalTimes(rate, seed).at(iterations);
    // Starts of other loads are whole ms.
    return Math.min(duration, Math.ceil(ms));
  },

  /**
   * A Poisson process: the gaps between arrivals are independent, and exponential with mean 1000 / rate.
   *
   *     gap = -ln(1 - u) 1000 / rate,    u uniform in [0, 1)
   */
  create({ limit, rate = 0, seed = 1, iterations = Infinity, duration = Infinity }) {
    // Both have the same instants, and go forward at their own pace: starts look ahead of the clock, counts do not.
    const due = new ArrivalTimes(rate, seed);
    const passed = new ArrivalTimes(rate, seed);
    const lanes = Math.min(limit, iterations);
    const span = spanOf({ rate, seed, iterations, duration });
    return {
      ...(span !== null && { span }),
      arrival: (n) => (n < iterations ? due.at(n) : Infinity),
      lanes: () => lanes,
      most: lanes,
      isSteady: true,
      end: duration,
      dueAt: (n) => (n > SHORT ? Infinity : new ArrivalTimes(rate, seed).at(n)),
      arrived: (t) => Math.min(iterations, passed.countBy(Math.min(t, duration))),
    };
  },
};

/**
 * Returns the time that the iterations of a short run stand for: until the next one would be due.
 * @type {(run: { rate: number, seed: number, iterations: number, duration: number }) => number | null} ms; null for a
 *   longer run, in which one interval more or less does not matter
 */
function spanOf({ rate, seed, iterations, duration }) {
  const expected = Math.min(iterations, (duration * rate) / 1000);
  if (expected > SHORT) return null;
  const times = new ArrivalTimes(rate, seed);
  const afterAll = iterations <= KEPT ? times.at(iterations) : Infinity;
  const isEndedByIterations = afterAll <= duration;
  return isEndedByIterations ? afterAll : times.at(times.countBy(duration));
}

/** The instants of arrival, drawn one after the other. Only the last ones are kept, so memory does not grow. */
class ArrivalTimes {
  #rate;
  #seed;
  #random;
  /** Instants of the arrivals before the next one, by their number modulo KEPT. */
  #kept = new Float64Array(KEPT);
  /** The number of the next arrival. */
  #n = 0;
  /** Its instant. */
  #time;

  /**
   * @param {number} rate per second
   * @param {number} seed equal seeds give equal arrivals
   */
  constructor(rate, seed) {
    this.#rate = rate;
    this.#seed = seed;
    this.#random = createRandom(seed);
    this.#time = this.#gap();
  }

  /** Returns the instant of arrival n, ms. @type {(n: number) => number} */
  at(n) {
    while (this.#n < n) this.#step();
    if (n === this.#n) return this.#time;
    return this.#isKept(n) ? this.#kept[n % KEPT] : this.#again().at(n);
  }

  /** Counts the arrivals until a finite instant. @type {(t: number) => number} */
  countBy(t) {
    while (this.#time <= t) this.#step();
    let count = this.#n;
    while (this.#isKept(count - 1) && this.#kept[(count - 1) % KEPT] > t) count--;
    return count === 0 || this.#isKept(count - 1) ? count : this.#again().countBy(t);
  }

  #step() {
    this.#kept[this.#n % KEPT] = this.#time;
    this.#n++;
    this.#time += this.#gap();
  }

  /** @type {() => number} */
  #gap() {
    return (-Math.log(1 - this.#random()) * 1000) / this.#rate;
  }

  /** @type {(n: number) => boolean} */
  #isKept(n) {
    return n >= 0 && n >= this.#n - KEPT;
  }

  /** An older instant is drawn again from the beginning. */
  #again() {
    return new ArrivalTimes(this.#rate, this.#seed);
  }
}
