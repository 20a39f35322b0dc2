import { isOpen, plannedMsOf } from './figures.js';
import { meanOf, squaresOf } from './statistics.js';

/** @import { Stats } from '../contracts/stats.js' */
/** @import { LoadSummary, PointSummary } from '../contracts/summaries.js' */

/**
 * Judges whether a service kept up with the planned rate of an open run. With enough virtual users no iteration is
 * dropped by a service that is too slow: the running ones queue in the service, and their number grows.
 *
 *     running                   ___ more arrive than end
 *       |                 ___---
 *       |           ___---            by Little's law, rate x time of an iteration that does not wait
 *       |_____---___________________  explains the running ones of a service that keeps up
 *       +---------------------------> time
 */

/**
 * @typedef {object} Backlog
 * @property {number} waiting iterations that ran when the last one was due
 * @property {number} growth more of them per second
 * @property {number} rate iterations per second that ended meanwhile
 * @property {number | null} from the rate from which on they grew, of a plan whose rate changes; null: all the time
 */

/**
 * @typedef {object} DueSpan of the time in which iterations were due
 * @property {number} seconds its length
 * @property {number} running mean number of running iterations
 * @property {number} ended
 * @property {number} begun
 */

/** Pieces of a run at most; more if its rate changes, of which each stretch of a quarter of the run is judged. */
const MOST_PIECES = 20;
const MOST_OF_CHANGING = 40;
const STRETCHES = 4;
const FEWEST_PIECES = 6;
const FEWEST_OF_STRETCH = 6;
/** The growth of the running iterations is judged from this share of those that began, and from this many on. */
const LEAST_SHARE = 0.01;
const LEAST_WAITING = 2;
/**
 * Growth by chance: standard deviations of the sum of its steps, as if each step were independent. A queue near its
 * capacity wanders as far in 1 of 100 runs at most (simulated).
 */
const DEVIATIONS = 2.5;
/** Little's law explains the running iterations at the end by the shortest mean time of any piece, times this. */
const EXPLAINED = 2;
/** The share of the iterations begun at the end that a service that keeps up ends meanwhile. */
const KEPT_UP = 0.98;
/** Two halves of a stretch end as many iterations, but for this and chance. */
const ALIKE = 1.03;
/** A mean time needs more iterations than these. */
const FEWEST_ENDED = 20;
/** The rate of a full service falls to this share at most. */
const FULL = 0.5;
const STEADY = 0.9;
const SLOW_START = 0.2;
const MANY = 100;
/** The rate of a full service during the plan is this share of that after it, unless it started slowly. */
const NEARLY = 0.8;
/** Points after the plan, of all, from which on their times and rates tell a queue. */
const LONG_AFTER = 0.4;
/**
 * Times of a queue grow by more than this: those in the second half after the plan, and those of iterations that begin
 * when all virtual users are busy.
 */
const LONGER = 1.2;
const LEAST_PLAN_MS = 950;

/**
 * Returns by how much a service did not keep up with the planned rate of a run, or of one of several loads; null if it
 * did, or if that cannot be told.
 * @type {(part: Pick<Stats | LoadSummary, 'iterations' | 'measuredElapsed' | 'series'> & { startAfter?: number }) =>
 *   Backlog | null}
 */
export function backlogOf(part) {
  if (!isOpen(part)) return null;
  const isChanging = part.iterations.peakRate !== undefined;
  const queue = queueAfter(part, isChanging);
  if (queue !== undefined) return queue;
  const pieces = piecesOf(part, isChanging ? MOST_OF_CHANGING : MOST_PIECES);
  if (pieces.length < FEWEST_PIECES) return null;
  if (!isChanging) return backlogIn(pieces, { from: 0, to: pieces.length, isChanging });
  const size = Math.max(FEWEST_OF_STRETCH, Math.floor(pieces.length / STRETCHES));
  const starts = Array.from({ length: pieces.length - size + 1 }, (_, from) => from);
  const found = starts.flatMap((from) => backlogIn(pieces, { from, to: from + size, isChanging }) ?? []);
  return found.sort((one, other) => other.waiting - one.waiting)[0] ?? null;
}

/**
 * Judges by the time after the plan, in which a queue empties: a full service goes on to end as many iterations per
 * second, but iterations that are slow without waiting, however slow, end at other times. A queue that took longer to
 * empty than the plan lasted needs no more proof, and leaves the plan too few points for any.
 * @type {(part: Parameters<typeof backlogOf>[0], isChanging: boolean) => Backlog | null | undefined} null: no queue;
 *   undefined: the time is too short
 */
