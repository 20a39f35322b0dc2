import { readLimit } from '../units.js';

/** @import { Recorder } from '../measure/recorder.js' */

const FEWEST_ITERATIONS = 100;

/**
 * Whether there are too many errors to go on.
 *
 * @param {number | string | undefined} limit errors, or the share of iterations that may fail, `5%`, judged from 100 iterations on
 */
export function createBailout(limit) {
  const parsed = limit === undefined ? null : readLimit(limit);
  return {
    /** @type {(recorder: Pick<Recorder, 'errorCount' | 'iterations'>) => boolean} */
    isReached({ errorCount, iterations }) {
      if (parsed === null) return false;
      if ('count' in parsed) return errorCount >= parsed.count;
      const ended = iterations.completed + iterations.failed;
      return ended >= FEWEST_ITERATIONS && iterations.failed > 0 && iterations.failed / ended >= parsed.share;
    },
  };
}
