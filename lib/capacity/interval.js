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
 * @type {(low: number, high: number | null, search: { steps: SearchStep[], options: Pick<SearchOptions, 'within' |
 *   'isWhole'> }) => { low: number, high: number | null }}
 */
export function intervalOf(low, high, { steps, options: { within, isWhole } }) {
  if (isWhole) return { low, high };
  const least = low * (1 - within / 2);
  if (high === null) return { low: least, high };
  const most = high * (1 + within / 2);
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
