/** @import { ScheduleEntry } from './types.js' */

/** @type {ScheduleEntry} */
export default {
  name: 'constant',
  about: 'so many iterations a second, evenly spread, whatever the server does',
  suits: ({ rate }) => rate !== undefined,

  /**
   *     arrival(n) = n 1000 / rate
   *     arrived(t) = how many n have arrival(n) <= t and arrival(n) < end
   */
  create({ limit, rate = 0, iterations = Infinity, duration = Infinity }) {
    const all = Math.min(iterations, Math.ceil((duration * rate) / 1000));
    const lanes = Math.min(limit, iterations);
    return {
      arrival: (n) => (n < all ? (n * 1000) / rate : Infinity),
      lanes: () => lanes,
      most: lanes,
      end: duration,
      arrived: (t) => Math.min(all, Math.floor((t * rate) / 1000) + 1),
    };
  },
};
