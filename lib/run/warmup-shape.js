/**
 * @import { ScheduleOptions } from '../schedule/types.js'
 * @import { RunOptions } from './options.js'
 */

/**
 * The load before the load: at the rate of the run, where it has one from the start, else as fast as lanes are free.
 *
 * @param {RunOptions} options
 * @returns {ScheduleOptions & { duration: number }}
 */
export function warmupShape({ warmup, limit, rate, arrival, seed, stages }) {
  const { duration, limit: lanes = stages?.[0].limit ?? limit } = /** @type {NonNullable<RunOptions['warmup']>} */ (
    warmup
  );
  return { duration, limit: Math.max(1, lanes), rate: rate ?? stages?.[0].rate, arrival, seed };
}
