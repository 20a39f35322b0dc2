import { collapses, isClose, isSearching, knownFrom, lower } from './known.js';

/** @import { High, Known, Low } from './known.js' */
/** @import { SearchOptions, SearchStep } from './types.js' */

/**
 * Chooses the load that the search tries next. The rules and their numbers come from simulation: the simulated servers
 * of test/support are searched, and bench/results.md says how often each kind of them is found.
 */

/** Factors between a load that held and the next one, as long as none has failed. */
const GROWTH = 2;
const CALM_GROWTH = 4;
/** A service is calm, and far from its capacity, while its response times and its strain have hardly risen. */
const CALM_TIMES = 1.25;
const CALM_STRAIN = 0.5;
/** Until a load holds, the next one is the last one divided by this, unless the failed step shows a better guess. */
const DESCENT = 4;
const MOST_DESCENTS = 4;
/** A step that leaves more of the logarithmic distance between the loads around the answer was of no use. */
const STUCK = 0.85;
/** A lower strain says nothing about the distance to the bound. */
const LEAST_STRAIN = 1 / 40;
/** A failed step up to this factor above the lowest load that failed confirms it. */
const NEAR = 1.1;
/** Two loads are aimed at a part of the precision, because rounding may move them apart. */
const ROUNDING = 0.96;

/**
 * Returns the load of the next step; null if the answer is known.
 * @type {(known: Known, steps: SearchStep[], options: SearchOptions) => number | null}
 */
export function nextLoad(known, steps, options) {
  const { low, high, ceiling } = known;
  const last = steps.findLast(isSearching);
  // The load generator was the bottleneck for the first time, perhaps by chance: repeat the load
  if (last?.verdict === 'saturated' && known.saturated.length === 1) return last.load;
  const top = lower(high, ceiling);
  if (low === null) return descend(known, steps, options);
  if (top !== null && isClose(low.load, top.load, options)) return confirmed(low, top, known);
  const isFragile = collapses(steps);
  const left = options.maxSteps - steps.length;
  // A new load may fail, and a service that collapses needs another step then to recover
  const isLastChance = left <= (isFragile ? 2 : 1);
  if (low.passes < 2 && (isLastChance || isQuestioned(low, steps, options))) return low.load;
  // A new load could not be confirmed. After a collapse it is tried nevertheless, because the service may have been
  // slow when lower loads failed: of simulated ones that recover slowly, 97 % instead of 88 % are found within 10 %
  if (left <= 1 && !isFragile) return null;
  if (top === null) {
    const grown = low.load * growthOf(low.step, steps, options);
    // Numbers of virtual users begin at one, and `from` is the second one
    return roundedBetween(low.load, Infinity, options.isWhole ? Math.max(grown, options.from) : grown, options);
  }
  return roundedBetween(low.load, top.load, between(low, top, { known, steps, options }), options);
}

/** Returns the one of two close loads to repeat. @type {(low: Low, top: High, known: Known) => number | null} */
function confirmed(low, top, known) {
  if (low.passes < 2) return low.load;
  return top === known.high && !isFirm(low, known) ? top.load : null;
}

/**
 * The last step failed, and the service coped with less than a load that had held: it may hold no more.
 * @type {(low: Low, steps: SearchStep[], options: SearchOptions) => boolean}
 */
function isQuestioned(low, steps, options) {
  const last = steps.findLast(isSearching);
  return last?.verdict === 'failed' && last.held !== null && last.held < low.load * (1 - options.within);
}

/**
 * A load that failed once may have failed by chance, unless another one near it failed too. A failure says nothing if
 * the service coped with less (`held`) then than the load that holds now: it was slower than it can be.
 * @type {(low: Low, known: Known) => boolean}
 */
function isFirm(low, { high, failed }) {
  if (high === null || high.fails > 1) return true;
  const near = failed.filter(({ load }) => load <= Math.max(high.load * NEAR, high.load + 1));
  return near.filter(({ held }) => held === null || held * NEAR > low.load).length > 1;
}

/** @type {(low: SearchStep, steps: SearchStep[], options: SearchOptions) => number} */
function growthOf({ median, strain }, steps, options) {
  const times = steps.flatMap((step) => (step.median === null ? [] : [step.median]));
  // in larger steps the number of virtual users with the highest throughput would be missed
  const isCalm =
    !options.isWhole && median !== null && median <= CALM_TIMES * Math.min(...times) && (strain ?? 0) < CALM_STRAIN;
  const factor = isCalm ? CALM_GROWTH : GROWTH;
  // All loads that failed have held since: they were near the capacity, or the service had to warm up. So the factor
  // starts small and is squared with each step that passes: with a precision of 5 % 1.10, 1.22, 1.48
  const hasFailed = steps.some((step) => step.verdict === 'failed' && isSearching(step));
  return hasFailed ? Math.min(factor, (1 + options.within) ** (2 ** streakOf(steps))) : factor;
}

/**
 * No load has held yet, or none that still counts: one has failed, or the load generator was the bottleneck twice.
 * @type {(known: Known, steps: SearchStep[], options: SearchOptions) => number | null}
 */
