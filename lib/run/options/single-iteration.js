import { makeError } from '../../errors.js';

/** @import { Layer } from './layers.js' */

/** A time between progress updates below this, for a run of one iteration, is likely a duration in seconds. */
const LIKELY_SECONDS = 1000;

/**
 * Refuses flags that make no sense for a run of one iteration, and mean its length in other tools. Runs with an end take
 * them, as 1.2.4 did.
 *
 * @param {Layer[]} commandLine flags of a run for which nothing sets an end
 * @throws {Error} E_USAGE
 */
export function refuseFlagsOfLength(commandLine) {
  const { prealloc = 0, progress = 0 } = Object.assign({}, ...commandLine.map(({ options }) => options));
  if (prealloc > 1) {
    throw makeError('E_USAGE', {
      problem: `-a ${prealloc} renders requests before the start, but this run has 1 iteration: for ${prealloc} iterations write -n ${prealloc}`,
    });
  }
  if (progress > 0 && progress < LIKELY_SECONDS) {
    throw makeError('E_USAGE', {
      problem: `-d ${progress} is the time between progress updates, in ms, but this run has 1 iteration: to run for ${progress} s write -t ${progress}s`,
    });
  }
}
