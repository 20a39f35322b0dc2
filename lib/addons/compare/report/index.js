import { interval, percent, signed } from '../../../core/ground/decimal.js';
import { worseBy } from '../measure/compared-figures.js';
import { compareStats } from '../measure/compare.js';
import { failureText } from '../measure/compared-sides.js';
import { inTime } from '../measure/comparison-method.js';
import { COMPARISON_HEAD } from '../measure/head.js';
import { TOOL } from '../../../core/measure/document.js';
import { Histogram, hasCounts } from '../../../core/measure/histogram.js';
import { outcomeWith } from '../../../core/measure/outcome.js';
import { COMPLETED_RATE, statisticOf } from '../../../core/measure/threshold-figures.js';
import { STATUSES } from '../../../core/measure/validity.js';
import { listOf } from '../../../core/text/format-value.js';
import { comparedProfiles } from '../../server/profile/compare.js';
import { validityOf } from '../../../core/report/outcome.js';
import { headOf, toolText } from '../../../core/report/rows.js';
import { joinedRun } from './run-facts.js';
import {
  commonestFirst,
  differencesOf,
  failedSides,
  isDeciding,
  objectionsTo,
  undecidedThresholds,
} from './objections.js';
import { cannotTell } from './rows.js';

/** @import { ComparedFigure, ComparedSide, Comparison, Conclusion } from '../comparison.js' */
/** @import { RegressionLimit } from '../comparison.js' */
/** @import { LoadGeneratorEntry, Note, OutcomeReason } from '../../../core/contracts/stats.js' */
/** @import { ComparedStats } from '../measure/compare.js' */
/** @import { FigureShare } from '../measure/compared-figures.js' */
/** @import { Totals } from '../measure/compared-sides.js' */
/** @import { Noise } from '../measure/comparison-method.js' */
/** @import { Result, RunInfo } from '../../../core/report/types.js' */
/** @import { FailedSide } from './objections.js' */

/**
 * Compares results: the document that `compare --format json` prints, and that every report of the comparison shows.
 * @param {Result[]} givenBases at least one
 * @param {Result[]} givenOthers at least one
 * @param {ComparisonOptions} [options]
 * @returns {Comparison}
 *
 * @typedef {object} ComparisonOptions
 * @property {boolean} [isPaired] run i of one side ran next to run i of the other
 * @property {boolean} [isInTurn] `ab` ran the sides in turn, whatever the clock says
 * @property {boolean} [areFlowsGiven] the user named a flow for each side
 * @property {[base: string, other: string]} [labels]
 * @property {Noise} [noise] how much runs differ by chance
 * @property {number} [history] the number of earlier results that show this noise
 * @property {FigureShare[]} [limits] the figures that they name are tested first
 * @property {Note[]} [warnings] more reasons why the sides may not be comparable
 */
export function comparisonOf(givenBases, givenOthers, options = {}) {
  const { isPaired = false, isInTurn = false, areFlowsGiven, labels, noise, history, limits, warnings = [] } = options;
  // The order in which runs are given decides nothing; pairs stay together.
  const bases = inTime(givenBases);
  const others = isPaired ? bases.map((base) => givenOthers[givenBases.indexOf(base)]) : inTime(givenOthers);
  // Undefined: the times of the runs tell in which order they ran.
  const order = isInTurn ? /** @type {const} */ ('mixed') : undefined;
  const { totals, ignoresNoise, conclusion, ...compared } = compareStats(bases, others, {
    isPaired,
    order,
    noise,
    history,
    limits,
  });
  const differences = differencesOf(bases, others);
  const profiles = comparedProfiles(bases, others);
  const checked = {
    names: /** @type {[string, string]} */ (['A', 'B']),
    sides: [bases, others],
    totals: [totals.base, totals.new],
    thresholds: compared.thresholds,
  };
  const failed = failedSides(checked);
  const { figures, operations, failures, thresholds, method, untested, tests } = compared;
  return {
    ...COMPARISON_HEAD,
    of: 'run',
    tool: TOOL,
    // A side A that fails only by thresholds is a warning: B may repair it.
    outcome: outcomeWith([
      ...failed.filter(isDeciding).flatMap(({ reasons }) => reasons),
      ...undecidedThresholds(others),
    ]),
    conclusion: { ...conclusion, message: sentenceOf({ ...compared, totals, conclusion, failed }) },
    sides: { base: sideOf(bases, totals.base, labels?.[0]), new: sideOf(others, totals.new, labels?.[1]) },
    figures,
    operations,
    failures,
    thresholds,
    // Only `withRegressions` knows the limits.
    regressions: [],
    method,
    ...(untested && { untested }),
    tests,
    differences,
    warnings: [
      ...failed.filter((one) => !isDeciding(one)).map(({ text }) => ({ code: 'failed', message: text })),
      ...objectionsTo(checked, differences, { isInTurn, areFlowsGiven }),
      ...(ignoresNoise ? [NOISE_UNUSED] : []),
      ...warnings,
    ],
    ...(profiles.length > 0 && { profiles }),
  };
}

