import { basename } from 'node:path';

import { latencyRows } from '../../measure/figure-rows.js';
import { STATISTICS } from '../../measure/histogram-columns.js';
import { splitAtComparison, thresholdsOf } from '../../measure/thresholds.js';
import { metricRows } from '../../measure/user-metrics.js';
import { heatMapOf, rangeOf } from '../heat-map.js';
import { measured, ms, count, rate, percent } from '../numbers.js';
import { measurementOf, outcomeOf } from '../outcome.js';
import { pointAt } from '../percentiles.js';
import { shapeOf } from '../shape.js';
import { targetText } from '../target-text.js';

/**
 * @import { PointSummary, SeriesSummary } from '../../measure/series.js'
 * @import { HistogramSummary } from '../../measure/histogram.js'
 * @import { PercentileDistribution, Result } from '../types.js'
 *
 * @typedef {Result & { isLive?: boolean, percent?: number }} PageResult `percent`: of the run, while it is live
 * @typedef {(which: 'main' | 'serviceTime') => PercentileDistribution} DistributionOf
 */

const PLOT_POINTS = 300;
const BANDS = 90;
const MARKS = STATISTICS.filter(({ label }) => ['p50', 'p95', 'p99'].includes(label));
/** the highest digit of base 36 */
const LEVELS = 35;
const MAX_POINTS = 1200;
/** the series of the charts over time, by their keys in a point */
const TIME_KEYS = /** @type {const} */ (['rate', 'errorRate', 'p50', 'p99', 'max', 'concurrency', 'utilization']);

/**
 * What the page shows, as plain data; its script draws it.
 *
 * @param {PageResult} result
 * @param {DistributionOf} distributionOf
 */
export function modelOf(result, distributionOf) {
  const { run, isLive = false, verdict, iterations, errors, thresholds = [] } = result;
  return {
    ...headOf(result),
    isLive,
    percent: result.percent ?? null,
    elapsed: result.measuredElapsed,
    outcome: isLive ? null : outcomeOf(result),
    measurement: { word: measurementOf(result), reasons: verdict.reasons },
    cards: cardsOf(result),
    thresholds: thresholds.map((threshold) => ({
      expression: threshold.expression,
      passed: threshold.passed,
      measured: measured(threshold),
    })),
    errors: { count: errors.count, started: iterations.started, groups: errors.samples },
    time: timeOf(result),
    heat: isLive ? null : heatOf(result),
    lines: linesOf(result),
    distribution: distributionOfPage(result, distributionOf),
    percentiles: percentilesOf(distributionOf('main'), result.client.rate ? distributionOf('serviceTime') : null),
    operations: result.operations,
    latency: { columns: STATISTICS.map(({ key, label }) => ({ key, label })), rows: latencyRows(result) },
    metrics: metricRows(result),
    report: result.report ?? null,
    statuses: result.requests.statusCodes,
    exemplars: result.exemplars,
    client: result.client,
    server: result.server ?? null,
    options: run?.options ?? {},
  };
}

/** @type {(result: PageResult) => { title: string, subtitle: string, about: string[] }} */
function headOf({ title, run, operations }) {
  if (!run) return { title: title ?? 'result', subtitle: '', about: [] };
  const { flow, shape, startedAt, tool, machine } = run;
  return {
    title: title ?? (flow.from === '-e' ? (operations[0]?.name ?? 'flow') : basename(flow.from)),
    subtitle: `${shape}${targetText(run)}`,
    about: [
      `${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`,
      tool,
      `Node ${machine.node}`,
      `${machine.platform}, ${machine.cpus}`,
    ],
  };
}

/** The six figures at the top; `spark` names their series. @type {(result: PageResult) => object[]} */
function cardsOf(result) {
  const { main, iterations, requests, errors, client, thresholds = [] } = result;
  const broken = new Set(
    thresholds.filter(({ passed }) => !passed).map(({ expression }) => splitAtComparison(expression).left),
  );
  const time = (/** @type {string} */ label, /** @type {number | null} */ value, /** @type {string} */ spark) => ({
    label,
    value: value === null ? '-' : `${ms(value)} ms`,
    note: '',
    spark,
    failed: broken.has(label),
  });
  return [
    {
      label: 'iterations',
      value: `${rate(iterations.rate)} /s`,
      note:
        requests.messagesReceived > 0
          ? `${rate(requests.messageRate)} messages /s`
          : `${count(iterations.started)} in all`,
      spark: 'rate',
      failed: broken.has('rate'),
    },
    time('p50', main.histogram.median, 'p50'),
    time('p95', main.histogram.p95, ''),
    time('p99', main.histogram.p99, 'p99'),
    {
      label: 'errors',
      value: count(errors.count),
      note: typeof errors.share === 'number' && errors.count > 0 ? percent(errors.share) : '',
      spark: 'errorRate',
      failed: !errors.allowed || broken.has('errors'),
    },
    {
      label: 'event loop busy',
      value: percent(client.utilization),
      note: client.saturated ? 'client saturated' : 'client not saturated',
      spark: 'utilization',
      failed: client.saturated,
    },
  ];
}

