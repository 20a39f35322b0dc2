import { createRandom } from './random.js';

/** @import { ScheduleEntry } from './types.js' */

/** @type {ScheduleEntry} */
export default {
  name: 'poisson',
  about: 'so many iterations a second on average, at random: as from many people who know nothing of each other',
  suits: ({ rate, arrival }) => rate !== undefined && arrival === 'poisson',

  /**
   * A Poisson process: the gaps between arrivals are independent, and exponential with mean 1000 / rate.
   *
   *     gap = -ln(1 - u) 1000 / rate,    u uniform in [0, 1)
   */
  create({ limit, rate = 0, seed = 1, iterations = Infinity, duration = Infinity }) {
    const due = arrivals(rate, seed);
    const passed = arrivals(rate, seed);
    const lanes = Math.min(limit, iterations);
    return {
      arrival: (n) => (n < iterations ? due.at(n) : Infinity),
      lanes: () => lanes,
      most: lanes,
      end: duration,
      arrived: (t) => Math.min(iterations, passed.by(Math.min(t, duration))),
    };
  },
};

/**
 * The instants of arrival, one after the other; only the present one is kept.
 *
 * @param {number} rate a second
 * @param {number} seed the same one gives the same arrivals
 */
function arrivals(rate, seed) {
  const random = createRandom(seed);
  const gap = () => (-Math.log(1 - random()) * 1000) / rate;
  let n = 0;
  let time = gap();
  const step = () => {
    n++;
    time += gap();
  };
  return {
    /** @type {(wanted: number) => number} */
    at(wanted) {
      while (n < wanted) step();
      return time;
    },
    /** @type {(t: number) => number} */
    by(t) {
      while (time <= t) step();
      return n;
    },
  };
}
