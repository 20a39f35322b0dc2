import { ms as milliseconds } from '../../../core/ground/decimal.js';
import { COMPARED_FIGURES, COMPARED_OF_SOME, OURS, judgedLimit, whyUnknown } from './compared-figures.js';
import { failedRuns, failuresOf, thresholdsOfSides, totalsOf } from './compared-sides.js';
import { MIN_RUNS, inTime, methodOf, noiseUnknown } from './comparison-method.js';
import { SERVER_TIMING } from '../../../core/measure/figures.js';
import { binWidth } from '../../../core/measure/hdr-counts.js';
import { rangeOfJudged } from '../../../core/measure/own-time.js';
import { MAIN_PERCENTILES, valuesNeeded } from '../../../core/measure/percentiles.js';
import { meanOf, varianceOf } from '../../../core/measure/statistics.js';
import { LEVEL, discoveryLimit, inflationOf, intervalOf, pValueOf, pairedT, welch } from './significance.js';
import { RESPONSE_TIME, statisticOf } from '../../../core/measure/threshold-figures.js';
import { partsOf } from '../../../core/measure/transactions.js';
import { metricRows } from '../../../core/measure/user-metrics.js';

/** @import { Baseline, ComparedFailures, ComparedFigure, ComparedOperation } from '../comparison.js' */
/** @import { ChangeInterval, ComparedThreshold, Conclusion } from '../comparison.js' */
/** @import { Method, OperationCounts } from '../comparison.js' */
/** @import { Bounds, Note, Stats } from '../../../core/contracts/stats.js' */
/** @import { FigureShare } from './compared-figures.js' */
/** @import { Totals } from './compared-sides.js' */
/** @import { Deviation, Noise, RunOrder, Timed } from './comparison-method.js' */
/** @import { Estimate } from './significance.js' */
/** @import { MeasuredPart } from '../../../core/measure/transactions.js' */

/**
 * @typedef {Pick<MeasuredPart, 'name' | 'kind' | 'time'> & { summary: { count: number, errors: number } }} ComparedPart
 */

/**
 * @typedef {object} ComparedStats
 * @property {Method} method
 * @property {Note} [untested] why it cannot tell noise from change
 * @property {boolean} ignoresNoise the runs decide, so the noise that the user knows is not used
 * @property {number} tests how many figures were tested
 * @property {string[]} first the figures that were tested before the others
 * @property {ComparedFigure[]} figures
 * @property {ComparedOperation[]} operations
 * @property {{ base: Totals, new: Totals }} totals
 * @property {ComparedFailures[]} failures
 * @property {ComparedThreshold[]} thresholds of the runs
 * @property {Omit<Conclusion, 'message'>} conclusion
 */

/**
 * Compares two sides, figure by figure, and decides whether each change is more than noise. The requests of a run are
 * not independent, so their number never counts: a run gives one value. What differs between runs, such as the layout
 * of memory, the neighbours and the temperature of a machine, cannot be seen within one; so single runs are tested only
 * if the user knows how much runs differ.
 *
 * The table of methods is in comparison-method.js, the tests in statistics.js, the correction for many figures below,
 * and a simulation that measures false alarms and power in bench/alarms.js.
 * @param {(Stats & Timed)[]} bases
 * @param {(Stats & Timed)[]} others
 *
 * @param {{ isPaired?: boolean, order?: RunOrder, noise?: Noise, history?: number, limits?: FigureShare[] }} [options]
 *   isPaired: run i of one side ran next to run i of the other; order: default: by the times of the runs; history: how
 *   many earlier results show the noise; limits: the figures that they name are tested first
 * @returns {ComparedStats}
 */
