import { decimal, grouped } from '../ground/decimal.js';
import { makeError } from '../ground/errors.js';
import { nearest } from '../ground/problems.js';
import { PERCENTILES } from './percentiles.js';
import { TEST_CURE } from './statistics.js';

/** @import { Stats } from '../contracts/stats.js' */
/** @import { ComparedStats } from './compare.js' */

/**
 * @typedef {object} FigureToCompare
 * @property {string} figure its name, in options and results: `iterations.completedRate`, `p95`
 * @property {string} label in reports
 * @property {string} unit
 * @property {boolean} [isMoreBetter]
 * @property {(stats: Stats) => number | null} of
 */

const SHOWN = [50, 90, 95, 99];

/** The rate that a comparison compares: of iterations that completed. */
export const COMPLETED_RATE = 'iterations.completedRate';

/** The figures of a run that a comparison compares. @type {FigureToCompare[]} */
export const COMPARED_FIGURES = [
  {
    figure: COMPLETED_RATE,
    label: 'iterations per second',
    unit: '/s',
    isMoreBetter: true,
    of: ({ iterations }) => iterations.completedRate || null,
  },
  { figure: 'mean', label: 'mean', unit: 'ms', of: ({ main }) => main.completed.mean },
  ...PERCENTILES.filter(({ percentile }) => SHOWN.includes(percentile)).map(({ key, label }) => ({
    figure: label,
    label,
    unit: 'ms',
    of: (/** @type {Stats} */ { main }) => main.completed[key],
  })),
];

/** Names of the rate in earlier versions, in reports and in run options. */
const RATE_NAMES = /^(rate|iterations\.rate|iterations per second)$/;

/** Their names in options. */
export const COMPARED = COMPARED_FIGURES.map(({ figure }) => figure);

/** @typedef {{ figure: string, share: number, expression: string }} FigureShare */

/**
 * Reads a share of a compared figure, `p99=10%`, or `10%` for every one. The message of E_USAGE names the option.
 * @throws {Error} E_USAGE
 * @type {(text: string, option: string) => FigureShare[]}
 */
function readFigureShares(text, option) {
  const [, figure, bound = text] = /^\s*([\w. ]+?)\s*=\s*(.+)$/.exec(text) ?? [];
  const [, percentage] = /^\s*(\d+(?:\.\d+)?)%\s*$/.exec(bound) ?? [];
  if (figure !== undefined && !COMPARED.includes(figure)) {
    const near = RATE_NAMES.test(figure) ? COMPLETED_RATE : nearest(figure, COMPARED);
    throw usage(
      option,
      `${JSON.stringify(text)}: unknown figure${near ? `, did you mean ${near}?` : ''}; use one of ${COMPARED.join(' ')}, as in p99=10%`,
    );
  }
  if (percentage === undefined)
    throw usage(option, `${JSON.stringify(text)}: expected a percentage, as in p99=10%, or 10% for every figure`);
  const figures = figure === undefined ? COMPARED : [figure];
  return figures.map((one) => ({
    figure: one,
    share: Number(percentage) / 100,
    expression: `${one}=${bound.trim()}`,
  }));
}

/** @type {(option: string, problem: string) => Error} */
function usage(option, problem) {
  return makeError('E_USAGE', { problem: `${option} ${problem}` });
}

/**
 * Reads the limits of a regression, `p99=10%`, or `10%` for every compared figure; from 100 % on for the times alone,
 * as a rate cannot be worse by more. Throws E_USAGE.
 * @throws {Error} E_USAGE
 * @type {(text: string) => FigureShare[]}
 */
export function readRegressionLimits(text) {
  const limits = readFigureShares(text, '--max-regression');
  const possible = limits.filter(({ figure, share }) => figure !== COMPLETED_RATE || share < 1);
  if (possible.length === 0)
    throw usage(
      '--max-regression',
      `${JSON.stringify(text)}: a rate cannot be worse by 100 % or more, so this limit would never fail; use a lower one, as in ${COMPLETED_RATE}=50%`,
    );
  return possible;
}

