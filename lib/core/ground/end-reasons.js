import { offered } from './addons.js';

/** @import { Stats } from '../contracts/stats.js' */
/** @import { Reason } from './exit-codes.js' */

/**
 * @typedef {object} EndReasonRow
 * @property {string} about
 * @property {string | ((stats: Partial<Stats>) => string)} [message] what the command prints
 * @property {boolean} [isPlanned] the options or the flow of the run plan this end
 * @property {boolean} [isLimit] a limit ended the run, because continuing it would be of no use
 * @property {Reason} [exit] the reason of the exit code
 *
 * @typedef {EndReasonRow & { name: string }} OfferedEnd
 */

/** @type {OfferedEnd[]} */
const OFFERED = offered('endReasons');

/**
 * Why runs end: `run.endReason` of results, and `endReason` of awaited runs. A program may pass another reason to
 * `stop()`. To add a reason, add its row.
 */
export const END_REASONS = /** @type {Record<string, EndReasonRow>} */ ({
  completed: { about: 'as planned', isPlanned: true },
  hook: { about: 'all.stop() of a hook', message: 'stopped by a hook', isPlanned: true },
  precision: { about: 'each --precision was reached', isPlanned: true },
  before: { about: 'before failed', message: 'no iterations were run, because before failed' },
  bailout: { about: 'the limit of --bailout', message: 'stopped at the error limit of --bailout', isLimit: true },
  unreachable: {
    about: 'no connection succeeded',
    message: 'stopped, because no connection succeeded; is the server running? (--keep-going ignores this)',
    isLimit: true,
  },
  threshold: {
    about: 'a threshold failed, with --abort-on-fail',
    message: 'stopped, because a threshold failed',
    isLimit: true,
  },
  worker: { about: 'a worker was lost', message: 'stopped, because a worker was lost' },
  ...Object.fromEntries(OFFERED.map(({ name, ...row }) => [name, row])),
  SIGINT: { about: 'Ctrl-C, or this signal' },
  SIGTERM: { about: 'this signal' },
  SIGHUP: { about: 'this signal' },
  stopped: { about: 'stop() of a program, or its listener of error or progress threw' },
  aborted: { about: 'abort() or signal of a program, or a second signal' },
  lost: { about: 'the thread of the run was lost; its last state is the result' },
  running: { about: 'the file was written while the run went on' },
});

/** @typedef {string} EndReason a key of {@link END_REASONS} */

/** The reason of a run that ended as planned by its time, or its number of iterations. */
export const COMPLETED = 'completed';

/** Returns the row of a reason; a program may pass any text to `stop()`. @type {(reason: string) => EndReasonRow} */
export function endReasonRow(reason) {
  return Object.hasOwn(END_REASONS, reason) ? END_REASONS[reason] : { about: 'passed to stop() by a program' };
}

/**
 * Returns what the command prints about the end of a run.
 * @type {(reason: string, stats?: Partial<Stats>) => string | undefined}
 */
export function endMessage(reason, stats = {}) {
  const { message } = endReasonRow(reason);
  return typeof message === 'function' ? message(stats) : message;
}
