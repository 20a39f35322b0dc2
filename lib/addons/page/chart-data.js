import { perSecond } from '../../core/ground/units.js';
import { isOpen } from '../../core/measure/figures.js';
import { HdrCounts } from '../../core/measure/hdr-counts.js';
import { marksOf, rangeOf, shapeOf } from '../../core/report/distribution-charts.js';
import { isFailed } from '../../core/measure/outcome.js';
import { RATES, RESPONSE_TIME, statisticOf } from '../../core/measure/threshold-figures.js';
import { thresholdsOf } from '../../core/measure/thresholds.js';

/** What charts draw, for pages and cards alike: series over time, heat maps, and shapes of distributions. */

/** @import { HistogramSummary, OperationSeriesSummary } from '../../core/contracts/summaries.js' */
/** @import { PointSummary, StreamPoint } from '../../core/contracts/summaries.js' */
/** @import { Mark } from '../../core/report/distribution-charts.js' */
/** @import { DistributionOf, PercentileDistribution, Result } from '../../core/report/types.js' */

const RATE_KEYS = /** @type {const} */ (['rate', 'errorRate', 'concurrency', 'utilization']);
const TIME_KEYS = /** @type {const} */ (['p50', 'p95', 'p99', 'max']);
/** The figures of an interval, in the order of the columns of intervals.csv. */
const KEYS = /** @type {const} */ (['rate', 'errorRate', ...TIME_KEYS, 'concurrency', 'utilization']);

/** @typedef {{ at: number } & Record<typeof KEYS[number], number | null>} Interval the figures of a point */
/** @typedef {Pick<OperationSeriesSummary, 'name' | 'phase' | 'labels'>} OperationKey */

/**
 * Returns the figures of a run over time, as one array for each; `at` is the middle of each interval, in seconds. More
 * than `maxPoints` are joined; those of the last 15 minutes of a run of hours follow by second. A short last interval
 * is left out.
 * @type {(result: Pick<Result, 'series' | 'measuredElapsed'>, maxPoints?: number) => { at: number[] } & Record<typeof
 *   KEYS[number], (number | null)[]>}
 */
export function timeSeriesOf({ series, measuredElapsed }, maxPoints = 1200) {
  const recent = series.recent ? intervalsOf(series.recent, measuredElapsed) : [];
  const intervals = intervalsOf(series, measuredElapsed);
  const older = series.recent ? intervals.filter(({ at }) => at + series.interval <= recent[0]?.at) : intervals;
  const points = [...joinedPoints(older, Math.ceil(older.length / maxPoints)), ...recent];
  // Rounded to a millisecond, not by `rounded`: after hours, four digits do not tell seconds apart.
  const at = points.map(
    (point, i) => Math.round((point.at + Math.min(points[i + 1]?.at ?? Infinity, measuredElapsed)) / 2) / 1000,
  );
  const columns = KEYS.map((key) => [key, points.map((point) => rounded(point[key]))]);
  return { at, ...Object.fromEntries(columns) };
}

/** @type {(series: { interval: number, points: PointSummary[] }, measuredElapsed: number) => Interval[]} */
function intervalsOf({ interval, points }, measuredElapsed) {
  // The last interval may be too short to be meaningful.
  const whole = points.filter(({ at }, i) => i < points.length - 1 || measuredElapsed - at > interval / 2);
  return whole.map((point) => intervalOf(point, Math.min(interval, Math.max(0, measuredElapsed - point.at))));
}

/** @type {(point: PointSummary, ms: number) => Interval} ms: its length */
function intervalOf({ at, iterations, errors, responseTime, concurrency, loadGenerator }, ms) {
  const { median, p95 = null, p99, max } = responseTime;
  return {
    at,
    rate: iterations.completedRate,
    errorRate: perSecond(errors, ms),
    concurrency,
    utilization: loadGenerator.eventLoopUtilization,
    p50: median,
    p95,
    p99,
    max,
  };
}