const NOISE_UNUSED = { code: 'noiseUnused', message: 'the runs decide, so --noise and --history are not used' };

/**
 * The comparison with limits, of which the exceeded ones are reasons of its outcome. With any limit, more failures are
 * a regression, too.
 * @type {(comparison: Comparison, regressions: RegressionLimit[]) => Comparison}
 */
export function withRegressions(comparison, regressions) {
  const exceeded = regressions.flatMap(({ passed, undecided, message = '', figure, bound, actual, unit }) =>
    passed ? [] : [{ code: undecided ? 'undecided' : 'regression', message, figure, bound, actual, unit }],
  );
  const more = regressions.length > 0 ? comparison.failures.filter(({ verdict }) => verdict === 'worse') : [];
  const failures = more.map((row) => ({
    code: 'regression',
    message: failureText(row),
    figure: row.figure,
    bound: row.base ?? 0,
    actual: row.new,
    unit: row.unit,
  }));
  return withReasons({ ...comparison, regressions }, [...exceeded, ...failures]);
}

/** @type {(comparison: Comparison, reasons: OutcomeReason[]) => Comparison} */
export function withReasons(comparison, reasons) {
  return { ...comparison, outcome: outcomeWith([...comparison.outcome.reasons, ...reasons]) };
}

/** @type {(results: Result[], totals: Totals, label?: string) => ComparedSide} */
function sideOf(results, totals, label) {
  const titles = [...new Set(results.flatMap(({ title }) => title ?? []))];
  const starts = results.flatMap(({ startedAt }) => startedAt ?? []).sort();
  const tools = new Map(results.map(({ tool }) => [toolText({ tool }), tool]));
  const runs = results.flatMap(({ run }) => run ?? []);
  const generators = results.flatMap((one) => one.loadGenerators ?? []);
  return {
    label: label ?? listOf([...new Set(results.map((one) => headOf(one).title))], MOST_NAMED),
    ...totals,
    validity: validityOfAll(results),
    ...(titles.length > 0 && { title: listOf(titles, MOST_NAMED) }),
    ...(starts.length > 0 && { startedAt: starts[0] }),
    ...(tools.size === 1 && { tool: [...tools.values()][0] }),
    ...(runs.length > 0 && { run: sideRun(joinedRun(runs)) }),
    ...(generators.length > 0 && { loadGenerators: eachMachineOnce(generators) }),
    ...(results.every(hasCounts) && { responseTime: responseTimeOf(results) }),
  };
}

/** @type {(run: RunInfo) => ComparedSide['run']} */
function sideRun({ flow, loads, origins, proxies }) {
  return { flow, loads, origins, ...(proxies.length > 0 && { proxies }) };
}

/** @type {(all: LoadGeneratorEntry[]) => LoadGeneratorEntry[]} */
function eachMachineOnce(all) {
  const known = all.map(({ name, shard, workers, machine }) => ({ name, ...(shard && { shard }), workers, machine }));
  return [...new Map(known.map((one) => [JSON.stringify(one), one])).values()];
}

/** Names of a description. */
const MOST_NAMED = 3;

/** The worst validity of several runs, and each reason once. @type {(results: Result[]) => Result['validity']} */
function validityOfAll(results) {
  const worst = Math.max(...results.map((result) => STATUSES.indexOf(validityOf(result))));
  const reasons = commonestFirst(results.flatMap(({ validity }) => validity.reasons));
  return { status: STATUSES[worst], reasons: [...new Map(reasons.map((one) => [one.message, one])).values()] };
}

