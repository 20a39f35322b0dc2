/**
 * @import { PointSummary } from '../measure/series.js'
 * @import { Result } from './types.js'
 */

/** the series, by their keys in a point */
const KEYS = /** @type {const} */ (['rate', 'errorRate', 'p50', 'p95', 'p99', 'max', 'concurrency', 'utilization']);

/**
 * The figures of a run over time, as one array for each. A short last interval is left out.
 *
 * @param {Pick<Result, 'series' | 'measuredElapsed'>} result
 * @param {number} [maxPoints] of a series; more are joined
 * @returns {{ at: number[] } & Record<typeof KEYS[number], (number | null)[]>} `at`: the middle of each interval, seconds
 */
export function timeSeriesOf({ series, measuredElapsed }, maxPoints = 1200) {
  // the last interval may be too short to be meaningful
  const whole = series.points.filter(
    ({ at }, i) => i < series.points.length - 1 || measuredElapsed - at > series.interval / 2,
  );
  const points = joinedPoints(whole, Math.ceil(whole.length / maxPoints));
  const at = points.map((point, i) =>
    rounded((point.at + Math.min(points[i + 1]?.at ?? Infinity, measuredElapsed)) / 2 / 1000),
  );
  const columns = KEYS.map((key) => [key, points.map((point) => rounded(point[key] ?? null))]);
  return { at, ...Object.fromEntries(columns) };
}

/**
 * The p95 of operations over time, if there are several.
 *
 * @param {Pick<Result, 'series'>} result
 * @param {number[]} at seconds, as {@link timeSeriesOf} returns them
 * @returns {{ name: string, phase: string, values: (number | null)[] }[]}
 */
export function operationSeriesOf({ series: { operations = [] } }, at) {
  return operations.map(({ name, phase, interval, points }) => ({
    name,
    phase,
    values: at.map((seconds) => {
      const point = points[Math.floor((seconds * 1000) / interval)];
      return rounded(point?.p95 ?? null);
    }),
  }));
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
    const highest = (/** @type {'p50' | 'p95' | 'p99' | 'max'} */ key) => {
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
      p95: highest('p95'),
      p99: highest('p99'),
      max: highest('max'),
    });
  }
  return joined;
}

/**
 * Four significant digits, so that pages stay small.
 *
 * @template {number | null} T
 * @param {T} value
 * @returns {T}
 */
export function rounded(value) {
  return /** @type {any} */ (value === null ? null : Number(value.toPrecision(4)));
}
