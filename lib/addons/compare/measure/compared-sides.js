import { decimal, percent } from '../../../core/ground/decimal.js';
import { MIN_RUNS } from './comparison-method.js';
import { isFailed, reasonsOf } from '../../../core/measure/outcome.js';
import { meanOf } from '../../../core/measure/statistics.js';
import { pValueOf, welch } from './significance.js';

/** @import { ComparedFailures, ComparedThreshold, SideIterations } from '../comparison.js' */
/** @import { Stats } from '../../../core/contracts/stats.js' */
/** @import { Reason } from '../../../core/ground/exit-codes.js' */
/** @import { Judged } from '../../../core/measure/outcome.js' */

/**
 * What each side of a comparison did beside its figures: how many of its iterations failed or never started, its
 * thresholds, and why its runs failed.
 *
 * @typedef {{ runs: number, iterations: SideIterations, errors: { count: number } }} Totals of all runs of a side
 */

/** @type {(runs: Stats[]) => Totals} */
export function totalsOf(runs) {
  const sum = (/** @type {(stats: Stats) => number} */ of) => runs.reduce((all, stats) => all + of(stats), 0);
  const started = sum(({ iterations }) => iterations.started);
  const failed = sum(failedOf);
  const unsent = sum(unsentOf);
  return {
    runs: runs.length,
    iterations: {
      started,
      failed,
      failedShare: started > 0 ? failed / started : null,
      unsent,
      unsentShare: unsent > 0 ? unsent / (started + unsent) : 0,
    },
    errors: { count: sum(({ errors }) => errors.count) },
  };
}

/** @type {(stats: Stats) => number} */
function failedOf({ iterations: { failed, overdue = 0 } }) {
  return failed + overdue;
}

/** @type {(stats: Stats) => number} */
function unsentOf({ iterations: { dropped = 0, missing = 0 } }) {
  return dropped + missing;
}

/** The level of each test of failures. */
const LEVEL = 0.01;

/** Shares of iterations, with their words. */
const FAILURES = [
  {
    figure: 'iterations.failedShare',
    words: 'iterations failed',
    of: (/** @type {Stats} */ one) => (one.iterations.started > 0 ? failedOf(one) / one.iterations.started : null),
  },
  {
    figure: 'iterations.unsentShare',
    words: 'planned iterations never started',
    of: (/** @type {Stats} */ one) => {
      const unsent = unsentOf(one);
      return unsent > 0 ? unsent / (one.iterations.started + unsent) : 0;
    },
  },
];

/** Tests if more iterations failed, or never began. @type {(bases: Stats[], others: Stats[]) => ComparedFailures[]} */
export function failuresOf(bases, others) {
  return FAILURES.map(({ figure, of }) => {
    const sides = [bases, others].map((runs) => runs.flatMap((run) => of(run) ?? []));
    const [base, other] = sides.map((shares) => (shares.length > 0 ? meanOf(shares) : null));
    const p = Math.min(...sides.map(({ length }) => length)) < MIN_RUNS ? null : pValueOf(welch(sides[0], sides[1]));
    const isMore = p !== null && p <= LEVEL && Number(other) > Number(base);
    return {
      figure,
      unit: /** @type {const} */ ('ratio'),
      base,
      new: other,
      p,
      verdict: p === null ? 'unknown' : isMore ? 'worse' : 'noise',
    };
  });
}

/** More iterations failed: `12 % of the iterations failed, before 3 %`. @type {(row: ComparedFailures) => string} */
export function failureText({ figure, base, new: other }) {
  const words = FAILURES.find((row) => row.figure === figure)?.words ?? figure;
  return `${shareText(other ?? 0)} of the ${words}, before ${shareText(base ?? 0)}`;
}

/** Two digits, however small a share is; 100 % only of the whole. @type {(share: number) => string} */
function shareText(share) {
  const value = share * 100;
  if (value > 99) return percent(share);
  const text = value > 0 && value < 0.1 ? decimal(value, 1 - Math.floor(Math.log10(value))) : value.toPrecision(2);
  return `${text.replace(/\.0+$|(\.\d*[1-9])0+$/, '$1')} %`;
}

/** The thresholds, and how often each side failed. @type {(bases: Stats[], others: Stats[]) => ComparedThreshold[]} */
export function thresholdsOfSides(bases, others) {
  const names = new Set(
    [...bases, ...others].flatMap(({ thresholds = [] }) => thresholds.map((one) => one.expression)),
  );
  return [...names].map((expression) => {
    const [base, other] = [bases, others].map(
      (runs) =>
        runs.filter(({ thresholds = [] }) => thresholds.some((one) => one.expression === expression && isFailed(one)))
          .length,
    );
    return { expression, base, new: other };
  });
}

/** Reasons that concern the measurement or the files, and no failure of the service. */
const NOT_OF_THE_SERVICE = /** @type {Reason[]} */ ([
  'validity',
  'undecided',
  'precision',
  'regression',
  'section',
  'notWritten',
]);

/** Why runs of a side failed, and how many of them. @type {(runs: Judged[]) => Map<Reason, number>} */
export function failedRuns(runs) {
  /** @type {Map<Reason, number>} */
  const found = new Map();
  for (const reason of runs.flatMap((run) => reasonsOf(run)))
    if (!NOT_OF_THE_SERVICE.includes(reason)) found.set(reason, (found.get(reason) ?? 0) + 1);
  return found;
}
