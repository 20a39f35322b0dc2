import { writeRate } from '../ground/units.js';
import { describeEnd, describeLimit } from './describe.js';

/** @import { ScheduleEntry } from '../contracts/schedule.js' */

/** @type {ScheduleEntry} */
export default {
  name: 'constant',
  about: 'open model: iterations start at a constant arrival rate, regardless of response times',
  chosenBy: 'rate',
  options: ['rate', 'arrival', 'limit', 'iterations', 'duration', 'forever', 'maxBacklog', 'pacing'],
  suits: ({ rate }) => rate !== undefined,
  describe: ({ rate = 0, limit, ...end }) =>
    `${describeEnd(end) || 'until stopped'}, ${writeRate(rate)}, up to ${describeLimit(limit)}`,
  warmUp: ({ limit, rate }) => ({ limit, rate }),
  length: ({ rate = 0, iterations = Infinity, duration = Infinity }) => Math.min(duration, (iterations * 1000) / rate),

  /**
   *     arrival(n) = n 1000 / rate
   *     arrived(t) = how many n have arrival(n) <= t and arrival(n) < end
   */
  create({ limit, rate = 0, iterations = Infinity, duration = Infinity }) {
    const all = Math.min(iterations, dueBefore((duration * rate) / 1000));
    const lanes = Math.min(limit, iterations);
    return {
      arrival: (n) => (n < all ? (n * 1000) / rate : Infinity),
      lanes: () => lanes,
      most: lanes,
      isSteady: true,
      end: duration,
      ...(all < Infinity && { span: (all * 1000) / rate }),
      dueAt: (n) => (n * 1000) / rate,
      arrived: (t) => Math.min(all, Math.floor((t * rate) / 1000) + 1),
    };
  },
};

/** Rounding error of a number of iterations: products and sums of fractions miss the whole numbers that they mean. */
export const TINY = 1e-9;

/**
 * Counts the iterations that are due before an end: of an area of 249.00000000000003, which means 249, iteration 249 is
 * due at the end.
 * @type {(area: number) => number} area: under the rate until the end, in iterations
 */
export function dueBefore(area) {
  // In a run of days the rounding error exceeds TINY: it grows with the number.
  const withoutError = Math.min(area - TINY, area * (1 - 4 * Number.EPSILON));
  // The first iteration is due as soon as there is a rate, however low: an area below TINY is no error.
  return area > 0 ? Math.max(1, Math.ceil(withoutError)) : 0;
}
