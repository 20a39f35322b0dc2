import closed from './closed.js';
import constant from './constant.js';
import poisson from './poisson.js';
import stages from './stages.js';

/** @import { Schedule, ScheduleEntry, ScheduleOptions } from './types.js' */

/** When iterations start; the first that suits the options is taken. @type {ScheduleEntry[]} */
export const SCHEDULES = [stages, poisson, constant, closed];

/** @type {(options: ScheduleOptions) => Schedule} */
export function createSchedule(options) {
  const entry = /** @type {ScheduleEntry} */ (SCHEDULES.find(({ suits }) => suits(options)));
  return entry.create(options);
}
