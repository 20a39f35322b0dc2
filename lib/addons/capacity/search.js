import { collapses, isClose, isSearching, isStarved, judgedSteps, knownFrom, lower } from './known.js';
import { needsRepetition } from './known.js';
import { leastSquares } from './least-squares.js';
import { nextLoad, rounded } from './next-load.js';

/** @import { Known } from './known.js' */
/** @import { Answer, NextStep, SearchOptions, SearchStep } from './types.js' */

/** The search for the highest load that holds: steps so far -> next step, or answer, without a clock or a service. */

/** Settling steps in a row. */
const MOST_SETTLING = 3;
/** Load of a settling step, as a share of the highest load that held; if none did, of what the service coped with. */
const SETTLING = 0.5;
/** At least this share of the load that failed. */
const LEAST_SETTLING = 1 / 16;
/** Steps take longer when the loads that held and failed are within this factor: they decide about the answer. */
const FINE = 1.5;

/** @type {(steps: SearchStep[], options: SearchOptions) => { next: NextStep } | { answer: Answer }} */
export function nextStep(steps, options) {
  const last = steps.at(-1);
  // Virtual users begin at one: only a step with fewer of them shows that more are of use
  if (!last) return { next: { load: options.isWhole ? (options.least ?? 1) : options.from, role: 'search' } };
  // The repetition is longer (isFine), so a stop of the load generator or one failed iteration is a smaller share of it
  if (needsRepetition(steps)) return { next: { load: last.load, role: 'confirmation', isFine: true } };
  const judged = judgedSteps(steps);
  const known = knownFrom(judged);
  const isOver = judged.length >= options.maxSteps || lacksCpu(steps);
  const load = isOver ? null : nextLoad(known, judged, options);
  if (load === null) return { answer: answerSoFar(steps, options) };
  const isFragile = collapses(judged);
  if (isUnsettled(last, isFragile)) {
    if (settlingTries(judged) >= MOST_SETTLING)
      return { answer: { ...answerSoFar(steps, options), outcome: 'unrecovered' } };
    // A settling step is of use only if another one can follow it
    if (judged.length + 1 < options.maxSteps)
      return { next: { load: rounded(settlingLoad(known, judged), options), role: 'settling' } };
    if (isFragile) return { answer: answerSoFar(steps, options) };
  }
  const isRepeated = judged.some((step) => step.load === load && isSearching(step));
  const top = lower(known.high, known.ceiling);
  const isFine = known.low !== null && top !== null && top.load / known.low.load <= FINE;
  return { next: { load, role: isRepeated ? 'confirmation' : 'search', isFine } };
}

/** Steps in a row that lacked CPU, after which waiting longer is of no use. */
const MOST_STARVED = 5;

/** Reports whether other programs took the CPU in all of the last steps. @type {(steps: SearchStep[]) => boolean} */
function lacksCpu(steps) {
  const last = steps.filter(isSearching).slice(-MOST_STARVED);
  return last.length === MOST_STARVED && last.every(isStarved);
}

/** @type {(step: SearchStep, isFragile: boolean) => boolean} */
function isUnsettled({ role, verdict, isOverloaded }, isFragile) {
  return role === 'settling' ? verdict !== 'passed' : isOverloaded || (isFragile && verdict === 'failed');
}

/** Counts the settling steps at the end. @type {(steps: SearchStep[]) => number} */
function settlingTries(steps) {
  return steps.length - 1 - steps.findLastIndex(isSearching);
}

/** @type {(known: Known, steps: SearchStep[]) => number} */
function settlingLoad({ low }, steps) {
  if (low) return low.load * SETTLING;
  const { load, held } = /** @type {SearchStep} */ (steps.findLast(isSearching));
  return Math.max(LEAST_SETTLING * load, (held ?? load) * SETTLING);
}

/** @type {(steps: SearchStep[], options: Pick<SearchOptions, 'within' | 'isWhole'>) => Answer} */
export function answerSoFar(steps, options) {
  // A load that held in doubt only is no answer
  const { low, high, ceiling } = knownFrom(judgedSteps(steps).filter((step) => !isStarved(step)));
  const isConfirmed = low !== null && low.passes > 1;
  const top = high?.load ?? null;
  const lowest = lower(high, ceiling);
  if (low === null) {
    // Without a load that failed below it, a bottleneck of the load generator does not show that the service fails
    const outcome = lowest === high ? 'none' : 'atLeast';
    return { outcome: lowest === null ? 'imprecise' : outcome, load: null, low: 0, high: top, isConfirmed };
  }
  const ends = intervalOf(low.load, top, { steps: judgedSteps(steps), options });
  const found = { load: low.load, ...ends, isConfirmed };
  if (top !== null && isConfirmed && isClose(low.load, top, options)) return { outcome: 'found', ...found };
  // If the load generator was the bottleneck below the lowest load that failed, that load does not show the capacity
  return { outcome: lowest === high ? 'imprecise' : 'atLeast', ...found };
}