/**
 * Returns the p95 of operations over time, if there are several. `at` is that of {@link timeSeriesOf}.
 * @type {(result: Pick<Result, 'series'>, at: number[]) => (OperationKey & { values: (number | null)[] })[]}
 */
export function operationSeriesOf({ series: { operations = [] } }, at) {
  if (operations.length < 2) return [];
  return operations.map(({ interval, points, ...operation }) => ({
    ...operation,
    values: at.map((seconds) => {
      const point = points[Math.floor((seconds * 1000) / interval)];
      return rounded(point?.serviceTime.p95 ?? null);
    }),
  }));
}

/**
 * Returns the streams of operations over time: events per second, p95 of the first event and p99 of the gaps.
 * @type {(result: Pick<Result, 'series'>, at: number[]) => (OperationKey & Record<'rate' | 'firstEvent' | 'gap',
 *   (number | null)[]>)[]}
 */
export function streamSeriesOf({ series: { operations = [] } }, at) {
  const withStreams = operations.filter(({ points }) => points.some(({ stream }) => stream));
  return withStreams.map(({ interval, points, ...operation }) => {
    /** @type {(figureOf: (point: StreamPoint) => number | null) => (number | null)[]} */
    const column = (figureOf) =>
      at.map((seconds) => {
        const { stream } = points[Math.floor((seconds * 1000) / interval)] ?? {};
        return rounded(stream ? figureOf(stream) : null);
      });
    return {
      ...operation,
      rate: column(({ eventRate }) => eventRate),
      firstEvent: column(({ firstEvent }) => firstEvent.p95),
      gap: column(({ gap }) => gap.p99),
    };
  });
}

/** Rates are averaged, of times the highest stays. @type {(points: Interval[], size: number) => Interval[]} */
function joinedPoints(points, size) {
  if (size <= 1) return points;
  /** @type {Interval[]} */
  const joined = [];
  for (let i = 0; i < points.length; i += size) {
    const some = points.slice(i, i + size);
    const mean = (/** @type {typeof RATE_KEYS[number]} */ key) =>
      some.reduce((sum, point) => sum + (point[key] ?? 0), 0) / some.length;
    const highest = (/** @type {typeof TIME_KEYS[number]} */ key) => {
      const values = some.flatMap((point) => point[key] ?? []);
      return values.length > 0 ? Math.max(...values) : null;
    };
    const rates = Object.fromEntries(RATE_KEYS.map((key) => [key, mean(key)]));
    const times = Object.fromEntries(TIME_KEYS.map((key) => [key, highest(key)]));
    joined.push(/** @type {Interval} */ ({ ...some[0], ...rates, ...times }));
  }
  return joined;
}

/** Four significant digits, so that pages stay small. @type {<T extends number | null>(value: T) => T} */
export function rounded(value) {
  return /** @type {any} */ (value === null ? null : Number(value.toPrecision(4)));
}

/**
 * @typedef {object} HeatMap response times over time: how many iterations ended in each interval and band
 * @property {number} interval ms of a column
 * @property {number} low ms, the lower end of the first band
 * @property {number} high ms, the upper end of the last band; all bands have the same width on a logarithmic scale
 * @property {number[][]} columns counts of the bands of each interval, from the lowest
 */

const HEAT_BANDS = 48;
const MAX_COLUMNS = 600;

/**
 * @param {Pick<Result, 'main' | 'series'>} result
 * @param {number} [maxColumns] intervals of longer runs are joined
 * @returns {HeatMap | null} null if the result has no counts of its intervals
 */
