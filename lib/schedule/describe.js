import { counted } from '../ground/decimal.js';
import { writeMs } from '../ground/units.js';

/** @import { ScheduleOptions } from '../contracts/schedule.js' */

/**
 * Describes the end of a schedule: `1,000 iterations or 30 s`.
 * @type {(options: Pick<ScheduleOptions, 'iterations' | 'duration'>) => string}
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