function queueAfter(part, isChanging) {
  const { series, startAfter = 0, iterations } = part;
  const planMs = plannedMsOf(part);
  const points = series.points.filter(({ at }) => at + series.interval / 2 > startAfter);
  const after = points.filter(({ at }) => at + series.interval / 2 > startAfter + planMs);
  const half = Math.floor(after.length / 2);
  // A shorter plan is mostly start-up.
  if (half === 0 || planMs < LEAST_PLAN_MS) return undefined;
  const rateOf = (/** @type {PointSummary[]} */ some) => endedIn(some) / ((some.length * series.interval) / 1000);
  const parts = [points.slice(0, -after.length), after.slice(0, half), after.slice(half, 2 * half)];
  const [during, first, second] = parts.map(rateOf);
  if (first < during * FULL) return null;
  const waiting = endedIn(after);
  if (waiting < FEWEST_ENDED || after.length < points.length * LONG_AFTER) return undefined;
  // Iterations that are slow without waiting take as long as before, or end at another rate.
  const [firstMs, secondMs] = parts.slice(1).map(medianIn);
  if (secondMs <= firstMs * LONGER) return null;
  const [least, most] = [Math.min(first, second), Math.max(during, first, second)];
  // A slow start is no doubt if the rate stays the same after the plan.
  const isSame = least >= most * STEADY && waiting >= MANY;
  if (least < most * FULL || during < most * (isSame ? SLOW_START : NEARLY)) return undefined;
  const rate = (first + second) / 2;
  return { waiting, growth: iterations.started / (planMs / 1000) - rate, rate, from: isChanging ? rate : null };
}

/** The mean of the median times of the points that have one, ms. @type {(points: PointSummary[]) => number} */
function medianIn(points) {
  return meanOf(points.flatMap(({ responseTime: { median } }) => median ?? []));
}

/** @type {(points: PointSummary[]) => number} */
function endedIn(points) {
  return points.reduce((sum, { iterations: { completed, failed } }) => sum + completed + failed, 0);
}

/**
 * Cuts the time in which iterations were due into pieces of the same length.
 * @type {(part: Parameters<typeof backlogOf>[0], most: number) => DueSpan[]}
 */
function piecesOf(part, most) {
  const { series, startAfter = 0 } = part;
  const { interval } = series;
  const end = startAfter + plannedMsOf(part);
  const points = series.points.filter(({ at }) => at >= startAfter && at + interval <= end);
  const size = Math.ceil(points.length / most);
  const count = size > 0 ? Math.floor(points.length / size) : 0;
  // A remainder is left out at the beginning, where connections are opened.
  const first = points.length - count * size;
  const pieces = Array.from({ length: count }, (_, i) => points.slice(first + i * size, first + (i + 1) * size));
  return withBegun(
    pieces.map((some) => ({
      seconds: (some.length * interval) / 1000,
      running: meanOf(some.map(({ concurrency }) => concurrency)),
      ended: endedIn(some),
    })),
  );
}

/**
 * Adds the number of iterations that began: those that ended, and by how many more ran at the end of a piece than at
 * its beginning.
 * @type {(pieces: Omit<DueSpan, 'begun'>[]) => DueSpan[]}
 */
function withBegun(pieces) {
  const at = (/** @type {number} */ i) => pieces[Math.max(0, Math.min(pieces.length - 1, i))].running;
  return pieces.map((piece, i) => ({ ...piece, begun: piece.ended + (at(i + 1) - at(i - 1)) / 2 }));
}

/**
 * Returns the backlog in the pieces from `from` to `to`, or null.
 * @type {(all: DueSpan[], stretch: { from: number, to: number, isChanging: boolean }) => Backlog | null}
 */
function backlogIn(all, { from, to, isChanging }) {
  const pieces = all.slice(from, to);
  const running = pieces.map((piece) => piece.running);
  const last = pieces.slice(-Math.max(2, Math.round(pieces.length / 5)));
  const begun = sumOf(pieces, 'begun');
  const before = Math.max(...running.slice(0, pieces.length / 2));
  const grown = Math.min(...last.map((piece) => piece.running)) - before;
  if (grown < Math.max(LEAST_WAITING, begun * LEAST_SHARE) || isByChance(running)) return null;
  const waiting = /** @type {DueSpan} */ (pieces.at(-1)).running;
  const explained = (sumOf(last, 'begun') / sumOf(last, 'seconds')) * leastSeconds(all.slice(0, to));
  if (waiting <= EXPLAINED * explained || sumOf(last, 'ended') >= KEPT_UP * sumOf(last, 'begun')) return null;
  if (isChanging && endsMore(pieces)) return null;
  return describe(all, { from, to, waiting, isChanging });
}

