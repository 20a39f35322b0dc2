import { decimal, grouped } from '../../../core/ground/decimal.js';
import { makeError } from '../../../core/ground/errors.js';
import { nearest } from '../../../core/ground/problems.js';
import { readPercent } from '../../../core/ground/units.js';
import { OPERATION_FIGURES } from '../../../core/measure/operation-figures.js';
import { PERCENTILES, valuesNeeded } from '../../../core/measure/percentiles.js';
import { LEVEL, TEST_CURE } from './significance.js';
import { COMPLETED_RATE, RESPONSE_TIME, statisticOf } from '../../../core/measure/threshold-figures.js';
import { figuresOf } from '../../../core/measure/transactions.js';

/** @import { ComparedFigure, RegressionLimit } from '../comparison.js' */
/** @import { Note, Stats } from '../../../core/contracts/stats.js' */
/** @import { ComparedStats } from './compare.js' */

/**
 * The figures of runs, and of some operations, that comparisons compare; and the options about those of runs: limits of
 * their changes (`--max-regression`), which are read, refused if nothing tests them, and judged here,
 * and how much runs differ by chance (`--noise`).
 */

/**
 * @typedef {object} FigureToCompare
 * @property {string} figure its path: `iterations.completedRate`, `responseTime.p95`
 * @property {string} unit
 * @property {boolean} [isMoreBetter]
 * @property {(stats: Stats) => number | null} of
 */

const COMPARED_PERCENTILES = [50, 90, 95, 99];

/** @type {(outcome: { reasons: { code: string, message: string }[] }) => string[]} */
export function regressionsIn({ reasons }) {
  return reasons.flatMap(({ code, message }) => (['regression', 'undecided'].includes(code) ? [message] : []));
}

/** The figures of a run that a comparison compares. @type {FigureToCompare[]} */
export const COMPARED_FIGURES = [
  {
    figure: COMPLETED_RATE,
    unit: '/s',
    isMoreBetter: true,
    of: ({ iterations }) => iterations.completedRate || null,
  },
  { figure: `${RESPONSE_TIME}.mean`, unit: 'ms', of: ({ main }) => main.completed.mean },
  ...PERCENTILES.filter(({ percentile }) => COMPARED_PERCENTILES.includes(percentile)).map(({ key, label }) => ({
    figure: `${RESPONSE_TIME}.${label}`,
    unit: 'ms',
    of: (/** @type {Stats} */ { main }) => main.completed[key],
  })),
];

/** @typedef {Parameters<typeof figuresOf>[0]} Figured */

/**
 * The figures that only some operations have, and that a comparison compares.
 * @type {{ figure: string, unit: string, isMoreBetter?: boolean, of: (part: Figured) => number | null }[]}
 */
export const COMPARED_OF_SOME = OPERATION_FIGURES.flatMap(({ key: own, times, counts }) => [
  ...times.flatMap(({ key, compared }) =>
    PERCENTILES.filter(({ label }) => compared.includes(label)).map(({ key: column, label, percentile }) => ({
      figure: `${key}.${label}`,
      unit: 'ms',
      of: (/** @type {Figured} */ part) => {
        const values = figuresOf(part, own)?.[key];
        return values?.count >= valuesNeeded(percentile / 100) ? values[column] : null;
      },
    })),
  ),
  ...counts.flatMap(({ rate }) =>
    rate === undefined
      ? []
      : {
          figure: rate,
          unit: '/s',
          isMoreBetter: true,
          of: (/** @type {Figured} */ part) => figuresOf(part, own)?.[rate] || null,
        },
  ),
]);

/** Names of the rate in reports and in run options. */
const RATE_NAMES = /^(rate|iterations\.rate|iterations per second)$/;

/** The names of the figures in options, which thresholds have, too: `p95` is `responseTime.p95`. */
const NAMES_IN_OPTIONS = COMPARED_FIGURES.map(({ figure }) => statisticOf(figure));

/** @typedef {{ figure: string, share: number, expression: string, isNamed?: boolean }} FigureShare not `10%` for all */

/**
 * Reads a share of a compared figure, `p99=10%`, or `10%` for every one. The message of E_USAGE names the option.
 * @throws {Error} E_USAGE
 * @type {(text: string, option: string) => FigureShare[]}
 */
