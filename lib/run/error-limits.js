import { countExhaustion } from '../measure/verdict.js';
import { readLimit } from '../units.js';

/**
 * @import { Recorder } from '../measure/recorder.js'
 * @import { RunOptions } from './options/types.js'
 */

/** A share of failed iterations is judged from this many on. */
const MIN_ITERATIONS = 100;
/** Errors after which a run without any connection ends. */
const CONNECT_TRIES = 100;

/**
 * Creates a function that decides whether a run has too many errors to continue.
 *
 * @param {Pick<RunOptions, 'bailout' | 'keepGoing'>} options bailout: a number of errors, or a share of failed
 *   iterations such as `5%`
 * @returns {(recorder: Pick<Recorder, 'errorCount' | 'errors' | 'iterations'>, opened: () => number) => string |
 *   null} opened: connections so far; returns why the run has to stop, or null
 */
export function createErrorLimits({ bailout, keepGoing }) {
  const limit = bailout === undefined ? null : readLimit(bailout);
  return (recorder, opened) => {
    if (limit !== null && isReached(limit, recorder)) return 'bailout';
    return !keepGoing && isUnreachable(recorder, opened) ? 'unreachable' : null;
  };
}

/**
 *
 * @type {(limit: NonNullable<ReturnType<typeof readLimit>>, recorder: Pick<Recorder, 'errorCount' | 'iterations'>) => boolean}
 */
function isReached(limit, { errorCount, iterations: { completed, failed } }) {
  if ('count' in limit) return errorCount >= limit.count;
  const ended = completed + failed;
  return ended >= MIN_ITERATIONS && failed > 0 && failed / ended >= limit.share;
}

/**
 * Errors caused by exhausted files, ports or memory of this machine do not count: they do not mean that the server is down.
 *
 * @type {(recorder: Pick<Recorder, 'errorCount' | 'errors'>, opened: () => number) => boolean}
 */
function isUnreachable(recorder, opened) {
  const { errorCount } = recorder;
  if (errorCount < CONNECT_TRIES || opened() > 0) return false;
  return errorCount - countExhaustion(recorder.errors()) >= CONNECT_TRIES;
}
