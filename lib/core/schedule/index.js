import closed from './closed.js';
import constant from './constant.js';
import poisson from './poisson.js';
import stages from './stages.js';

/** @import { ScheduleEntry, ScheduleOptions } from '../contracts/schedule.js' */

/** All schedules; the first that suits the options is used. @type {ScheduleEntry[]} */
export const SCHEDULES = [stages, poisson, constant, closed];

const READ = [...new Set(SCHEDULES.flatMap(({ options }) => options))];

/** Run options that only other schedules read. @type {(entry: ScheduleEntry) => string[]} */
export function unreadBy({ options }) {
  return READ.filter((name) => !options.includes(name));
}

/** @type {(options: Pick<ScheduleOptions, 'rate' | 'arrival' | 'stages'>) => ScheduleEntry} */
export function scheduleFor(options) {
  return /** @type {ScheduleEntry} */ (SCHEDULES.find(({ suits }) => suits(options)));
}

/** Returns how long a load is due, see ScheduleEntry. @type {(options: ScheduleOptions) => number} ms */
export function lengthOf(options) {
  return scheduleFor(options).length(options);
}