/** @type {(results: Result[]) => ComparedSide['responseTime']} */
function responseTimeOf(results) {
  const sum = new Histogram();
  for (const { main } of results) sum.add(Histogram.decode(main.completed) ?? new Histogram());
  return sum.summary(true);
}

/** @typedef {Pick<ComparedStats, 'conclusion' | 'figures' | 'totals'> & { failed?: FailedSide[] }} Concluded */

/**
 * Concludes a comparison in one sentence without a full stop: `p95 of B is 18.2 % lower (…)`. A side that failed is
 * named first.
 * @type {(comparison: Concluded) => string}
 */
export function sentenceOf({ failed = [], ...comparison }) {
  if (comparison.conclusion.change === null) return `Nothing to compare: ${obstacleOf(comparison)}`;
  const first = failed.filter(isDeciding).map(({ text }) => `${text}; `);
  const hasFailed = failed.some(({ isOnlyThreshold }) => !isOnlyThreshold);
  const text = conclusionText(comparison.conclusion, comparison.conclusion.change, hasFailed);
  return `${first.join('')}${text}${exceptionsText(comparison)}${failuresText(comparison)}`;
}

/** Why there is no change to name. @type {(comparison: Concluded) => string} */
function obstacleOf({ totals }) {
  const [base, other] = [totals.base, totals.new].map(({ iterations }) => iterations.failedShare === 1);
  if (base && other) return 'all iterations of both sides failed';
  if (base || other) return `all iterations of ${base ? 'A' : 'B'} failed`;
  return 'a side has no measured iterations';
}

/** @type {(conclusion: Omit<Conclusion, 'message'>, change: number, hasFailed: boolean) => string} */
function conclusionText({ figure, verdict, interval: ends, ...conclusion }, change, hasFailed) {
  const name = figure === COMPLETED_RATE ? 'iterations/s' : statisticOf(figure);
  if (verdict === 'noise') return `No significant difference (${name}: ${interval(ends)})`;
  const reason = untestedReason(conclusion);
  if (reason) return `${cannotTell(reason)} (${name}: ${signed(change)})`;
  const amount = signed(Math.abs(change)).replace('+', '');
  return `${name} of ${hasFailed ? 'what B completed' : 'B'} is ${amount} ${change > 0 ? 'higher' : 'lower'} (${interval(ends)})`;
}

/**
 * The reason why a change was not tested; undefined if it was, as that of a side that failed is, too.
 * @type {(conclusion: Pick<Conclusion, 'reason'>) => Conclusion['reason']}
 */
function untestedReason({ reason }) {
  return reason?.code === 'sideFailed' ? undefined : reason;
}

/** Names figures that changed the other way: `, but p99 is worse`. @type {(comparison: Concluded) => string} */
function exceptionsText({ conclusion, figures }) {
  const { verdict, change } = conclusion;
  // If a side failed, the verdict is unknown. The sentence names the change of the iterations that it completed.
  const isOfCompleted = verdict === 'unknown' && !untestedReason(conclusion);
  const ofCompleted = worseBy(conclusion.figure, change ?? 0) > 0 ? 'worse' : 'better';
  const named = isOfCompleted ? ofCompleted : verdict;
  const parts = /** @type {const} */ (['better', 'worse']).flatMap((direction) => {
    const names = figures.filter((one) => one.verdict === direction && direction !== named).map(nameOf);
    return names.length > 0 ? [`${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} ${direction}`] : [];
  });
  return parts.length > 0 ? `, but ${parts.join(', ')}` : '';
}

/** @type {(figure: ComparedFigure) => string} */
function nameOf({ figure, unit }) {
  return unit === 'ms' ? statisticOf(figure) : 'the rate';
}

/** A side that sends or completes less may only seem faster. @type {(comparison: Concluded) => string} */
function failuresText({ totals }) {
  const [base, other] = [totals.base.iterations, totals.new.iterations];
  const failed = `; iterations failed: A ${percent(base.failedShare ?? 0)}, B ${percent(other.failedShare ?? 0)}`;
  const unsent = `; never started: A ${percent(base.unsentShare)}, B ${percent(other.unsentShare)}`;
  return `${base.failed + other.failed > 0 ? failed : ''}${base.unsentShare + other.unsentShare > 0 ? unsent : ''}`;
}
