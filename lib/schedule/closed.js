/** @import { ScheduleEntry } from './types.js' */

/** @type {ScheduleEntry} */
export default {
  name: 'closed',
  about: 'a lane starts the next iteration as soon as it is free',
  suits: () => true,

  create({ limit, iterations = Infinity, duration = Infinity }) {
    const lanes = Math.min(limit, iterations);
    return { arrival: (n) => (n < iterations ? 0 : Infinity), lanes: () => lanes, most: lanes, end: duration, arrived: null };
  },
};