export function compareStats(
  bases,
  others,
  { isPaired = false, order, noise = new Map(), history = 0, limits = [] } = {},
) {
  const hasNoise = noise.size > 0;
  const { method, untested } = methodOf(bases, others, { isPaired, order, hasNoise, history });
  const sides = method === 'pairs' ? [bases, others] : [bases, others].map(inTime);
  const figures = COMPARED_FIGURES.map((row) => {
    const values = sides.map((side) => side.map(row.of));
    const ours = sides.map((side) => side.map((stats) => clientMsOf(stats, row.figure)));
    const compared = comparedFigure(row, [values[0], values[1]], { method, noise: noise.get(row.figure), ours });
    return estimated({ ...compared, ...confidenceOf(row.figure, sides) }, ESTIMATES.get(compared));
  });
  const operations = comparedOperations(sides[0], sides[1], { method });
  const hasP95 = [...bases, ...others].every(({ main }) => main.completed.count >= valuesNeeded(0.95));
  const first = firstFigures(limits, `${RESPONSE_TIME}.${hasP95 ? 'p95' : 'p50'}`);
  const [deciding] = first;
  const corrected = withDiscoveries({ figures, operations }, first);
  const about = {
    method,
    ...(untested && { untested }),
    ignoresNoise: hasNoise && !['noise', 'none'].includes(method),
    first,
    totals: { base: totalsOf(bases), new: totalsOf(others) },
    failures: failuresOf(bases, others),
    thresholds: thresholdsOfSides(bases, others),
  };
  const conclusion = conclusionOf({ ...about, ...corrected }, deciding);
  // A base that fails only thresholds is no obstacle: the new side may repair it.
  const hasFailed = failedRuns(others).size > 0 || [...failedRuns(bases).keys()].some((one) => one !== 'threshold');
  if (conclusion.verdict === 'better' && hasFailed) {
    conclusion.verdict = 'unknown';
    conclusion.reason = { code: 'sideFailed', message: 'a side failed' };
  }
  return { ...about, ...corrected, conclusion };
}

/** Puts the figure of the conclusion first. @type {(limits: FigureShare[], usual: string) => string[]} */
function firstFigures(limits, usual) {
  const names = new Set(limits.flatMap(({ figure, isNamed }) => (isNamed ? [figure] : [])));
  const named = COMPARED_FIGURES.map(({ figure }) => figure).filter((figure) => names.has(figure));
  return named.length === 0 || names.has(usual) ? [...new Set([usual, ...named])] : named;
}

/** The intervals of one figure. @type {(figure: string, sides: Stats[][]) => Pick<ComparedFigure, 'confidence'>} */
function confidenceOf(figure, sides) {
  const [base, other] = sides.map((runs) => (runs.length === 1 ? boundsOf(runs[0], figure) : null));
  return base || other ? { confidence: { base, new: other } } : {};
}

/** @type {(stats: Stats, figure: string) => Bounds | null} */
function boundsOf({ confidence }, figure) {
  return confidence?.figures.find((one) => one.figure === figure)?.interval ?? null;
}

/**
 * The part of a figure that is the load generator's at most, ms; 0 if it does not matter.
 * @type {(stats: Stats, figure: string, part?: string) => number} part: name of an operation, scenario, group or tag
 */
export function clientMsOf({ validity }, figure, part) {
  const judged = validity?.figures?.find((one) => one.figure === figure && Object.values(one.of)[0] === part);
  return judged && rangeOfJudged(judged) !== null ? judged.loadGeneratorTime : 0;
}

/** @type {(compared: Omit<ComparedStats, 'conclusion'>, figure: string) => ComparedStats['conclusion']} */
function conclusionOf({ figures, untested, totals }, figure) {
  const found = /** @type {ComparedFigure} */ (figures.find((one) => one.figure === figure));
  const { change, interval, verdict } = found;
  if (change === null || [totals.base, totals.new].some(({ iterations }) => iterations.failedShare === 1))
    return { figure, change: null, interval: null, verdict: 'unknown' };
  const reason = verdict === 'unknown' && { reason: whyUnknown(found, { untested }) };
  return { figure, change, interval, verdict, ...reason };
}

/**
 * @typedef {[base: (number | null)[], other: (number | null)[]]} SideValues
 * @typedef {{ method: Method, noise?: Deviation, ours?: number[][] }} Test noise: for the method `noise`; ours: the
 *   part of each value that is the load generator's at most, for each side
 */