/**
 * Reads how much runs differ by chance, `p99=8%`, or `4%` for every compared figure. Throws E_USAGE.
 * @throws {Error} E_USAGE
 * @type {(text: string) => FigureShare[]}
 */
export function readNoiseShares(text) {
  const shares = readFigureShares(text, '--noise');
  if (shares[0].share === 0)
    throw usage('--noise', `${JSON.stringify(text)}: runs always differ; expected a percentage above 0`);
  return shares;
}

/**
 * Refuses limits of figures that are not tested: the size of a change alone is no regression. `whyOf` tells the
 * obstacle of a test. Of equal services that were run once each, 30 to 44 of 100 were "worse by more than 10 %" on a
 * noisy machine. Throws E_USAGE.
 * @throws {Error} E_USAGE
 * @type {(limits: FigureShare[], whyOf: (figure: string) => string | null, cure?: string) => void}
 */
export function refuseUntested(limits, whyOf, cure = TEST_CURE) {
  const untested = limits.find(({ figure }) => whyOf(figure) !== null);
  if (untested === undefined) return;
  throw makeError('E_USAGE', {
    problem: `--max-regression ${untested.expression}: cannot tell noise from change, because ${whyOf(untested.figure)}; ${cure}`,
  });
}

/**
 * As {@link refuseUntested}, when both sides have been measured.
 * @type {(comparison: Pick<ComparedStats, 'figures' | 'why'>, limits: FigureShare[]) => void}
 */
export function refuseUntestedIn(comparison, limits) {
  refuseUntested(limits, (figure) => {
    const found = rowOf(comparison, figure);
    if (!found || found.change === null || found.verdict !== 'unknown' || found.doubt) return null;
    return whyUnknown(found, comparison);
  });
}

/**
 * Why a figure has no verdict.
 * @type {(figure: { figure: string, why?: string | null }, comparison: Pick<ComparedStats, 'why'>) => string}
 */
export function whyUnknown({ figure, why: own }, { why }) {
  return own ?? why ?? `too few runs have a ${figure}`;
}

/**
 * Explains that a limit is exceeded, because the figure is worse by more than allowed, and the change is significant,
 * or that the figure could not be compared; null if the limit holds.
 * @type {(comparison: Pick<ComparedStats, 'figures' | 'why'>, limit: FigureShare) => string | null}
 */
export function regressionOf(comparison, { figure, share }) {
  const found = rowOf(comparison, figure);
  if (!found || found.change === null) return `${figure} could not be compared`;
  const { change, doubt, unit, verdict } = found;
  if (verdict === 'unknown' && !doubt)
    return `${figure} could not be compared, because ${whyUnknown(found, comparison)}`;
  const worse = unit === '/s' ? -change : change;
  if (worse <= share || !(verdict === 'worse' || doubt)) return null;
  const ours = doubt ? ` (${doubt})` : '';
  return `${figure} is worse by ${percentAbove(worse, share)} %, more than ${grouped(share * 100)} %${ours}`;
}

/** @type {(comparison: Pick<ComparedStats, 'figures'>, figure: string) => ComparedStats['figures'][0] | undefined} */
function rowOf({ figures }, figure) {
  return figures.find((row) => row.figure === figure);
}

/** With as many digits as show that it is above a limit. @type {(share: number, limit: number) => string} */
function percentAbove(share, limit) {
  const [value, least] = [share * 100, limit * 100];
  let digits = 1;
  while (digits < MOST_DIGITS && Number(value.toFixed(digits)) <= least) digits++;
  return decimal(value, digits);
}

const MOST_DIGITS = 4;

/**
 * The exceeded limits; with any limit, more failures are a regression, too.
 * @type {(comparison: Pick<ComparedStats, 'figures' | 'why'> & Partial<Pick<ComparedStats, 'failures'>>, limits:
 *   FigureShare[]) => string[]}
 */
export function regressionsOf(comparison, limits) {
  const { failures = [] } = comparison;
  const more = limits.length > 0 ? failures.flatMap(({ problem }) => problem ?? []) : [];
  return [...limits.flatMap((limit) => regressionOf(comparison, limit) ?? []), ...more];
}
