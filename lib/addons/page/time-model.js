import { perSecond } from '../../core/ground/units.js';
import { distinctNames } from '../../core/measure/tags.js';
import { heatMapOf, operationSeriesOf, rounded, streamSeriesOf, thresholdLines, timeSeriesOf } from './chart-data.js';
import { levelOf } from '../../core/report/distribution-charts.js';
import { curveOf, valueOf } from '../preview/load-curves.js';
import { THREAD_COLUMNS, serverParts, threadRows, watchedServers } from '../server/report/server.js';

/** @import { ServerFigures } from '../../core/contracts/stats.js' */
/** @import { LoadSummary } from '../../core/contracts/summaries.js' */
/** @import { OperationKey } from './chart-data.js' */
/** @import { Result } from '../../core/report/types.js' */

/** @typedef {ReturnType<typeof timeModel>} TimeModel */

/** Levels of darkness of a heat map: up to the highest digit of base 36. */
const LEVELS = 35;

/**
 * The part of the page of a result that is drawn over time.
 * @param {Result} result with the encoded counts of its intervals, which only the heat map reads
 * @param {boolean} isLive
 */
export function timeModel(result, isLive) {
  const time = timeSeriesOf(result);
  return {
    time,
    /** the points of the last 15 minutes are seconds, the others are longer */
    hasRecent: result.series.recent !== undefined,
    /** figures of the whole run, by the keys of `time` */
    whole: wholeOf(result),
    byOperation: byOperationOf(result, time.at),
    byLoad: byLoadOf(result, time.at),
    byStream: byStreamOf(result, time.at),
    server: serverModelOf(result, time.at),
    // Results of a run in progress seldom have the counts of their intervals.
    heat: isLive ? null : heatOf(result),
    /** thresholds and starts of loads, as lines in the chart of times */
    lines: thresholdLines(result),
    starts: startsOf(result),
  };
}

/**
 * The p95 of each operation, over time and of the whole run. Equal operations of a scenario have one line, and the
 * highest of their p95: theirs together is not known without counts.
 * @type {(result: Result, at: number[]) => { name: string, values: (number | null)[], whole: number | null }[]}
 */
function byOperationOf(result, at) {
  const rows = operationSeriesOf(result, at);
  const names = distinctNames(rows);
  return rows.map(({ values, ...row }, i) => {
    const all = equalTo(row, result).flatMap(({ times }) => times.serviceTime.p95 ?? []);
    return { name: names[i], values, whole: all.length > 0 ? Math.max(...all) : null };
  });
}

/** The operations that a series is of. @type {(row: OperationKey, result: Result) => Result['operations']} */
function equalTo(row, { operations }) {
  return operations.filter(
    ({ name, phase, labels }) => name === row.name && phase === row.phase && labels.scenario === row.labels?.scenario,
  );
}

/**
 * The streams of each operation, over time and of the whole run.
 * @type {(result: Result, at: number[]) => (ReturnType<typeof streamSeriesOf>[0] & { whole: Record<'rate' |
 *   'firstEvent' | 'gap', number | null> })[]}
 */
function byStreamOf(result, at) {
  const rows = streamSeriesOf(result, at);
  const names = distinctNames(rows);
  return rows.map((one, i) => {
    const { stream } = equalTo(one, result).find((equal) => equal.stream) ?? {};
    const whole = {
      rate: stream?.eventRate ?? null,
      firstEvent: stream?.firstEvent.p95 ?? null,
      gap: stream?.gap.p99 ?? null,
    };
    return { ...one, name: names[i], whole };
  });
}

/**
 * The iterations per second of each load over time, those that completed and those that were planned; a closed load
 * has no planned ones.
 * @param {Result} result
 * @param {number[]} at
 */
function byLoadOf({ loads = [], run, series }, at) {
  const runMs = series.points.length * series.interval;
  return loads.map((load) => {
    const { name, startAfter, rate: whole, iterations } = load;
    const plan = run?.loads.find((one) => one.name === name);
    // The measured start replaces the plan, which has none for a load that starts after another one.
    const curve = plan ? curveOf({ ...plan, startAfter: startAfter ?? Infinity, after: undefined }) : null;
    return {
      name,
      values: at.map((seconds) => rounded(rateAt(seconds * 1000, load.series, runMs))),
      planned: curve?.isOpen ? at.map((seconds) => rounded(valueOf(curve, seconds * 1000))) : null,
      whole,
      wholePlanned: iterations.plannedRate ?? null,
    };
  });
}