function descend({ high, ceiling }, steps, options) {
  const top = lower(high, ceiling);
  const searching = steps.filter(isSearching);
  // Other programs took the CPU: come back to the load
  if (top === null) return searching[searching.length - 1].load;
  const failures = searching.filter(({ verdict }) => verdict !== 'passed');
  const hasHeld = failures.length < searching.length;
  const { isWhole, least = isWhole ? 1 : 0 } = options;
  if ((!hasHeld && failures.length > MOST_DESCENTS) || top.load <= least) return null;
  const { held } = top.step;
  const guess = held !== null && held > 0 ? held * (1 - options.within / 2) : top.load / DESCENT;
  // At least lower by the precision, at most by two descents
  const below = Math.max(top.load / DESCENT ** 2, Math.min(guess, top.load / (1 + options.within)));
  return below > least ? rounded(below, options) : least;
}

/**
 * A load between one that held and one that failed. Each rule says where the capacity is likely to be, or null; the
 * first one that is not null decides.
 * @type {(low: Low, high: High, search: { known: Known, steps: SearchStep[], options: SearchOptions }) => number}
 */
function between(low, high, { known, steps, options }) {
  const middle = Math.sqrt(low.load * high.load);
  const gap = 1 + options.within * ROUNDING;
  // The middle is close to both, so the next step ends the search
  if (high.load / low.load <= gap ** 2) return middle;
  return (
    upFromHeld(low, high, { steps, gap }) ??
    beforeCrossing(low, high, { steps, gap, options }) ??
    downFromContradicted(low, high, { known, gap }) ??
    middle
  );
}

/**
 * The overloaded service coped with about as much as the load that held, so the capacity is close to that: go up by 1,
 * 1, 2, 4, … gaps, at most to one gap above the middle.
 * @type {(low: Low, high: High, search: { steps: SearchStep[], gap: number }) => number | null}
 */
function upFromHeld(low, high, { steps, gap }) {
  const { held } = high.step;
  if (held === null || low.load < held / gap || low.load > held * gap) return null;
  const middle = Math.sqrt(low.load * high.load);
  return Math.min(middle * gap, low.load * gap ** (2 ** (streakOf(steps) - 1)));
}

/**
 * A little before the strain is likely to reach its bound, as long as that brings the loads closer.
 * @type {(low: Low, high: High, search: { steps: SearchStep[], gap: number, options: SearchOptions }) => number | null}
 */
function beforeCrossing(low, high, { steps, gap, options }) {
  const guess = crossing(low.step, high.step);
  if (guess === null || isStuck(steps, low.load, high.load)) return null;
  return Math.min(high.load / gap, Math.max(low.load * gap, guess * (1 - options.within / 2)));
}

/**
 * A load that held once and has failed since is close to the capacity. Go down from it in steps that grow with each
 * load that fails, by 1, 3, 5, … gaps, at most to the middle.
 * @type {(low: Low, high: High, search: { known: Known, gap: number }) => number | null}
 */
function downFromContradicted(low, high, { known: { contradicted, failed }, gap }) {
  if (contradicted === null) return null;
  const descents = failed.filter((one) => one.load <= contradicted).length;
  return Math.max(Math.sqrt(low.load * high.load), high.load / gap ** (2 * descents - 1));
}

/** Steps at the end that passed, at least 1. @type {(steps: SearchStep[]) => number} */
function streakOf(steps) {
  const counted = steps.filter(isSearching);
  return Math.max(1, counted.length - 1 - counted.findLastIndex(({ verdict }) => verdict !== 'passed'));
}

/**
 * The load at which the strain reaches its bound, 1. Times of a queue grow as 1 / (capacity - load), so the inverse of
 * the strain falls about linearly: along a line from the load that held to the one that failed, or, if the service was
 * overloaded, to the load that it coped with, where the inverse is 0.
 * @type {(low: SearchStep, high: SearchStep) => number | null} null if the steps do not tell
 */
function crossing(low, high) {
  const { held, strain } = high;
  const strainOfLow = Math.max(low.strain ?? 0, LEAST_STRAIN);
  // Without an overload both ends need a strain: that of the lower load above the least one, that of the other above 1
  if (held === null && (strain === null || strain <= 1 || strainOfLow === LEAST_STRAIN)) return null;
  const [loadOfEnd, inverseOfEnd] = held === null ? [high.load, 1 / /** @type {number} */ (strain)] : [held, 0];
  if (loadOfEnd <= low.load) return null;
  const inverseOfLow = 1 / strainOfLow;
  return low.load + ((inverseOfLow - 1) / (inverseOfLow - inverseOfEnd)) * (loadOfEnd - low.load);
}

/**
 * Reports whether the last step, settling ones aside, has hardly brought the loads around the answer closer.
 * @type {(steps: SearchStep[], low: number, high: number) => boolean}
 */
function isStuck(steps, low, high) {
  const before = knownFrom(steps.slice(0, steps.findLastIndex(isSearching)));
  const top = lower(before.high, before.ceiling);
  // If a load that had held failed now, both loads have moved down, and their distances cannot be compared
  if (before.low === null || top === null || before.low.load > low) return false;
  return Math.log(high / low) > STUCK * Math.log(top.load / before.low.load);
}

/** Three digits, or all whole ones. @type {(load: number, options: Pick<SearchOptions, 'isWhole'>) => number} */
export function rounded(load, { isWhole }) {
  if (isWhole) return Math.max(1, Math.round(load));
  return load >= 100 ? Math.round(load) : Number(load.toPrecision(3));
}

/**
 * Rounds a load that is between two others so that it stays between them.
 * @type {(low: number, high: number, load: number, options: SearchOptions) => number}
 */
function roundedBetween(low, high, load, options) {
  const shown = rounded(load, options);
  if (shown > low && shown < high) return shown;
  return options.isWhole ? low + 1 : load;
}