/**
 * Compares a figure of two sides, a value per run in the order of time or of the pairs, by the logarithms of its
 * values. A change that would not be one without the parts of the load generator (`ours`) is `unknown`.
 * @type {(row: { figure: string, unit: string, isMoreBetter?: boolean }, sides: SideValues, test: Test) =>
 *   ComparedFigure}
 */
export function comparedFigure(row, sides, { ours = [], ...test }) {
  const found = testedFigure(row, sides, test);
  // `ours` is 0 where a figure is valid: there is nothing to take away.
  if (!['better', 'worse'].includes(found.verdict) || ours.flat().every((ms) => ms === 0)) return found;
  const least = sides.map((side, i) => side.map((ms, run) => ms && Math.max(0, ms - ours[i][run])));
  const { verdict } = testedFigure(row, [least[0], least[1]], test);
  if (verdict === found.verdict) return found;
  // The message names B, or A if B has no such part.
  const side = Math.max(...ours[1]) > 0 ? 1 : 0;
  const value = [found.base, found.new][side];
  const part = Math.min(meanOf(ours[side]), Number(value));
  const message = `up to ${milliseconds(part)} ms of the ${statisticOf(row.figure)} of ${'AB'[side]} (${milliseconds(value)} ms) are the load generator's`;
  return estimated({ ...found, verdict: 'unknown', reason: { code: OURS, message } }, ESTIMATES.get(found));
}

/** What a figure was tested by: another level makes another interval. @type {WeakMap<ComparedFigure, Estimate>} */
const ESTIMATES = new WeakMap();

/** @type {(figure: ComparedFigure, estimate: Estimate | undefined) => ComparedFigure} */
function estimated(figure, estimate) {
  if (estimate) ESTIMATES.set(figure, estimate);
  return figure;
}

/** @type {(row: Parameters<typeof comparedFigure>[0], sides: SideValues, test: Test) => ComparedFigure} */
function testedFigure({ figure, unit, isMoreBetter = false }, sides, test) {
  const [base, other] = sides.map(geometricMean);
  const change = base === null || other === null ? null : other / base - 1;
  const compared = { figure, unit, base, new: other, change };
  const estimate = base === null || other === null ? null : estimateOf(sides, test, binOf(unit, [base, other]));
  if (estimate === null) {
    // With other methods, `untested` of the whole comparison tells why.
    const reason = change !== null && test.method === 'noise' && { reason: noiseUnknown(figure) };
    return { ...compared, interval: null, p: null, verdict: 'unknown', ...reason };
  }
  const p = pValueOf(estimate);
  const isBetter = estimate.difference > 0 === isMoreBetter;
  const verdict = p > LEVEL ? 'noise' : isBetter ? 'better' : 'worse';
  return estimated({ ...compared, interval: changeOf(estimate, LEVEL), p, verdict }, estimate);
}

/** @type {(estimate: Estimate, level: number) => ChangeInterval} */
function changeOf(estimate, level) {
  const { low, high } = intervalOf(estimate, level);
  return { low: Math.exp(low) - 1, high: Math.exp(high) - 1 };
}

/** @type {(sides: SideValues, test: Test, bin: number) => Estimate | null} */
function estimateOf(sides, { method, noise }, bin) {
  const [one, two] = (method === 'pairs' ? completePairs(sides) : sides).map(logarithms);
  if (method === 'noise') return noise === undefined ? null : byNoise([one, two], noise, bin);
  if (method === 'none' || Math.min(one.length, two.length) < MIN_RUNS) return null;
  if (method === 'pairs') return pairedT(one, two, { bin });
  return welch(one, two, { bin, inflation: method === 'sequence' ? inflationOf(one, two) : 1 });
}

/**
 * The difference of two sides whose runs differ by chance as others did. The runs of a side may share what they differ
 * by, as the machine of the day, so several have no smaller error than one. They have a larger one if they differ more
 * than the noise (`deviation`). A difference of two sides has the error of both (SQRT2), and at least a bin.
 * @type {(sides: number[][], noise: Deviation, bin: number) => Estimate}
 */
function byNoise(sides, { deviation, df }, bin) {
  const [base, other] = sides.map(meanOf);
  const own = sides.map((values) => (values.length > 1 ? Math.sqrt(varianceOf(values)) : 0));
  return { difference: other - base, error: Math.max(Math.SQRT2 * Math.max(deviation, ...own), bin), df };
}

