import { makeError } from '../../errors.js';

/** A time between progress updates below this, for a run of one iteration, is likely a duration in seconds. */
const LIKELY_SECONDS = 1000;

/**
 * Refuses options that make no sense for a run of one iteration, and flags that mean its length in other tools. Runs
 * with an end take them, as 1.2.4 did.
 *
 * @param {Record<string, any>} options of all layers, for which nothing sets an end
 * @param {Record<string, any>} flags of the command line
 * @throws {Error} E_USAGE
 */
export function refuseWithoutEnd({ rate }, { prealloc = 0, progress = 0 }) {
  if (prealloc > 1)
    refuse(
      `-a ${prealloc} renders requests before the start, but this run has 1 iteration: for ${prealloc} iterations write -n ${prealloc}`,
    );
  if (progress > 0 && progress < LIKELY_SECONDS)
    refuse(
      `-d ${progress} is the time between progress updates, in ms, but this run has 1 iteration: to run for ${progress} s write -t ${progress}s`,
    );
  if (rate !== undefined)
    refuse('a rate (-r) needs an end, or the run has 1 iteration: add -t 10s, -n 1000 or --forever');
}

/** The hint for a run that has one iteration because nothing sets an end. */
export const ONE_ITERATION = '1 iteration; use -n 1000 or -t 10s for a benchmark';

/** The hint for `--debug` of a flow with thresholds. */
export const NOT_JUDGED = '--debug runs one iteration: no threshold is judged';

/**
 * The hint for a run with fewer iterations than virtual users. At an arrival rate, idle virtual users are normal.
 *
 * @param {Record<string, any>} options of all layers
 * @returns {string[]}
 */
export function idleUsers({ iterations, limit, rate, stages }) {
  const hasRate = rate !== undefined || stages !== undefined;
  if (hasRate || typeof limit !== 'number' || !(iterations < limit)) return [];
  return [`only ${iterations} of ${limit} virtual users have an iteration to run; use -n ${limit} or more, or -t 10s`];
}

/** @type {(problem: string) => never} */
function refuse(problem) {
  throw makeError('E_USAGE', { problem });
}
