import { decimal, grouped } from '../decimal.js';
import { makeError } from '../errors.js';
import { readFigureShares } from './figure-shares.js';

/**
 * @import { ComparedStats } from './compare.js'
 * @import { FigureShare } from './figure-shares.js'
 */

const MOST_DIGITS = 4;

/**
 * Reads a limit of a regression.
 *
 * @param {string} text `p99=10%`, or `10%` for every compared figure
 * @returns {FigureShare[]}
 * @throws {Error} E_USAGE
 */
export function readRegressionLimits(text) {
  return readFigureShares(text, '--max-regression');
}

/**
 * Refuses limits of figures that are not tested: the size of a change alone is no regression. Of equal services that were run once each,
 * 30 to 44 of 100 were "worse by more than 10 %" on a noisy machine.
 *
 * @param {FigureShare[]} limits
 * @param {{ isTested: (figure: string) => boolean, why: string | null }} known why: what hinders the test
 * @throws {Error} E_USAGE
 */
export function refuseUntested(limits, { isTested, why }) {
  const untested = limits.find(({ figure }) => !isTested(figure));
  if (untested === undefined) return;
  throw makeError('E_USAGE', {
    problem: `--max-regression ${untested.expression}: cannot tell noise from change, because ${why ?? 'the noise of this figure is not known'}; ${CURE}`,
  });
}

/** What makes a change testable. */
export const CURE =
  'run both sides in turn (bench-rest ab), or say how much runs differ by chance (--noise 5%, or --history)';

/**
 * As {@link refuseUntested}, when both sides have been measured.
 *
 * @param {Pick<ComparedStats, 'figures' | 'why'>} comparison
 * @param {FigureShare[]} limits
 */
export function refuseUntestedIn(comparison, limits) {
  const isTested = (/** @type {string} */ figure) => {
    const found = rowOf(comparison, figure);
    return !found || found.change === null || found.verdict !== 'unknown';
  };
  refuseUntested(limits, { isTested, why: comparison.why });
}

/**
 * Whether a limit is exceeded: the figure is worse by more than allowed, and the change is significant.
 *
 * @param {Pick<ComparedStats, 'figures' | 'why'>} comparison
 * @param {FigureShare} limit
 * @returns {string | null} what is worse, or why the figure could not be compared
 */
export function regressionOf(comparison, { figure, share }) {
  const found = rowOf(comparison, figure);
  if (!found || found.change === null) return `${figure} could not be compared`;
  if (found.verdict === 'unknown')
    return `${figure} could not be compared, because ${comparison.why ?? 'too few runs have it'}`;
  const worse = found.unit === '/s' ? -found.change : found.change;
  return worse > share && found.verdict === 'worse'
    ? `${figure} is worse by ${percentAbove(worse, share)} %, more than ${grouped(share * 100)} %`
    : null;
}

/** @type {(comparison: Pick<ComparedStats, 'figures'>, figure: string) => ComparedStats['figures'][0] | undefined} */
function rowOf({ figures }, figure) {
  return figures.find((row) => row.figure === figure || (figure === 'rate' && row.unit === '/s'));
}

/** With as many digits as show that it is above a limit. @type {(share: number, limit: number) => string} */
function percentAbove(share, limit) {
  const [value, least] = [share * 100, limit * 100];
  let digits = 1;
  while (digits < MOST_DIGITS && Number(value.toFixed(digits)) <= least) digits++;
  return decimal(value, digits);
}

/** @type {(comparison: Pick<ComparedStats, 'figures' | 'why'>, limits: FigureShare[]) => string[]} the exceeded limits */
export function regressionsOf(comparison, limits) {
  return limits.flatMap((limit) => regressionOf(comparison, limit) ?? []);
}