/** The width of a histogram's bin, as a share of the values. @type {(unit: string, values: number[]) => number} */
function binOf(unit, values) {
  const each = unit === 'ms' ? values.map((value) => Math.max(1, Math.round(value * 1000))) : [RATE_AS_US];
  return Math.max(...each.map((us) => binWidth(us) / us));
}

/** Rates have no bins. They are tested as the time of 2,048 µs, whose bin (2 µs) is a thousandth of it. */
const RATE_AS_US = 2048;

/** @type {(sides: SideValues) => SideValues} */
function completePairs([base, other]) {
  const isComplete = (/** @type {unknown} */ _, /** @type {number} */ i) => (base[i] ?? 0) > 0 && (other[i] ?? 0) > 0;
  return [base.filter(isComplete), other.filter(isComplete)];
}

/** @type {(values: (number | null)[]) => number | null} */
function geometricMean(values) {
  const logs = logarithms(values);
  return logs.length === 0 ? null : Math.exp(meanOf(logs));
}

/** @type {(values: (number | null)[]) => number[]} */
function logarithms(values) {
  return values.flatMap((value) => (value !== null && value > 0 ? [Math.log(value)] : []));
}

/**
 * Compares the scenarios, groups and operations of two sides, in the order of the base; those of the other side alone
 * follow. Those of the same phase and name belong together; of several with one name, the first to the first. Noise
 * that the user knows is that of the whole run, so it tests no operation.
 * @type {(bases: Stats[], others: Stats[], test: Test) => ComparedOperation[]}
 */
export function comparedOperations(bases, others, test) {
  const sides = [bases, others].map((runs) => runs.map((stats) => ({ stats, parts: byKey(stats) })));
  const keys = new Set(sides.flat().flatMap(({ parts }) => [...parts.keys()]));
  return [...keys].map((key) => {
    const [base, other] = sides.map((runs) => runs.flatMap(({ parts }) => parts.get(key) ?? []));
    const { name, kind } = base[0] ?? other[0];
    const figures = MAIN_PERCENTILES.map(({ key: column, label: figure, percentile }) => {
      const valueOf = (/** @type {ComparedPart | undefined} */ part) =>
        part && part.time.count >= valuesNeeded(percentile / 100) ? part.time[column] : null;
      const values = sides.map((runs) => runs.map(({ parts }) => valueOf(parts.get(key))));
      const ours = sides.map((runs) => runs.map(({ stats }) => clientMsOf(stats, figure, name)));
      return comparedFigure({ figure, unit: 'ms' }, [values[0], values[1]], { ...test, ours });
    });
    const ofSome = COMPARED_OF_SOME.flatMap(({ of, ...row }) => {
      const values = sides.map((runs) => runs.map(({ parts }) => of(parts.get(key))));
      const isKnown = values.flat().some((value) => value !== null);
      return isKnown ? [comparedFigure(row, [values[0], values[1]], test)] : [];
    });
    return { name, phase: kind, base: countsOf(base), new: countsOf(other), figures: [...figures, ...ofSome] };
  });
}

/** @type {(stats: Stats) => Map<string, ComparedPart>} */
function byKey(stats) {
  /** @type {Map<string, ComparedPart>} */
  const found = new Map();
  for (const part of [...partsOf(stats), ...serverTimesOf(stats)]) {
    let key = `${part.kind} ${part.name}`;
    while (found.has(key)) key += '\0';
    found.set(key, part);
  }
  return found;
}

/** Returns Server-Timing as parts of the run. @type {(stats: Partial<Pick<Stats, 'metrics'>>) => ComparedPart[]} */
function serverTimesOf({ metrics = {} }) {
  return metricRows({ metrics }).flatMap(({ name, count, values: time }) =>
    name.startsWith(SERVER_TIMING) && time
      ? [{ name, kind: 'server', summary: { count: Number(count), errors: 0 }, time }]
      : [],
  );
}

