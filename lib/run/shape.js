import { writeMs } from '../units.js';

/** @import { RunOptions } from './options.js' */

/**
 * The load of a run in a few words: `1,000 iterations, 50 at a time`.
 *
 * @param {RunOptions} options
 * @returns {string}
 */
export function describeShape({ iterations, duration, rate, arrival, stages, limit, workers, warmup, pipelining }) {
  const many =
    iterations === undefined
      ? ''
      : `${iterations.toLocaleString('en')} ${iterations === 1 ? 'iteration' : 'iterations'}`;
  const long = duration === undefined ? '' : writeMs(duration);
  const ends = [many, long].filter(Boolean).join(' or ') || (stages ? '' : 'until it is stopped');
  const pace = rate === undefined ? '' : `${rate.toLocaleString('en')}/s${arrival === 'poisson' ? ' at random' : ''}`;
  const ramps = (stages ?? [])
    .map(
      (stage) =>
        `${writeMs(stage.duration)} to ${stage.rate === undefined ? `${stage.limit} at a time` : `${stage.rate}/s`}`,
    )
    .join(', ');
  const lanes =
    stages?.[0].limit === undefined
      ? `${rate === undefined && !stages ? '' : 'up to '}${limit.toLocaleString('en')} at a time`
      : '';
  const threads = workers === undefined ? '' : `${workers} ${workers === 1 ? 'worker' : 'workers'}`;
  const inFlight = pipelining === undefined ? '' : `${pipelining} in flight on a connection`;
  const warm = warmup ? `after a warm-up of ${writeMs(warmup.duration)}` : '';
  return [ends, pace, ramps, lanes, inFlight, threads, warm].filter(Boolean).join(', ');
}
