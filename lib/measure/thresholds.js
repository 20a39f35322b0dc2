import { nearest } from '../ground/problems.js';
import { readMs } from '../ground/units.js';
import { maskText } from '../text/mask.js';
import { shareOf } from './checks.js';
import { FIGURES, HISTOGRAMS } from './figures.js';
import { STATISTICS } from './percentiles.js';

/** @import { Stats } from './types.js' */

/** Keys of a histogram summary by their names in a threshold; any other percentile is computed from the counts. */
export const TIMES = /** @type {Record<string, string>} */ ({
  min: 'min',
  median: 'median',
  ...Object.fromEntries(STATISTICS.map(({ key, label }) => [label, key])),
  p100: 'max',
});
/** Figures that are one number. */
export const NUMBERS = FIGURES.filter(({ kind, threshold }) => threshold !== undefined && kind !== 'histogram');
/** The names of all figures of a run, except the percentiles that STATISTICS has not. */
const METRICS = [
  ...Object.keys(TIMES).filter((name) => name !== 'p100'),
  ...NUMBERS.map(({ threshold }) => /** @type {string} */ (threshold)),
];
/** Another name of the histogram without a prefix. */
const OK = 'ok';
/** Of the histograms other than that of the completed iterations: `ttfb.p99`. */
const PREFIXES = [...HISTOGRAMS.flatMap(({ threshold }) => threshold || []), OK];
/** Figures of an operation, a scenario or a group that are no times. */
export const OF_OPERATIONS = ['errors', 'count', 'checks'];
const OF_METERS = ['count', 'rate'];
export const PERCENTILE = /^p(\d{1,2}(?:\.\d+)?|100)$/;
export const STATUS = /^status\.([1-9]\d\d)$/;

/**
 * The kind of a figure of the run, or of one operation; a scenario or a group counts as one.
 *
 * @param {string} metric
 * @param {boolean} isOfOperation
 * @returns {'time' | 'number' | null} null if there is no such figure
 */
export function kindOf(metric, isOfOperation) {
  const [, time] = isOfOperation ? ['', metric] : splitPrefix(metric);
  if (isValue(time)) return 'time';
  const names = isOfOperation ? OF_OPERATIONS : NUMBERS.map(({ threshold }) => threshold);
  return names.includes(metric) || STATUS.test(metric) ? 'number' : null;
}

/**
 * Reports whether a figure of the run can be judged over windows: the points of the series have counts of the response
 * times, and errors.
 * @type {(metric: string) => boolean}
 */
function hasWindows(metric) {
  return metric === 'errors' || percentileOf(metric) !== null;
}

/**
 * @param {string} metric
 * @returns {number | null} 50 for `median`, 100 for `max`; null if it is no percentile
 */
export function percentileOf(metric) {
  if (metric === 'median') return 50;
  const percentile = metric === 'max' ? '100' : PERCENTILE.exec(metric)?.[1];
  return percentile === undefined ? null : Number(percentile);
}

/**
 * Splits a figure of a metric of hooks: `step_0.p95` is `['step_0', 'p95']`, `hits` is `['hits', '']`.
 * @type {(metric: string) => [name: string, figure: string]}
 */
export function splitFigure(metric) {
  const [, name, figure] = /^(.*?)\.(p\d{1,2}\.\d+|[^.]+)$/.exec(metric) ?? ['', metric, ''];
  return isValue(figure) || OF_METERS.includes(figure) ? [name, figure] : [metric, ''];
}

/**
 * Reports whether a figure is one of single values: a percentile, the mean, …
 * @type {(figure: string) => boolean}
 */
export function isValue(figure) {
  return Object.hasOwn(TIMES, figure) || PERCENTILE.test(figure);
}

/**
 * Splits a figure of a histogram: `ttfb.p99` is `['ttfb', 'p99']`; without a known prefix it is that of the completed
 * iterations.
 * @type {(metric: string) => [prefix: string, name: string]}
 */
