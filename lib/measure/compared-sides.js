import { grouped } from '../ground/decimal.js';
import { MIN_RUNS } from './comparison-method.js';
import { reasonsOf } from './outcome.js';
import { pValueOf, welch } from './statistics.js';

/** @import { Stats } from '../contracts/stats.js' */
/** @import { Reason } from '../ground/exit-codes.js' */
/** @import { Judged } from './outcome.js' */

/**
 * What each side of a comparison did beside its figures: how many of its iterations failed or never started, its
 * thresholds, and why its runs failed.
 *
 * @typedef {object} Totals of all runs of a side
 * @property {number} runs
 * @property {number} started iterations
 * @property {number} failed iterations, and those that the end cut off although they had run longer than any other
 * @property {number | null} failedShare of the started ones
 * @property {number} unsent iterations that were planned and never started: dropped, or missing with a lost shard
 * @property {number} unsentShare of the planned ones
 * @property {number} errors
 *
 * @typedef {object} ComparedThreshold
 * @property {string} expression
 * @property {number} base runs in which it failed
 * @property {number} other
 *
 * @typedef {object} ComparedFailures
 * @property {string} name what happened to iterations
 * @property {number | null} base share
 * @property {number | null} other
 * @property {number | null} p null: not tested
 * @property {string} [problem] it happens more on the other side, and not by chance
 */

/** @type {(runs: Stats[]) => Totals} */
export function totalsOf(runs) {
  const sum = (/** @type {(stats: Stats) => number} */ of) => runs.reduce((all, stats) => all + of(stats), 0);
  const started = sum(({ iterations }) => iterations.started);
  const failed = sum(failedOf);
  const unsent = sum(unsentOf);
  return {
    runs: runs.length,
    started,
    failed,
    failedShare: started > 0 ? failed / started : null,
    unsent,
    unsentShare: unsent > 0 ? unsent / (started + unsent) : 0,
    errors: sum(({ errors }) => errors.count),
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

/**
 * Reports whether more iterations of the other side failed, or never started, in its runs.
 * @type {(bases: Stats[], others: Stats[]) => ComparedFailures[]}
 */
export function failuresOf(bases, others) {
  const rows = [
    {
      name: 'iterations failed',
      of: (/** @type {Stats} */ one) => (one.iterations.started > 0 ? failedOf(one) / one.iterations.started : null),
    },
    {
      name: 'planned iterations never started',
      of: (/** @type {Stats} */ one) => {
        const unsent = unsentOf(one);
        return unsent > 0 ? unsent / (one.iterations.started + unsent) : 0;
      },
    },
  ];
  return rows.map(({ name, of }) => {
    const [base, other] = [bases, others].map((runs) => runs.flatMap((run) => of(run) ?? []));
    const means = [base, other].map((shares) =>
      shares.length > 0 ? shares.reduce((sum, share) => sum + share, 0) / shares.length : null,
    );
    const p = Math.min(base.length, other.length) < MIN_RUNS ? null : pValueOf(welch(base, other));
    const isMore = p !== null && p <= LEVEL && Number(means[1]) > Number(means[0]);
    return {
      name,
      base: means[0],
      other: means[1],
      p,
      ...(isMore && { problem: `${percent(means[1])} of the ${name}, before ${percent(means[0])}` }),
    };
  });
}

/** @type {(share: number | null) => string} */
function percent(share) {
  return `${grouped(Number(((share ?? 0) * 100).toPrecision(2)))} %`;
}

/**
 * The thresholds of the runs, and in how many of each side they failed.
 * @type {(bases: Stats[], others: Stats[]) => ComparedThreshold[]}
 */
export function thresholdsOfSides(bases, others) {
  const names = new Set(
    [...bases, ...others].flatMap(({ thresholds = [] }) => thresholds.map((one) => one.expression)),
  );
  return [...names].map((expression) => {
    const [base, other] = [bases, others].map(
      (runs) =>
        runs.filter(({ thresholds = [] }) => thresholds.some((one) => one.expression === expression && !one.passed))
          .length,
    );
    return { expression, base, other };
  });
}

/** Reasons that concern the measurement or the files, and no failure of the service. */
const NOT_OF_THE_SERVICE = /** @type {Reason[]} */ (['validity', 'regression', 'report', 'notWritten']);

/** Why runs of a side failed, and how many of them. @type {(runs: Judged[]) => Map<Reason, number>} */
export function failedRuns(runs) {
  /** @type {Map<Reason, number>} */
  const found = new Map();
  for (const reason of runs.flatMap((run) => reasonsOf(run)))
    if (!NOT_OF_THE_SERVICE.includes(reason)) found.set(reason, (found.get(reason) ?? 0) + 1);
  return found;
}
