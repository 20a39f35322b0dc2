import { isSearching } from './known.js';
import { leastSquares } from './least-squares.js';

/** @import { SearchOptions, SearchStep } from './types.js' */

/** Strains that are on the curve of a queue: lower ones hardly depend on it, higher ones on the length of the step. */
const [LEAST_STRAIN, MOST_STRAIN] = [0.25, 3];
/** Loads around the answer, as factors. */
const NEAR = [0.5, 1.5];
const FEWEST = 3;
/** Relative standard deviation of a percentile in a step, at least. */
const LEAST_DEVIATION = 0.1;
const ERRORS = 2;
/** Of the precision, by which the noise of figures may move an end. */
const FURTHEST = 2;

/**
 * Between the highest load that held and the lowest one that failed, and half of the precision beyond both: figures
 * near their bounds pass and fail by chance. If the steps show where the strain reaches its bound, two standard errors
 * around that load are included. The simulations of the tests show how often the interval contains the capacity.
 * Numbers of virtual users have no such line, but wide gaps between those that were tried.
 * @type {(low: number, high: number | null, search: { steps: SearchStep[], options: Pick<SearchOptions, 'within' |
 *   'isWhole'> }) => { low: number, high: number | null }}
 */
export function intervalOf(low, high, { steps, options: { within, isWhole } }) {
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
  if (fit === null || fit.values[1] >= 0) return null;
  const { values, inverse, deviation } = fit;
  const load = (1 - values[0]) / values[1];
  const variance = inverse[0][0] + 2 * load * inverse[0][1] + load ** 2 * inverse[1][1];
  const error = (Math.max(LEAST_DEVIATION, deviation) * Math.sqrt(Math.max(0, variance))) / -values[1];
  return { load, error };
}
