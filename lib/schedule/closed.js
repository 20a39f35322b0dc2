/** @import { ScheduleEntry } from './types.js' */

/** @type {ScheduleEntry} */
export default {
  name: 'closed',
  about: 'a lane starts the next iteration as soon as it is free',
  suits: () => true,

  create({ limit, iterations = Infinity, duration = Infinity, rampUp = 0 }) {
    const most = Math.min(limit, iterations);
    return {
      arrival: (n) => (n < iterations ? 0 : Infinity),
      lanes: (t) => (t < rampUp ? Math.max(1, Math.ceil((most * t) / rampUp)) : most),
      most,
      end: duration,
      arrived: null,
    };
  },
};