/** Strains that are on the curve of a queue: lower ones hardly depend on it, higher ones on the length of the step. */
const [LEAST_STRAIN, MOST_STRAIN] = [0.25, 3];
/** At least FEWEST steps between these factors of the answer show where the strain reaches its bound. */
const NEAR = [0.5, 1.5];
const FEWEST = 3;
/** Least relative standard deviation of a percentile in a step. */
const LEAST_DEVIATION = 0.1;
/** Standard errors on each side. */
const ERRORS = 2;
/** The noise of figures moves an end of the interval by this many times the precision at most. */
const FURTHEST = 2;

/**
 * Between the highest load that held and the lowest one that failed, and half of the precision beyond both: figures
 * near their bounds pass and fail by chance. If the steps show where the strain reaches its bound, two standard errors
 * around that load are included. The simulations of the tests show how often the interval contains the capacity.
 * Numbers of virtual users have no such line, but wide gaps between those that were tried.
 * @type {(low: number, high: number | null, search: { steps: SearchStep[], options: Pick<SearchOptions, 'within' |
 *   'isWhole'> }) => { low: number, high: number | null }}
 */
function intervalOf(low, high, { steps, options: { within, isWhole } }) {
  const [less, more] = [1 - within / 2, 1 + within / 2];
  if (isWhole)
    return { low: Math.round(fewestOf(low, steps) * less), high: high === null ? null : Math.round(high * more) };
  const least = low * less;
  if (high === null) return { low: least, high };
  const most = high * more;
  const crossing = crossingOf(low, steps);
  if (crossing === null) return { low: least, high: most };
  const { load, error } = crossing;
  const furthest = FURTHEST * within;
  return {
    low: Math.min(least, Math.max(load - ERRORS * error, least * (1 - furthest))),
    high: Math.max(most, Math.min(load + ERRORS * error, most * (1 + furthest))),
  };
}

/**
 * How many virtual users have the throughput of the answer, if it grew with their number from the next lower one that
 * held: by Little's law the throughput is their number divided by the response time.
 * @type {(answer: number, steps: SearchStep[]) => number}
 */
function fewestOf(answer, steps) {
  const held = steps.filter((step) => isSearching(step) && step.verdict === 'passed' && step.load <= answer);
  const own = held.findLast(({ load }) => load === answer);
  const fewer = held.filter(({ load }) => load < answer).sort((a, b) => b.load - a.load)[0];
  if (!own?.median || !fewer?.median) return answer;
  return Math.max(fewer.load, Math.min(answer, Math.round((answer * fewer.median) / own.median)));
}

/**
 * Where the strain reaches its bound, with its standard error. Times of a queue grow as 1 / (capacity - load), so the
 * inverse of the strain is linear in the load.
 * @type {(answer: number, steps: SearchStep[]) => { load: number, error: number } | null} null if the steps do not tell
 */
function crossingOf(answer, steps) {
  const [from, to] = NEAR.map((factor) => factor * answer);
  const rows = steps.filter(isSearching).flatMap(({ load, strain, held }) => {
    const isOnCurve = held === null && strain !== null && strain > LEAST_STRAIN && strain < MOST_STRAIN;
    return isOnCurve && load > from && load < to ? [{ x: [1, load], y: 1 / strain, weight: strain ** 2 }] : [];
  });
  const fit = rows.length < FEWEST ? null : leastSquares(rows);
  if (fit === null) return null;
  const { values, inverse, deviation } = fit;
  const [start, slope] = values;
  // A strain that does not rise with the load reaches no bound
  if (slope >= 0) return null;
  const load = (1 - start) / slope;
  // The error of the line at that load, divided by the slope, is the error of the load
  const variance = inverse[0][0] + 2 * load * inverse[0][1] + load ** 2 * inverse[1][1];
  const error = (Math.max(LEAST_DEVIATION, deviation) * Math.sqrt(Math.max(0, variance))) / -slope;
  return { load, error };
}
