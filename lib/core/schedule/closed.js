import { writeMs } from '../ground/units.js';
import { describeEnd, describeLimit } from './describe.js';

/** @import { ScheduleEntry } from '../contracts/schedule.js' */

/** @type {ScheduleEntry} */
export default {
  name: 'closed',
  about: 'closed model: a virtual user starts its next iteration as soon as the last one is over',
  chosenBy: null,
  options: ['limit', 'iterations', 'duration', 'forever', 'rampUp', 'pause', 'expectedInterval'],
  suits: () => true,
  describe: ({ limit, rampUp = 0, ...end }) =>
    `${describeEnd(end) || 'until stopped'}, ${describeLimit(limit)}${rampUp > 0 ? `, ramp-up of ${writeMs(rampUp)}` : ''}`,
  warmUp: ({ limit }) => ({ limit }),
  length: ({ duration = Infinity }) => duration,

  create({ limit, iterations = Infinity, duration = Infinity, rampUp = 0 }) {
    const most = Math.min(limit, iterations);
    return {
      arrival: (n) => (n < iterations ? 0 : Infinity),
      lanes: (t) => (t < rampUp ? Math.max(1, Math.ceil((most * t) / rampUp)) : most),
      most,
      isSteady: rampUp === 0 || most <= 1,
      end: duration,
      arrived: null,
    };
  },
};