export function splitPrefix(metric) {
  const prefix = PREFIXES.find((one) => metric.startsWith(`${one}.`)) ?? '';
  return [prefix === OK ? '' : prefix, prefix === '' ? metric : metric.slice(prefix.length + 1)];
}

/**
 * @typedef {object} KnownCheck
 * @property {string} name
 * @property {string} operation
 * @property {string} [scenario]
 */

/** The figure of checks in a threshold: `checks>99%`, `checks.status 201>99%`, `GET /items checks==100%`. */
export const CHECKS = 'checks';
/** perhaps after the name of an operation */
const OF_CHECK = /^(?:(.*\S)\s+)?checks\.(.+)$/;

/**
 * Splits what a threshold compares: a name of a check may contain spaces.
 *
 * @param {string} left
 * @returns {{ check: string | null, metric: string, metricAt: number }} metricAt: where the metric begins
 */
function splitCheck(left) {
  const [, operation = '', name] = OF_CHECK.exec(left) ?? [];
  if (name !== undefined)
    return { check: maskText(name), metric: CHECKS, metricAt: left.indexOf(CHECKS, operation.length) };
  const metric = left.split(/\s/).at(-1) ?? '';
  return { check: null, metric, metricAt: left.length - metric.length };
}

/**
 * Explains why a threshold names no check.
 *
 * @param {string | null} check
 * @param {string | null} part name of an operation or a scenario
 * @param {KnownCheck[]} checks of the flow
 * @returns {string | undefined} undefined if it names one
 */
function noCheck(check, part, checks) {
  const own = checks.filter((one) => isOf(one, part));
  const names = [...new Set(own.map(({ name }) => name))];
  const of = part === null ? 'the flow' : JSON.stringify(part);
  if (names.length === 0) return `${of} has no checks: add expect to an operation`;
  if (check === null || names.includes(check)) return undefined;
  const near = nearest(check, names);
  const cure = near ? `, did you mean checks.${near}?` : `: there are ${names.join(', ')}`;
  return `no check is called ${JSON.stringify(check)}${cure}`;
}

/**
 * The share of the evaluations that passed.
 *
 * @param {string | null} check its name; null: all
 * @param {string | null} part name of an operation or a scenario; null: all
 * @param {Pick<Stats, 'checks'>} stats
 * @returns {number | null} null if nothing was checked
 */
export function shareOfChecks(check, part, { checks }) {
  const each = (checks?.each ?? []).filter((one) => (check === null || one.name === check) && isOf(one, part));
  const sum = (/** @type {'passes' | 'failures'} */ key) => each.reduce((total, one) => total + one[key], 0);
  return shareOf(sum('passes'), sum('failures'));
}

/** @type {(check: KnownCheck, part: string | null) => boolean} */
function isOf({ operation, scenario }, part) {
  return part === null || operation === part || scenario === part;
}

/**
 * @typedef {object} Threshold
 * @property {string} expression as the user wrote it
 * @property {string | null} operation the name of an operation, a scenario or a group; null: the whole run
 * @property {string | null} check its name; null: all checks, or another figure
 * @property {string} metric
 * @property {string} comparison
 * @property {number} bound ms, a share of 1, or a number
 * @property {boolean} isShare `errors` or `checks` with a bound in `%`
 * @property {boolean} isTime
 * @property {number | null} overMs the length of the windows that it is judged over; null: the whole run
 *
 * @typedef {object} Judgement
 * @property {string} expression
 * @property {boolean} passed
 * @property {number | null} actual in the unit of the bound; null without data, which fails
 * @property {string} unit `ms`, `%` or nothing
 * @property {string} [doubt] how it passed or failed only because of the load generator
 * @property {JudgedWindow} [window] the worst one, of a threshold with windows
 * @property {number} [running] iterations that had not ended and count with their age: it failed by them while the
 *   run went on
 * @property {number} [cutOff] iterations in its window that the end of the run cut off and that count so
 *
 * @typedef {{ from: number, to: number, count: number }} JudgedWindow ms since the start; count: iterations that its
 *   value is of
 *
 * @typedef {object} HookMetrics
 * @property {string[]} names those of the built-in hooks, or those of a result
 * @property {string[]} [timers] which of them are of times; default: all
 * @property {boolean} hasFunctions functions may add others
 *
 * @typedef {{ threshold: Threshold } | { column: number, reason: string }} Reading `column`: position of the error,
 *   from 0
 */

