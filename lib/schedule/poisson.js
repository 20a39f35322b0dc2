import { createRandom } from '../ground/random.js';
import { writeRate } from '../ground/units.js';
import { describeEnd, describeLimit } from './describe.js';

/** @import { ScheduleEntry } from '../contracts/schedule.js' */

/** Iterations of a run whose last interval is a part of it that can be seen. */
const SHORT = 1000;

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

  /**
   * A Poisson process: the gaps between arrivals are independent, and exponential with mean 1000 / rate.
   *
   *     gap = -ln(1 - u) 1000 / rate,    u uniform in [0, 1)
   */
  create({ limit, rate = 0, seed = 1, iterations = Infinity, duration = Infinity }) {
    const due = arrivals(rate, seed);
    const passed = arrivals(rate, seed);
    const lanes = Math.min(limit, iterations);
    const span = spanOf({ rate, seed, iterations, duration });
    return {
      ...(span !== null && { span }),
      arrival: (n) => (n < iterations ? due.at(n) : Infinity),
      lanes: () => lanes,
      most: lanes,
      end: duration,
      ...(rate > 0 && { dueAt: (n) => (n > SHORT ? Infinity : arrivals(rate, seed).at(n)) }),
      arrived: (t) => Math.min(iterations, passed.by(Math.min(t, duration))),
    };
  },
};

/**
 * Returns the time that the iterations of a short run stand for: until the next one would be due.
 * @type {(run: { rate: number, seed: number, iterations: number, duration: number }) => number | null} ms; null for a
 *   longer run, in which one interval more or less does not matter
 */
function spanOf({ rate, seed, iterations, duration }) {
  if (!(rate > 0) || Math.min(iterations, (duration * rate) / 1000) > SHORT) return null;
  const afterAll = iterations < Infinity && iterations <= 2 * SHORT ? arrivals(rate, seed).at(iterations) : Infinity;
  if (afterAll <= duration || duration === Infinity) return afterAll < Infinity ? afterAll : null;
  const inTime = arrivals(rate, seed);
  return inTime.at(inTime.by(duration));
}

/** Arrivals whose instants are kept: all of a short run, and those that a result near the end looks ahead to. */
const KEPT = 2 * SHORT;

/**
 * Generates the instants of arrival one after the other and keeps only the last ones, so memory does not grow.
 * @param {number} rate per second
 * @param {number} seed equal seeds give equal arrivals
 */
function arrivals(rate, seed) {
  const random = createRandom(seed);
  const gap = () => (-Math.log(1 - random()) * 1000) / rate;
  const kept = new Float64Array(KEPT);
  let n = 0;
  let time = gap();
  const step = () => {
    kept[n % KEPT] = time;
    n++;
    time += gap();
  };
  const isKept = (/** @type {number} */ wanted) => wanted >= 0 && wanted >= n - KEPT;
  return {
    /** @type {(wanted: number) => number} */
    at(wanted) {
      while (n < wanted) step();
      if (wanted === n) return time;
      return isKept(wanted) ? kept[wanted % KEPT] : arrivals(rate, seed).at(wanted);
    },
    /** @type {(t: number) => number} */
    by(t) {
      while (time <= t) step();
      let count = n;
      while (isKept(count - 1) && kept[(count - 1) % KEPT] > t) count--;
      return count === 0 || isKept(count - 1) ? count : arrivals(rate, seed).by(t);
    },
  };
}