/** The series as one array for each figure, at most 1,200 points. @type {(result: PageResult) => Record<string, (number | null)[]>} */
function timeOf({ series, measuredElapsed }) {
  // the last interval may be too short to be meaningful
  const whole = series.points.filter(
    ({ at }, i) => i < series.points.length - 1 || measuredElapsed - at > series.interval / 2,
  );
  const points = joinedPoints(whole, Math.ceil(whole.length / MAX_POINTS));
  return {
    // the middle of each interval
    at: points.map(({ at }, i) => rounded((at + Math.min(points[i + 1]?.at ?? Infinity, measuredElapsed)) / 2 / 1000)),
    ...Object.fromEntries(TIME_KEYS.map((key) => [key, points.map((point) => rounded(point[key] ?? null))])),
  };
}

/** Joins neighbours: rates are averaged, of times the highest stays. @type {(points: PointSummary[], size: number) => PointSummary[]} */
function joinedPoints(points, size) {
  if (size <= 1) return points;
  /** @type {PointSummary[]} */
  const joined = [];
  for (let i = 0; i < points.length; i += size) {
    const some = points.slice(i, i + size);
    const mean = (/** @type {(point: PointSummary) => number} */ of) =>
      some.reduce((sum, point) => sum + of(point), 0) / some.length;
    const highest = (/** @type {'p50' | 'p99' | 'max'} */ key) => {
      const values = some.flatMap((point) => point[key] ?? []);
      return values.length > 0 ? Math.max(...values) : null;
    };
    joined.push({
      ...some[0],
      rate: mean((point) => point.rate ?? 0),
      errorRate: mean((point) => point.errorRate ?? 0),
      concurrency: mean((point) => point.concurrency),
      utilization: mean((point) => point.utilization),
      p50: highest('p50'),
      p99: highest('p99'),
      max: highest('max'),
    });
  }
  return joined;
}

/** The heat map with a digit of base 36 for each band: its count relative to the fullest band, as a square root. @type {(result: PageResult) => object | null} */
function heatOf(result) {
  const map = heatMapOf(result);
  if (!map) return null;
  const { columns, ...scale } = map;
  const fullest = columns.reduce((most, column) => Math.max(most, ...column), 1);
  const digit = (/** @type {number} */ count) => Math.ceil(LEVELS * Math.sqrt(count / fullest)).toString(36);
  return {
    ...scale,
    bands: columns[0].length,
    levels: LEVELS,
    columns: columns.map((column) => column.map(digit).join('').replace(/0+$/, '')),
  };
}

/** Thresholds on times of all iterations, as lines of the latency chart. @type {(result: PageResult) => { label: string, ms: number }[]} */
function linesOf(result) {
  return thresholdsOf(result)
    .filter(({ operation, isTime, metric }) => operation === null && isTime && !metric.includes('.'))
    .map(({ expression, bound }) => ({ label: expression, ms: bound }));
}

/** The distribution as two silhouettes: response times, and service times where they differ. @type {(result: PageResult, distributionOf: DistributionOf) => object | null} */
function distributionOfPage({ main, client }, distributionOf) {
  const { min, max } = main.histogram;
  const response = distributionOf('main');
  if (response.length < 2 || min === null || max === null) return null;
  const service = client.rate ? distributionOf('serviceTime') : [];
  const [low, high] = rangeOf(Math.max(0.001, Math.min(min, main.serviceTime.min ?? min)), max);
  const scale = { low, high, bands: BANDS };
  const marks = MARKS.flatMap(({ label, key }) => {
    const value = main.histogram[key];
    return value === null ? [] : [{ label, ms: value }];
  });
  return {
    low,
    high,
    response: shapeOf(response, scale).map(rounded),
    service: client.rate ? shapeOf(service, scale).map(rounded) : null,
    marks,
  };
}

/**
 * Percentiles from p50 on the axis of HdrHistogram's plots: x is 1 / (1 - share), logarithmic, so that each nine takes the same space.
 *
 * @param {PercentileDistribution} response
 * @param {PercentileDistribution | null} service
 */
function percentilesOf(response, service) {
  const total = response.at(-1)?.upTo ?? 0;
  if (total < 4) return null;
  const [from, to] = [Math.log(2), Math.log(total)];
  const inverse = Array.from({ length: PLOT_POINTS }, (_, i) => Math.exp(from + ((to - from) * i) / (PLOT_POINTS - 1)));
  const values = (/** @type {PercentileDistribution} */ points) =>
    inverse.map((one, i) => rounded(pointAt(points, i === PLOT_POINTS - 1 ? 1 : 1 - 1 / one)?.ms ?? null));
  return { inverse: inverse.map(rounded), response: values(response), service: service && values(service) };
}

/** Four significant digits, so that the page stays small. @type {<T extends number | null>(value: T) => T} */
function rounded(value) {
  return /** @type {any} */ (value === null ? null : Number(value.toPrecision(4)));
}