function readFigureShares(text, option) {
  const [, figure, bound = text] = /^\s*([^=]+?)\s*=\s*(.+)$/.exec(text) ?? [];
  const [, percentage] = /^\s*(\d+(?:\.\d+)?)%\s*$/.exec(bound) ?? [];
  const rows = COMPARED_FIGURES.filter((row) => [undefined, row.figure, statisticOf(row.figure)].includes(figure));
  if (rows.length === 0) {
    const near = RATE_NAMES.test(figure) ? COMPLETED_RATE : nearest(figure, NAMES_IN_OPTIONS);
    throw usage(
      option,
      `${JSON.stringify(text)}: unknown figure${near ? `, did you mean ${near}?` : ''}; use one of ${NAMES_IN_OPTIONS.join(' ')}, as in p99=10%`,
    );
  }
  if (percentage === undefined)
    throw usage(option, `${JSON.stringify(text)}: expected a percentage, as in p99=10%, or 10% for every figure`);
  return rows.map((row) => ({
    figure: row.figure,
    share: readPercent(percentage),
    expression: `${figure ?? statisticOf(row.figure)}=${bound.trim()}`,
    isNamed: figure !== undefined,
  }));
}

/** @type {(option: string, problem: string) => Error} */
function usage(option, problem) {
  return makeError('E_USAGE', { problem: `${option} ${problem}` });
}

/**
 * Reads the limits of a regression, `p99=10%`, or `10%` for every compared figure; from 100 % on for the times alone,
 * as a rate cannot be worse by more.
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
 * Reads how much runs differ by chance, `p99=8%`, or `4%` for every compared figure.
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
 * noisy machine.
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
 * @type {(comparison: Pick<ComparedStats, 'figures' | 'untested'>, limits: FigureShare[]) => void}
 */
export function refuseUntestedIn(comparison, limits) {
  refuseUntested(limits, (figure) => {
    const found = rowOf(comparison, figure);
    if (!found || found.change === null || found.verdict !== 'unknown' || doubtOf(found)) return null;
    return whyUnknown(found, comparison).message;
  });
}

/** @type {(figure: Pick<ComparedFigure, 'figure' | 'reason'>, comparison: Pick<ComparedStats, 'untested'>) => Note} */
export function whyUnknown({ figure, reason }, { untested }) {
  return reason ?? untested ?? { code: 'fewValues', message: `too few runs have a ${statisticOf(figure)}` };
}

/**
 * Code of the reason of a figure whose change is significant, but perhaps only by the part of the load generator: its
 * verdict is `unknown`, and a limit of it that is exceeded is undecided.
 */
export const OURS = 'loadGeneratorInFigures';

/**
 * Returns the doubt about a change that is significant, see {@link OURS}.
 * @type {(figure: Pick<ComparedFigure, 'reason'>) => string | undefined}
 */
function doubtOf({ reason }) {
  return reason?.code === OURS ? reason.message : undefined;
}

/** Returns how much worse a change is; below 0: better. @type {(figure: string, change: number) => number} */
export function worseBy(figure, change) {
  return COMPARED_FIGURES.some((row) => row.figure === figure && row.isMoreBetter) ? -change : change;
}

/**
 * Judges a limit: it is exceeded if the figure is worse by more than allowed, and the change is significant, or if the
 * figure could not be compared. It is undecided if the load generator may have made the change.
 * @type {(comparison: Pick<ComparedStats, 'figures' | 'untested'> & { first?: string[] }, limit: FigureShare) =>
 *   RegressionLimit}
 */
export function judgedLimit(comparison, { figure, share, expression, isNamed }) {
  const found = rowOf(comparison, figure);
  const name = statisticOf(figure);
  const judged = (/** @type {number | null} */ actual) =>
    /** @type {const} */ ({ expression, figure, bound: share, actual, unit: 'ratio' });
  const failed = (/** @type {number | null} */ actual, /** @type {string} */ message) => ({
    ...judged(actual),
    passed: false,
    message,
  });
  if (!found || found.change === null) return failed(null, `${name} could not be compared`);
  const { change, verdict } = found;
  const doubt = doubtOf(found);
  if (verdict === 'unknown' && !doubt)
    return failed(null, `${name} could not be compared, because ${whyUnknown(found, comparison).message}`);
  const worse = worseBy(figure, change);
  // A limit that the comparison did not know is tested first, too.
  const isFirst = isNamed && comparison.first?.includes(figure) === false;
  const isSignificant = verdict === 'worse' || doubt !== undefined || (isFirst && Number(found.p) <= LEVEL);
  if (worse <= share || !isSignificant) return { ...judged(worse), passed: true };
  const more = `${percentAbove(worse, share)} %, more than ${grouped(share * 100)} %`;
  if (doubt) return { ...failed(worse, `${name} may be worse by ${more}: ${doubt}`), undecided: true };
  return failed(worse, `${name} is worse by ${more}`);
}

/** @type {(comparison: Pick<ComparedStats, 'figures'>, figure: string) => ComparedFigure | undefined} */
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

const MOST_DIGITS = 10;
