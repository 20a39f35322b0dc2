import { grouped } from '../decimal.js';
import { describeEnd, describeLimit } from './describe.js';
import { createRandom } from '../random.js';

/** @import { ScheduleEntry } from './types.js' */

/** @type {ScheduleEntry} */
export default {
  name: 'poisson',
  about: 'open model: iterations start at random with a constant average rate, like requests of many independent users',
  chosenBy: 'rate',
  options: ['rate', 'arrival', 'seed', 'limit', 'iterations', 'duration', 'forever', 'maxBacklog'],
  conflicts: ['rampUp', 'pause', 'expectedInterval'],
  suits: ({ rate, arrival }) => rate !== undefined && arrival === 'poisson',
  describe: ({ rate = 0, limit, ...end }) =>
    `${describeEnd(end) || 'until stopped'}, ${grouped(rate)}/s at random, up to ${describeLimit(limit)}`,
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
 * Generates the instants of arrival one after the other and keeps only the current one, so memory does not grow.
 *
 * @param {number} rate per second
 * @param {number} seed equal seeds give equal arrivals
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