/** Also in the order in which a text is searched for them: those of two characters first. */
export const COMPARATORS = /** @type {Record<string, (a: number, b: number) => boolean>} */ ({
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
});
const SIGNS = '<>=!';
/** names of hooks cannot be close to these; a metric called check is common */
const NOT_OF_HOOKS = METRICS.filter((name) => name !== CHECKS);
const ALL_METRICS = `use one of ${METRICS.join(' ')} or status.NNN; times also of ${PREFIXES.join(' ')}, as in serviceTime.p99`;
/** what other tools, and people, call our figures */
const ELSEWHERE = [
  { names: /^p\((\d|median)/i, example: "p95, as in 'p95<200ms'" },
  { names: /^(avg|average)$/i, example: 'mean' },
  { names: /^med$/i, example: 'median' },
  {
    names: /^(latency|duration|time|response_?time|http_req_(duration|waiting))\b/i,
    example: "p95, as in 'p95<200ms'",
  },
  {
    names: /^(http_req_failed|failed|failures?|fail_?rate|error_?rate|non2xx)$/i,
    example: "errors, as in 'errors<1%'",
  },
  { names: /^(rps|qps|tps|throughput|req\/s|http_reqs)$/i, example: "rate, as in 'rate>1000'" },
  { names: /^(requests|iterations)$/i, example: 'count' },
];

/** @type {HookMetrics} */
const NO_METRICS = { names: [], hasFunctions: false };
const SHARE = /%\s*$/;
const OVER = /\sover(?=\s|$)/;
/** the points of a series are shorter only at the beginning of a run */
const SHORTEST_WINDOW_MS = 1000;

/**
 * Reads a threshold: `p99<200ms`, `errors<1%`, `rate>1000`, `status.500==0`, `GET /items p95<50ms`,
 * `serviceTime.p99<1s`. Also checks: `checks>99%`, `checks.status 201>99%`, `GET /items checks==100%`, and metrics of
 * hooks: `step_0.p95<1s`, `size.max<1000` of a histogram, `hits>10` of a counter. `p99<200ms over 10s` holds for each
 * window of 10 s.
 *
 * @param {string} expression
 * @param {string[]} [operations] known names; what precedes the metric must be one of them
 * @param {HookMetrics} [metrics] of the flow's hooks
 * @param {KnownCheck[]} [checks] of the flow; a check must be one of them
 * @returns {Reading}
 */
export function readThreshold(expression, operations, metrics, checks) {
  const { left, comparison, right, rightAt, over } = splitAtComparison(expression);
  if (!comparison)
    return { column: expression.length, reason: "has no comparison: write <, <=, >, >=, == or !=, as in 'p99<200ms'" };
  const { check, metric, metricAt } = splitCheck(left);
  // the names in a result are masked, too
  const operation = maskText(left.slice(0, metricAt).trim()) || null;
  if (!metric) return { column: 0, reason: `unknown figure: ${ALL_METRICS}` };
  if (operation !== null && operations && !operations.includes(operation))
    return { column: 0, reason: noOperation(operation, operations) };
  const kind = operation === null ? kindInRun(metric, right, metrics) : kindOf(metric, true);
  if (!kind) return { column: metricAt, reason: unknownFigure(metric, metrics) };
  const unknown = metric === CHECKS && checks ? noCheck(check, operation, checks) : undefined;
  if (unknown) return { column: metricAt, reason: unknown };
  const { bound, isShare } = readBound(right, metric, kind);
  if (Number.isNaN(bound)) {
    const boundAt = rightAt + right.length - right.trimStart().length;
    return { column: boundAt, reason: `expected ${exampleOf(kind, metric)}` };
  }
  const isTime = kind === 'time';
  const whole = {
    expression: expression.trim(),
    operation,
    check,
    metric,
    comparison,
    bound,
    isShare,
    isTime,
    overMs: null,
  };
  return over === undefined
    ? { threshold: whole }
    : readWindow(whole, over, { metricAt, end: expression.trimEnd().length });
}

/** @type {(threshold: Threshold, over: string, columns: { metricAt: number, end: number }) => Reading} */
function readWindow(threshold, over, { metricAt, end }) {
  if (threshold.operation !== null || !hasWindows(threshold.metric)) return { column: metricAt, reason: NO_WINDOWS };
  const overMs = readTime(over);
  if (overMs >= SHORTEST_WINDOW_MS) return { threshold: { ...threshold, overMs } };
  return { column: end - over.trimEnd().length, reason: NO_LENGTH };
}

const NO_WINDOWS =
  "windows are for percentiles, median and max of all iterations, and for errors, as in 'p99<200ms over 10s' or 'errors<1% over 10s'";
const NO_LENGTH = "expected the length of a window, at least 1s, as in 'p99<200ms over 10s'";

/**
 * The bound is NaN if it cannot be read.
 * @type {(right: string, metric: string, kind: 'time' | 'number') => { bound: number, isShare: boolean }}
 */
function readBound(right, metric, kind) {
  if (kind === 'time') return { bound: readTime(right), isShare: false };
  const isShare = (metric === 'errors' || metric === CHECKS) && SHARE.test(right);
  if (isShare) return { bound: readNumber(right.replace(SHARE, '')) / 100, isShare };
  return { bound: metric === CHECKS ? NaN : readNumber(right), isShare };
}

/**
 * Splits a threshold at its last comparison: the name of an operation may contain others.
 *
 * @param {string} expression
 * @returns {{ left: string, comparison: string | undefined, right: string, rightAt: number, over: string | undefined }}
 *   rightAt: position of the bound, from 0; over: the length of a window, empty if it is missing
 */
export function splitAtComparison(expression) {
  let rightAt = expression.length;
  while (rightAt > 0 && !SIGNS.includes(expression[rightAt - 1])) rightAt--;
  const before = expression.slice(0, rightAt);
  const comparison = Object.keys(COMPARATORS).find((one) => before.endsWith(one));
  const left = before.slice(0, before.length - (comparison?.length ?? 0)).trimEnd();
  const rest = expression.slice(rightAt);
  const overAt = rest.search(OVER);
  if (overAt < 0) return { left, comparison, right: rest, rightAt, over: undefined };
  return { left, comparison, right: rest.slice(0, overAt).trimEnd(), rightAt, over: rest.slice(overAt + 5).trim() };
}

/** @type {(operation: string, operations: string[]) => string} */
function noOperation(operation, operations) {
  const near = nearest(operation, operations);
  const cure = near ? `, did you mean ${JSON.stringify(near)}?` : `: there are ${operations.join(', ')}`;
  return `no operation is called ${JSON.stringify(operation)}${cure}`;
}

/** @type {(kind: 'time' | 'number', metric: string) => string} */
function exampleOf(kind, metric) {
  if (kind === 'time') return 'a time with its unit, such as 200ms or 1.5s';
  if (metric === CHECKS) return 'a share of the checks that pass, such as 99%';
  return metric === 'errors' ? 'a number or a share, such as 10 or 1%' : 'a number';
}

/**
 * Reports whether a run fails by a threshold already.
 *
 * @param {{ thresholds?: Judgement[], ramped?: boolean }} stats of a run that has not ended
 * @returns {boolean}
 */
export function failsByThreshold({ thresholds = [], ramped = false }) {
  return thresholds.some((judgement) => {
    const [threshold] = thresholdsOf({ thresholds: [judgement] });
    return threshold !== undefined && failsForGood(threshold, judgement, ramped);
  });
}

/**
 * Reports whether a threshold that was judged while the run goes on has failed: not one that has no data yet, or whose
 * figure may still rise to its bound.
 *
 * @param {Threshold} threshold
 * @param {Pick<Judgement, 'passed' | 'actual'>} judgement
 * @param {boolean} isRamped the load changes as planned
 * @returns {boolean}
 */
export function failsForGood(threshold, { passed, actual }, isRamped) {
  if (passed || actual === null) return false;
  const { comparison, bound } = threshold;
  const mayReach = comparison === '==' ? actual < bound : !comparison.startsWith('<');
  return !(mayReach && isRising(threshold, isRamped));
}

/** @type {(threshold: Threshold, isRamped: boolean) => boolean} */
function isRising({ operation, metric, isShare, isTime, overMs }, isRamped) {
  if (isShare || isTime || overMs !== null || metric === CHECKS) return false;
  if (operation !== null || STATUS.test(metric)) return true;
  const figure = NUMBERS.find(({ threshold }) => threshold === metric);
  if (figure) return figure.rises === 'always' || (figure.rises === 'in ramps' && isRamped);
  const [, ofHooks] = splitFigure(metric);
  return ofHooks === '' || ofHooks === 'count';
}

/**
 * The thresholds of a saved result.
 * @type {(stats: { thresholds?: Pick<Judgement, 'expression'>[] }) => Threshold[]}
 */
export function thresholdsOf({ thresholds = [] }) {
  return thresholds.flatMap(({ expression }) => {
    const reading = readThreshold(expression, undefined, { names: [], hasFunctions: true });
    return 'threshold' in reading ? [reading.threshold] : [];
  });
}

/**
 * The kind of a figure of the run, or of its hooks.
 * @type {(metric: string, right: string, metrics?: HookMetrics) => 'time' | 'number' | null}
 */
function kindInRun(metric, right, metrics = NO_METRICS) {
  return kindOf(metric, false) ?? kindOfHooks(metric, right, metrics);
}

/**
 * A metric of hooks: what functions call it is not known before the run, so every name is good that is not close to one
 * of ours. Times have a unit, the values of a histogram have none.
 *
 * @type {(metric: string, right: string, metrics: HookMetrics) => 'time' | 'number' | null}
 */
function kindOfHooks(metric, right, { names, timers = names, hasFunctions }) {
  const [name, figure] = splitFigure(metric);
  const isKnown = names.includes(name) || (hasFunctions && isNewName(name, figure));
  if (!isKnown) return null;
  const isTime = names.includes(name) ? timers.includes(name) : /[a-z]\s*$/.test(right);
  return isValue(figure) && isTime ? 'time' : 'number';
}

/** @type {(name: string, figure: string) => boolean} */
function isNewName(name, figure) {
  return (
    /^[\w-]+(\.[\w-]+)*$/.test(name) &&
    !/^(p|status\.)\d+$/.test(name) &&
    !nearest(name, figure ? PREFIXES : NOT_OF_HOOKS)
  );
}

/** @type {(metric: string, metrics?: HookMetrics) => string} */
function unknownFigure(metric, { names } = NO_METRICS) {
  const [name, figure] = splitFigure(metric);
  const nearName = nearest(name, [...names, ...PREFIXES]);
  const elsewhere = ELSEWHERE.find(({ names: theirs }) => theirs.test(metric));
  if (elsewhere) return `unknown figure ${metric}, did you mean ${elsewhere.example}?`;
  const near = nearName && figure ? `${nearName}.${figure}` : nearest(metric.replace(/^\w+\./, ''), METRICS);
  return `unknown figure ${metric}${near ? `, did you mean ${near}?` : `: ${ALL_METRICS}`}`;
}

/** A time needs a unit. @type {(text: string) => number} */
function readTime(text) {
  if (!/[a-z]\s*$/.test(text)) return NaN;
  return /us\s*$/.test(text) ? readNumber(text.replace(/us\s*$/, '')) / 1000 : readMs(text);
}

/** @type {(text: string) => number} */
function readNumber(text) {
  return /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : NaN;
}