/** @type {(parts: ComparedPart[]) => OperationCounts | null} */
function countsOf(parts) {
  if (parts.length === 0) return null;
  const sum = (/** @type {'count' | 'errors'} */ key) => parts.reduce((all, { summary }) => all + summary[key], 0);
  return { count: sum('count'), errors: sum('errors') };
}

/** The level of all figures beside the first ones, if none of these has changed. */
const REST = 0.005;

/**
 * Corrects the verdicts of many tests. The figures that decide (`first`) are tested before the others, one or two at
 * the whole level, more by Holm's procedure. The others share the rest of the 5 %, and get the level of the first ones
 * as well if all of these have changed (the fallback procedure of Wiens 2003); among them Benjamini and Hochberg's
 * procedure controls the share of wrong discoveries. So a comparison of equal sides says in at most 5 % of cases that
 * anything is worse, however many figures it has, and without limits that anything changed. A figure that needed more
 * evidence than it has gets the interval of the level that it needed, so that its interval says what its verdict says.
 * `tests` is how many figures were tested.
 * @type {(compared: { figures: ComparedFigure[], operations: ComparedOperation[] }, first: string[]) => { figures:
 *   ComparedFigure[], operations: ComparedOperation[], tests: number }}
 */
export function withDiscoveries({ figures, operations }, first) {
  const all = [...figures, ...operations.flatMap((one) => one.figures)].filter(({ p }) => p !== null);
  const levels = levelsOf(all.filter((one) => figures.includes(one) && first.includes(one.figure)));
  const haveChanged = levels.size > 0 && [...levels].every(([{ p }, level]) => Number(p) <= level);
  const others = all.filter((one) => !levels.has(one));
  const limit = discoveryLimit(
    others.map(({ p }) => Number(p)),
    haveChanged ? LEVEL + REST : REST,
  );
  const corrected = (/** @type {ComparedFigure} */ one) => {
    const level = levels.get(one) ?? limit;
    if (one.p === null || one.p <= level) return one;
    const { reason: _, ...rest } = one;
    const estimate = one.p > LEVEL ? undefined : ESTIMATES.get(one);
    const interval = estimate ? changeOf(estimate, level) : one.interval;
    return { ...rest, interval, verdict: /** @type {const} */ ('noise') };
  };
  return {
    figures: figures.map(corrected),
    operations: operations.map((one) => ({ ...one, figures: one.figures.map(corrected) })),
    tests: all.length,
  };
}

/**
 * The level of each of several tests (Holm 1979). Half of the changes of equal sides are for the worse, so that twice
 * the level is shared.
 * @type {(tested: ComparedFigure[]) => Map<ComparedFigure, number>}
 */
function levelsOf(tested) {
  const inOrder = [...tested].sort((a, b) => Number(a.p) - Number(b.p));
  const levelAt = (/** @type {number} */ i) => Math.min(LEVEL, (2 * LEVEL) / (tested.length - i));
  const stop = inOrder.findIndex(({ p }, i) => Number(p) > levelAt(i));
  return new Map(inOrder.map((one, i) => [one, levelAt(stop < 0 ? i : Math.min(i, stop))]));
}

/**
 * Compares the result of a run that has just ended with an earlier one, by the same tests as {@link compareStats}.
 * `noise` is how much runs differ by chance, empty if it is not known; `history` is how many earlier results show it.
 * @type {(stats: Stats, base: Stats, about: { from: string, limits: FigureShare[], warnings: Note[], noise: Noise,
 *   history?: number }) => Baseline}
 */
export function baselineOf(stats, base, { from, limits, warnings, noise, history }) {
  const comparison = compareStats([base], [stats], { noise, history, limits });
  const { method, untested, figures, operations } = comparison;
  const { id, startedAt } = base;
  return {
    from,
    ...(id !== undefined && { id }),
    ...(startedAt !== undefined && { startedAt }),
    method,
    ...(untested && { untested }),
    figures,
    operations: operations.filter((one) => one.base !== null && one.new !== null),
    regressions: limits.map((limit) => judgedLimit(comparison, limit)),
    warnings,
  };
}

/** Codes of warnings about a baseline of another flow or load. */
export const BASELINE_CODES = ['flowUnknown', 'otherFlow', 'otherLoad'];
