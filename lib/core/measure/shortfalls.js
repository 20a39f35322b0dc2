import { hintsAt } from '../ground/addons.js';
import { counted, grouped, rate } from '../ground/decimal.js';
import { fullnessOf } from './keeping-up.js';
import { MAX_DROPPED, droppedShare } from './outcome.js';
import { LEAST_MS } from './own-time.js';

/** @import { Stats } from '../contracts/stats.js' */
/** @import { LoadSummary } from '../contracts/summaries.js' */

/**
 * @typedef {object} Shortfall
 * @property {'cancelled' | 'dropped' | 'connections'} what
 * @property {string} text
 * @property {string} [advice] what would help
 */

/**
 * @typedef {Pick<Stats, 'iterations' | 'virtualUsers' | 'main' | 'loadGenerator'> | LoadSummary} RatedPart the run,
 *   or one
 *   of several loads
 */

/** An event loop that is busier has too little left for more virtual users. */
const FREE = 0.6;
/** Virtual users advised beyond the mean number that the rate keeps busy: a share of it, and of its square root. */
const HEADROOM = 1.25;
const CHANCE = 2;

/**
 * Lists the part of its load that a run did not perform. It belongs to the outcome: the figures of the rest may be
 * valid.
 * @type {(stats: Pick<Stats, 'iterations' | 'virtualUsers' | 'main' | 'loadGenerator' | 'loads' |
 *   'measuredElapsed'>) => Shortfall[]}
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
    const remedies = loadGenerator.saturated ? [] : lacking.map((part) => remedyOfDropped(part, stats));
    const advice = [...new Set(remedies)].filter((text) => text !== '');
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

/**
 * What would help: more virtual users do if the event loop has time for them.
 * @type {(part: RatedPart, stats: Pick<Stats, 'loadGenerator' | 'measuredElapsed'>) => string}
 */
function remedyOfDropped(part, { loadGenerator, measuredElapsed }) {
  const { started, completed, dropped, plannedRate } = part.iterations;
  const { eventLoopUtilization, workers } = loadGenerator;
  if (completed === 0 || plannedRate === undefined) return '';
  if (droppedShare({ iterations: { started, dropped } }) <= MAX_DROPPED) return '';
  if (eventLoopUtilization > FREE) {
    // The event loop of a short run is busy with its start.
    if (measuredElapsed < LEAST_MS) return '';
    const cores = workers > 1 ? 'another machine' : 'more cores (--workers)';
    return `the event loop was busy ${Math.round(eventLoopUtilization * 100)} % of the time: use ${cores}, or a lower rate`;
  }
  if (!('name' in part)) return usersRemedy(part, loadGenerator, '-c');
  const text = usersRemedy(part, loadGenerator, 'limit');
  return text === '' ? '' : `${part.name}: ${text}`;
}

/**
 * By Little's law, a rate keeps rate x mean duration virtual users busy. More of them help if that is more than there
 * are, and if the service is not full. How long iterations would have taken that were cut off is not known.
 * @type {(part: RatedPart, loadGenerator: Stats['loadGenerator'], option: string) => string}
 */
function usersRemedy(part, { pipelining = 1 }, option) {
  const { iterations, virtualUsers } = part;
  const { completed, failed, cancelled, busyTime, plannedRate = 0, peakRate } = iterations;
  const fullness = fullnessOf(part);
  if (fullness?.isFull)
    return `the service is the limit, at about ${rate((1000 * virtualUsers.started * pipelining) / fullness.ms)}/s, so more virtual users do not help${hintsAt(
      'full service',
    )
      .map((hint) => `: ${hint}`)
      .join('')}`;
  if (cancelled > 0) return '';
  const meanMs = busyTime / (completed + failed);
  const busy = ((peakRate ?? plannedRate) * meanMs) / 1000;
  const needed = Math.ceil((busy * HEADROOM + CHANCE * Math.sqrt(busy)) / pipelining);
  if (needed <= virtualUsers.started) return 'use a lower rate';
  const condition =
    fullness === null
      ? `unless the service is the limit,${hintsAt('unknown limit')
          .map((hint) => ` ${hint},`)
          .join('')}`
      : 'at that time,';
  return `iterations took ${meanMs.toFixed(meanMs < 10 ? 1 : 0)} ms on average: ${condition} about ${grouped(needed)} virtual users are enough for the ${peakRate === undefined ? '' : 'highest '}rate (${option} ${needed})`;
}
