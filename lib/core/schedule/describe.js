import { counted } from '../ground/decimal.js';
import { writeMs } from '../ground/units.js';

/** @import { ScheduleOptions } from '../contracts/schedule.js' */

/** @type {(options: Pick<ScheduleOptions, 'iterations' | 'duration' | 'precision' | 'isUntilOthers'>) => string} */
export function describeEnd({ iterations, duration, precision = [], isUntilOthers = false }) {
  const ends = [
    ...(precision.length === 0 ? [] : [`until ${precision.map(({ expression }) => expression).join(', ')}`]),
    ...(iterations === undefined ? [] : [counted(iterations, 'iteration')]),
    ...(duration === undefined ? [] : [writeMs(duration)]),
  ];
  return ends.length === 0 && isUntilOthers ? 'until the others have ended' : ends.join(' or ');
}

/** @type {(limit: number) => string} */
export function describeLimit(limit) {
  return counted(limit, 'virtual user');
}