export function heatMapOf({ main, series }, maxColumns = MAX_COLUMNS) {
  const { min, max } = main.completed;
  const encoded = series.points.flatMap(({ responseTime }) => responseTime.hdrPayload ?? []);
  if (encoded.length === 0 || min === null || max === null) return null;
  const [low, high] = rangeOf(min, max);
  const perColumn = Math.ceil(encoded.length / maxColumns);
  const perBand = Math.log(high / low) / HEAT_BANDS;
  const counts = new HdrCounts();
  /** @type {number[][]} */
  const columns = [];
  for (let i = 0; i < encoded.length; i += perColumn) {
    counts.clear();
    for (const payload of encoded.slice(i, i + perColumn)) counts.addBytes(Buffer.from(payload, 'base64'));
    /** @type {number[]} */
    const column = new Array(HEAT_BANDS).fill(0);
    counts.forEach((us, count) => {
      const band = Math.floor(Math.log(us / 1000 / low) / perBand);
      column[Math.max(0, Math.min(HEAT_BANDS - 1, band))] += count;
    });
    columns.push(column);
  }
  return { interval: series.interval * perColumn, low, high, columns };
}

/**
 * @typedef {object} Silhouette the shape of a distribution
 * @property {string} name
 * @property {number[]} shares of the values in each band
 * @property {Mark[]} marks percentiles
 *
 * @typedef {object} Silhouettes one or two distributions on one logarithmic axis of times, back to back
 * @property {number} low ms
 * @property {number} high ms
 * @property {Silhouette} above
 * @property {Silhouette | null} below
 */

const SILHOUETTE_BANDS = 90;

/**
 * Returns the response times of a result, and below them the service times if they can differ; null if there are too
 * few values.
 * @type {(result: Result, distributionOf: DistributionOf) => Silhouettes | null}
 */
export function silhouettesOf({ main, iterations }, distributionOf) {
  const response = { points: distributionOf('completed'), summary: main.completed };
  if (!isOpen({ iterations })) return silhouettes([{ name: 'response time', ...response, hasMarks: true }]);
  return silhouettes([
    { name: 'response time, with the wait for a virtual user', ...response, hasMarks: true },
    { name: 'service time, without it', points: distributionOf('serviceTime'), summary: main.serviceTime },
  ]);
}

/**
 * Returns the shapes of one or two sides, the second one unless it is empty; null if the first has too few values.
 * @type {(sides: { name: string, points: PercentileDistribution, summary: HistogramSummary, hasMarks?: boolean }[]) =>
 *   Silhouettes | null}
 */
export function silhouettes(sides) {
  const ends = sides.flatMap(({ summary: { min, max } }) => (min === null || max === null ? [] : [min, max]));
  if (ends.length === 0 || sides[0].points.length < 2) return null;
  const [low, high] = rangeOf(Math.min(...ends), Math.max(...ends));
  const [above, below = null] = sides
    .filter(({ points }) => points.length > 0)
    .map(({ name, points, summary, hasMarks }) => ({
      name,
      shares: shapeOf(points, { low, high, bands: SILHOUETTE_BANDS }).map(rounded),
      marks: hasMarks ? marksOf(summary) : [],
    }));
  return { low, high, above, below };
}

/** The thresholds on times of all iterations. @type {(result: Result) => Mark[]} */
export function thresholdLines(result) {
  // The logarithmic axis of times has no place for 0.
  return thresholdsOf(result)
    .filter(({ operation, figure, bound }) => operation === null && bound > 0 && figure.startsWith(`${RESPONSE_TIME}.`))
    .map(({ expression, bound }) => ({ label: expression, ms: bound }));
}

/**
 * Returns the figures of the whole run whose thresholds failed, as cards name them: `p95`, `errors`, `rate`.
 * @type {(result: Pick<Result, 'thresholds'>) => Set<string>}
 */
export function failedFigures({ thresholds = [] }) {
  // The figure of the whole run may be good when a window or an operation is not.
  const wholeRun = thresholds.filter((one) => isFailed(one) && !one.window && Object.keys(one.of).length === 0);
  return new Set(wholeRun.map(({ figure }) => (RATES_OF_CARD.includes(figure) ? 'rate' : statisticOf(figure))));
}

/** The rates that the figure `rate` of a card stands for. */
const RATES_OF_CARD = RATES.filter((figure) => figure !== 'messages.receivedRate');
