import { counted } from '../ground/decimal.js';
import { writeMs } from '../ground/units.js';

/** @import { ScheduleOptions } from '../contracts/schedule.js' */

/**
 * @param {Pick<ScheduleOptions, 'iterations' | 'duration'>} options
 * @returns {string} `1,000 iterations or 30 s`
 */
export function describeEnd({ iterations, duration }) {
  const ends = [
    ...(iterations === undefined ? [] : [counted(iterations, 'iteration')]),
    ...(duration === undefined ? [] : [writeMs(duration)]),
  ];
  return ends.join(' or ');
}

/** @type {(limit: number) => string} */
export function describeLimit(limit) {
  return counted(limit, 'virtual user');
}