/** @type {(ms: number, series: LoadSummary['series'], runMs: number) => number | null} */
function rateAt(ms, { interval, points }, runMs) {
  const i = Math.floor(ms / interval);
  if (points[i] === undefined) return null;
  const { completed, completedRate } = points[i].iterations;
  // The last interval of a load that ends before the run is cut at its last iteration. Its rate is per the whole
  // interval here: per the part of it, which may be a millisecond, it would be a peak.
  const isCut = i === points.length - 1 && points.length * interval < runMs;
  return isCut ? perSecond(completed, interval) : completedRate;
}

/** Loads that start later than the run. @type {(result: Result) => { names: string, at: number }[]} at: seconds */
function startsOf({ loads = [] }) {
  const starts = new Map();
  for (const { name, startAfter = 0 } of loads) {
    const at = Math.round(startAfter / 100) / 10;
    if (startAfter > 0) starts.set(at, [...(starts.get(at) ?? []), name]);
  }
  const rows = [...starts].map(([at, names]) => ({ names: names.join(', '), at }));
  return rows.sort((one, other) => one.at - other.at);
}

/** Where figures of a server over time have their figure of the whole run. */
const SERVER_FIGURES = /** @type {Record<string, (server: ServerFigures) => number | null | undefined>} */ ({
  cpuCores: ({ cpuCores }) => cpuCores,
  busiestThread: ({ busiestThread }) => busiestThread,
  machineCores: ({ machineCores }) => machineCores,
  memory: ({ memory }) => memory?.mean,
  heap: ({ heap }) => heap?.peak,
  openFiles: ({ openFiles }) => openFiles?.peak,
  resources: ({ resources }) => resources?.peak,
  eventLoopDelay: ({ eventLoopDelay }) => eventLoopDelay?.p99,
  eventLoopUtilization: ({ eventLoopUtilization }) => eventLoopUtilization,
  gcShare: ({ gcShare }) => gcShare,
});

/**
 * @typedef {object} ServerModel
 * @property {string} line its figures
 * @property {string[]} conclusions what they mean
 * @property {typeof THREAD_COLUMNS} columns
 * @property {string[][]} rows its processes and threads
 * @property {Record<string, (number | null)[]>} points figures over time
 * @property {Record<string, number | null | undefined>} whole those of the whole run
 */

/** The server that was started or watched; null: none. @type {(result: Result, at: number[]) => ServerModel | null} */
function serverModelOf({ servers }, at) {
  const [server] = watchedServers(servers);
  if (server === undefined) return null;
  const { points = [] } = server.series ?? {};
  let i = -1;
  // Both are in the order of time, so one pass finds the last point at or before each time.
  const latest = at.map((seconds) => {
    while (points[i + 1]?.at <= seconds * 1000) i++;
    return points[i];
  });
  const columns = Object.keys(SERVER_FIGURES).map((key) => [
    key,
    latest.map((point) => rounded(/** @type {any} */ (point)?.[key] ?? null)),
  ]);
  return {
    line: serverParts(server).join(' · '),
    conclusions: (server.conclusions ?? []).map(({ message }) => message),
    columns: THREAD_COLUMNS,
    rows: threadRows(server),
    points: Object.fromEntries(columns),
    whole: Object.fromEntries(Object.entries(SERVER_FIGURES).map(([key, figureOf]) => [key, figureOf(server)])),
  };
}

/** The whole run, by the keys of the series over time. @type {(result: Result) => Record<string, number | null>} */
function wholeOf({ main: { completed }, iterations, errors, loadGenerator, measuredElapsed, series: { points } }) {
  const lengths = points.map(({ at }, i) => (points[i + 1]?.at ?? measuredElapsed) - at);
  const running = points.reduce((sum, { concurrency }, i) => sum + concurrency * lengths[i], 0);
  return {
    p50: completed.median,
    p99: completed.p99,
    rate: iterations.completedRate,
    errorRate: perSecond(errors.count, measuredElapsed),
    concurrency: measuredElapsed > 0 ? running / measuredElapsed : null,
    utilization: loadGenerator.eventLoopUtilization,
  };
}

/**
 * The heat map with a digit of base 36 for each band: its count relative to the fullest band, as a square root.
 * @param {Result} result
 */
function heatOf(result) {
  const map = heatMapOf(result);
  if (!map) return null;
  const { columns, ...scale } = map;
  const fullest = columns.reduce((most, column) => Math.max(most, ...column), 1);
  const digit = (/** @type {number} */ count) => levelOf(count, fullest, LEVELS).toString(36);
  return {
    ...scale,
    bands: columns[0].length,
    levels: LEVELS,
    columns: columns.map((column) => column.map(digit).join('').replace(/0+$/, '')),
  };
}
