import { counted, grouped } from '../ground/decimal.js';
import { MAX_DROPPED, droppedShare } from './outcome.js';

/** @import { Stats } from '../contracts/stats.js' */

/**
 * @typedef {object} Shortfall
 * @property {'cancelled' | 'dropped' | 'connections'} what
 * @property {string} text
 * @property {string} [advice] what would help
 */

/** An event loop that is busier has too little left for more virtual users. */
const FREE = 0.6;
/** Virtual users advised beyond the mean number that the rate keeps busy. */
const HEADROOM = 1.25;

/**
 * Lists the part of its load that a run did not perform. It belongs to the outcome: the figures of the rest may be
 * valid.
 * @type {(stats: Pick<Stats, 'iterations' | 'virtualUsers' | 'loadGenerator' | 'loads'>) => Shortfall[]}
 */
export function shortfallsOf(stats) {
  const { iterations, loadGenerator } = stats;
  const { cancelled, dropped } = iterations;
  const { started: users, answered: reached } = stats.virtualUsers;
  /** @type {Shortfall[]} */
  const found = [];
  if (cancelled > 0) found.push({ what: 'cancelled', text: runningText(cancelled) });
  // A large load may hide what a small one dropped.
  const lacking = (stats.loads ?? [stats]).filter((part) => droppedShare(part) > MAX_DROPPED);
  if (lacking.length > 0) {
    const remedies = loadGenerator.saturated ? [] : lacking.map((part) => remedyOfDropped(part, loadGenerator));
    const advice = [...new Set([pauseOf(iterations), ...remedies])].filter((text) => text !== '');
    const text = `${counted(dropped, 'iteration')} ${dropped === 1 ? 'was' : 'were'} due, but never started`;
    found.push({ what: 'dropped', text, ...(advice.length > 0 && { advice: advice.join('; ') }) });
  }
  // If none did, the outcome says so.
  if (reached > 0 && reached < users)
    found.push({
      what: 'connections',
      text: `${grouped(reached)} of ${grouped(users)} virtual users ever received a response`,
    });
  return found;
}

/** The reason for doubt in a run whose end was not seen. @type {(running: number) => string} */
export function stillRunning(running) {
  return `cancelled: ${runningText(running)}`;
}

/** @type {(running: number) => string} */
function runningText(running) {
  return `${counted(running, 'iteration')} ${running === 1 ? 'was' : 'were'} still running when the run ended`;
}

/** Why agents were not permitted to start some of them. @type {(iterations: Stats['iterations']) => string} */
function pauseOf({ unpermitted }) {
  if (unpermitted === 0) return '';
  return `${grouped(unpermitted)} of them had no permit: agents of a run with --agents-replace-lost pause while the queue does not answer`;
}

/**
 * By Little's law, a rate keeps rate x mean duration virtual users busy. More of them help if that is more than there
 * are, and if the event loop has time for them. How long iterations would have taken that were cut off is not known.
 * @type {(part: Pick<Stats, 'iterations' | 'virtualUsers'> & { name?: string }, loadGenerator: Stats['loadGenerator'])
 *   => string} part: the run, or one of several loads
 */
function remedyOfDropped({ name, iterations, virtualUsers }, { eventLoopUtilization, workers, pipelining = 1 }) {
  const { started, completed, failed, cancelled, dropped, unpermitted, busyTime } = iterations;
  const { plannedRate, peakRate } = iterations;
  if (completed === 0 || plannedRate === undefined) return '';
  if (droppedShare({ iterations: { started, dropped: dropped - unpermitted } }) <= MAX_DROPPED) return '';
  if (eventLoopUtilization > FREE) {
    const cores = workers > 1 ? 'another machine' : 'more cores (--workers)';
    return `the event loop was busy ${Math.round(eventLoopUtilization * 100)} % of the time: use ${cores}, or a lower rate`;
  }
  if (cancelled > 0) return '';
  const meanMs = busyTime / (completed + failed);
  const needed = Math.ceil((((peakRate ?? plannedRate) * meanMs) / 1000 / pipelining) * HEADROOM);
  const of = name === undefined ? '' : `${name}: `;
  if (needed <= virtualUsers.started) return `${of}use a lower rate`;
  const option = name === undefined ? `-c ${needed}` : `limit ${needed}`;
  return `${of}iterations took ${meanMs.toFixed(meanMs < 10 ? 1 : 0)} ms on average: at that time, the ${peakRate === undefined ? '' : 'highest '}rate needs about ${grouped(needed)} virtual users (${option})`;
}