/**
 * @type {(all: DueSpan[], stretch: { from: number, to: number, waiting: number, isChanging: boolean }) => Backlog}
 */
function describe(all, { from, to, waiting, isChanging }) {
  const leastMs = leastSeconds(all.slice(0, to));
  const keepsUp = (/** @type {DueSpan} */ { running, begun, seconds }) =>
    running <= EXPLAINED * (begun / seconds) * leastMs + 1;
  const begins = all.slice(0, to).findLastIndex(keepsUp) + 1;
  const grows = all.slice(Math.min(Math.max(from, begins), to - 2), to);
  const seconds = sumOf(grows, 'seconds');
  const [begun, ended] = [sumOf(grows, 'begun') / seconds, sumOf(grows, 'ended') / seconds];
  const first = all.slice(Math.max(0, begins - 1), begins + 1);
  return {
    waiting: Math.round(waiting),
    growth: begun - ended,
    rate: ended,
    from: isChanging ? sumOf(first, 'begun') / sumOf(first, 'seconds') : null,
  };
}

/** Reports whether a walk whose steps are independent often grows as much. @type {(values: number[]) => boolean} */
function isByChance(values) {
  const steps = values.slice(1).map((value, i) => value - values[i]);
  const variance = squaresOf(steps) / (steps.length - 1);
  return values[values.length - 1] - values[0] < DEVIATIONS * Math.sqrt(steps.length * variance + 1);
}

/** A service that can do more ends more when more begin, by more than chance. @type {(pieces: DueSpan[]) => boolean} */
function endsMore(pieces) {
  const half = Math.floor(pieces.length / 2);
  const [before, after] = [sumOf(pieces.slice(0, half), 'ended'), sumOf(pieces.slice(-half), 'ended')];
  return after > before * ALIKE + Math.sqrt(before);
}

/**
 * Returns the shortest mean time of an iteration in any neighbouring pieces that have enough of them, seconds, by
 * Little's law.
 * @type {(pieces: DueSpan[]) => number}
 */
function leastSeconds(pieces) {
  let [least, area, ended] = [Infinity, 0, 0];
  for (const piece of pieces) {
    area += piece.running * piece.seconds;
    ended += piece.ended;
    if (ended < FEWEST_ENDED) continue;
    least = Math.min(least, area / ended);
    [area, ended] = [0, 0];
  }
  return least;
}

/** By more than chance: standard errors of the mean of those that found an idle virtual user. */
const ERRORS = 3;

/**
 * Reports whether more virtual users would only wait in the service, and how long an iteration takes once all of them
 * are busy: in a service that is full, one for which a virtual user was idle takes less time, as it finds fewer others
 * in front of it. Null: that cannot be told, as too few found an idle one.
 * @type {(part: Pick<Stats, 'iterations' | 'main' | 'loadGenerator'> | LoadSummary) => { isFull: boolean, ms: number }
 *   | null}
 */
export function fullnessOf(part) {
  const { serviceLeast, startDelay } =
    'times' in part ? { ...part.times, ...part } : { ...part.main, ...part.loadGenerator };
  const { started, completed, failed, busyTime, promptTime = 0 } = part.iterations;
  const prompt = (completed * (startDelay?.count ?? 0)) / started;
  const { mean, stddev } = serviceLeast ?? {};
  if (promptTime === 0 || prompt >= completed || !mean || typeof stddev !== 'number') return null;
  const [first, later] = [promptTime / prompt, (mean * completed - promptTime) / (completed - prompt)];
  const error = (ERRORS * stddev) / Math.sqrt(prompt);
  if (later < error) return null;
  // Pauses and other phases of an iteration, in which a virtual user is busy and the service is not.
  const others = Math.max(0, busyTime / (completed + failed) - mean);
  const ms = later + others;
  return { isFull: later - first >= error && ms >= LONGER * (first + others), ms };
}

/** @type {(pieces: DueSpan[], key: 'begun' | 'ended' | 'seconds') => number} */
function sumOf(pieces, key) {
  return pieces.reduce((sum, piece) => sum + piece[key], 0);
}
