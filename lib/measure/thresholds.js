import { maskText } from '../mask.js';
import { nearest } from '../problems.js';
import { readMs } from '../units.js';
import { Histogram } from './histogram.js';

/**
 * @import { Stats } from './types.js'
 *
 * @typedef {object} Threshold
 * @property {string} expression as it was written
 * @property {string | null} operation its name; null: the run as a whole
 * @property {string} metric
 * @property {string} comparison
 * @property {number} bound ms, a share of 1, or a number
 * @property {boolean} isShare of errors, where `%` was written
 *
 * @typedef {object} Judgement
 * @property {string} expression
 * @property {boolean} passed
 * @property {number | null} actual in the unit of the bound; null where there are no data, which fails
 * @property {string} unit `ms`, `%` or nothing
 *
 * @typedef {{ threshold: Threshold } | { column: number, reason: string }} Reading `column`: from 0, where it goes wrong
 */

const COMPARISONS = /** @type {Record<string, (a: number, b: number) => boolean>} */ ({
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
});
const SIGNS = '<>=!';
const TIMES = ['min', 'mean', 'median', 'max', 'stddev', 'p50', 'p90', 'p95', 'p99'];
const COUNTS = ['errors', 'count', 'rate', 'okRate', 'late', 'dropped', 'cancelled', 'utilization'];
const OF_OPERATIONS = ['errors', 'count'];
const PERCENTILE = /^p(\d{1,2}(?:\.\d+)?|100)$/;

/**
 * Reads a threshold: `p99<200ms`, `errors<1%`, `rate>1000`, `status.500==0`, `GET /items p95<50ms`, `serviceTime.p99<1s`.
 *
 * @param {string} expression
 * @param {string[]} [operations] names that are known; what precedes the metric must be one of them
 * @returns {Reading}
 */
export function readThreshold(expression, operations) {
  let rightAt = expression.length;
  while (rightAt > 0 && !SIGNS.includes(expression[rightAt - 1])) rightAt--;
  const right = expression.slice(rightAt);
  const before = expression.slice(0, rightAt);
  const comparison = Object.keys(COMPARISONS).find((one) => before.endsWith(one)) ?? '';
  if (!comparison)
    return { column: expression.length, reason: "has no comparison: write <, <=, >, >=, == or !=, as in 'p99<200ms'" };
  const left = before.slice(0, -comparison.length).trimEnd();
  const metric = left.split(/\s/).at(-1) ?? '';
  const at = left.length - metric.length;
  // names of operations have their secrets masked
  const operation = maskText(left.slice(0, at).trim()) || null;
  const boundAt = expression.length - right.trimStart().length;
  if (!metric)
    return { column: 0, reason: `names no figure: use one of ${[...TIMES, ...COUNTS].join(' ')} or status.NNN` };
  if (operation !== null && operations && !operations.includes(operation)) {
    const near = nearest(operation, operations);
    return {
      column: 0,
      reason: `no operation is called ${JSON.stringify(operation)}${near ? `, did you mean ${JSON.stringify(near)}?` : `: there are ${operations.join(', ')}`}`,
    };
  }
  const kind = kindOf(metric, operation !== null);
  if (!kind) {
    const near = nearest(metric.replace(/^\w+\./, ''), [...TIMES, ...COUNTS]);
    return {
      column: at,
      reason: `unknown figure ${metric}${near ? `, did you mean ${near}?` : `: use one of ${[...TIMES, ...COUNTS].join(' ')} or status.NNN`}`,
    };
  }
  const isShare = metric === 'errors' && /%\s*$/.test(right);
  const bound =
    kind === 'time' ? readTime(right) : isShare ? readNumber(right.replace(/%\s*$/, '')) / 100 : readNumber(right);
  if (Number.isNaN(bound)) {
    const example =
      kind === 'time'
        ? 'a time with its unit, such as 200ms or 1.5s'
        : metric === 'errors'
          ? 'a number or a share, such as 10 or 1%'
          : 'a number';
    return { column: boundAt, reason: `expected ${example}` };
  }
  return { threshold: { expression: expression.trim(), operation, metric, comparison, bound, isShare } };
}

/**
 * @param {Threshold[]} thresholds
 * @param {Stats} stats
 * @returns {Judgement[]}
 */
export function judgeThresholds(thresholds, stats) {
  return thresholds.map((threshold) => {
    const { expression, comparison, bound, isShare, metric } = threshold;
    const actual = actualOf(threshold, stats);
    const passed = actual !== null && COMPARISONS[comparison](actual, bound);
    const isTime = kindOf(metric, false) === 'time';
    return {
      expression,
      passed,
      actual: isShare && actual !== null ? actual * 100 : actual,
      unit: isTime ? 'ms' : isShare ? '%' : '',
    };
  });
}

/** @type {(metric: string, isOfOperation: boolean) => 'time' | 'count' | null} */
function kindOf(metric, isOfOperation) {
  const time = isOfOperation ? metric : metric.replace(/^(serviceTime|ok|connect|tls|ttfb)\./, '');
  if (TIMES.includes(time) || PERCENTILE.test(time)) return 'time';
  return (isOfOperation ? OF_OPERATIONS : COUNTS).includes(metric) || /^status\.[1-9]\d\d$/.test(metric)
    ? 'count'
    : null;
}

/** @type {(threshold: Threshold, stats: Stats) => number | null} */
function actualOf({ operation: name, metric, isShare }, stats) {
  const operation = stats.operations.find((one) => one.name === name);
  if (name !== null && !operation) return null;
  const status = /^status\.(\d+)$/.exec(metric)?.[1];
  const { iterations, requests, errors } = stats;
  if (status) return (operation ?? requests).statusCodes[status] ?? 0;
  if (metric === 'errors') {
    const count = operation ? operation.errors : errors.count;
    const all = operation ? operation.count : iterations.started;
    return isShare ? (all > 0 ? count / all : null) : count;
  }
  if (metric === 'count') return operation ? operation.count : iterations.started;
  if (metric === 'utilization') return stats.client.utilization;
  if (metric === 'rate' || metric === 'okRate') return requests[metric];
  if (metric === 'late' || metric === 'dropped' || metric === 'cancelled') return iterations[metric];
  return timeOf(metric, operation, stats);
}

/** @type {(metric: string, operation: Stats['operations'][0] | undefined, stats: Stats) => number | null} */
function timeOf(metric, operation, { main, requests, operations, histograms }) {
  const [, which = 'main', figure = metric] = /^(\w+)\.(\D.*)$/.exec(metric) ?? [];
  const sets = /** @type {Record<string, any>} */ ({
    main: main.histogram,
    serviceTime: main.serviceTime,
    ok: main.ok,
    connect: requests.connect,
    tls: requests.tls,
    ttfb: requests.ttfb,
  });
  const set = operation ? operation.serviceTime : sets[which];
  const name =
    /** @type {Record<string, string>} */ ({ p50: 'median', 'p99.9': 'p999', p100: 'max' })[figure] ?? figure;
  if (name in set) return set[name];
  const encoded = operation
    ? histograms?.operations[operations.indexOf(operation)]
    : /** @type {any} */ (histograms)?.[which];
  const histogram = new Histogram();
  histogram.addEncoded(set, encoded);
  return histogram.valueAt(Number(figure.slice(1)));
}

/** A time must say its unit. @type {(text: string) => number} */
function readTime(text) {
  return /[a-z]\s*$/.test(text)
    ? /us\s*$/.test(text)
      ? readNumber(text.replace(/us\s*$/, '')) / 1000
      : readMs(text)
    : NaN;
}

/** @type {(text: string) => number} */
function readNumber(text) {
  return /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : NaN;
}
