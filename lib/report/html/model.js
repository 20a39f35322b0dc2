import { count, ms, orDash, percent, rate, signed } from '../../ground/decimal.js';
import { perSecond } from '../../ground/units.js';
import { COMPLETED_RATE } from '../../measure/compared-figures.js';
import { areErrorsAllowed } from '../../measure/outcome.js';
import { figureText, statisticOf } from '../../measure/threshold-figures.js';
import { isOpen } from '../../measure/figures.js';
import { withoutCounts } from '../../measure/histogram.js';
import { MAIN_PERCENTILES, STATISTICS } from '../../measure/percentiles.js';
import { distinctNames } from '../../measure/tags.js';
import { partsOf } from '../../measure/transactions.js';
import { metricRows } from '../../measure/user-metrics.js';
import { isBusy } from '../../measure/validity.js';
import { AGENT_COLUMNS, agentRows, machinesLine } from '../agents.js';
import {
  failedFigures,
  heatMapOf,
  levelOf,
  operationSeriesOf,
  streamSeriesOf,
  pointAt,
  rounded,
  silhouettesOf,
  thresholdLines,
  timeSeriesOf,
} from '../chart-data.js';
import { INTERVAL, baselineRemarks, baselineRows } from '../comparison/rows.js';
import { curveOf, valueOf } from '../load-curves.js';
import { http2CodeRows, http2Lines } from '../http2.js';
import { LOAD_COLUMNS, loadRows } from '../loads.js';
import { goalRows, outcomeOf, validityNotes, validityOf } from '../outcome.js';
import { comparedProfileModel, profileModel } from '../profile.js';
import {
  addressRows,
  checkRows,
  checksLine,
  headOf,
  hintedErrors,
  latencyRows,
  logLines,
  marginOf,
  spacingText,
  usageText,
} from '../rows.js';
import { THREAD_COLUMNS, serverParts, threadRows, watchedServers } from '../server.js';
import { streamRows, streamTexts } from '../streams.js';
import { marked, weakKeys } from '../supported.js';
import { glyphsOf } from '../terminal.js';

/** @import { ServerFigures } from '../../contracts/stats.js' */
/** @import { HistogramSummary } from '../../contracts/summaries.js' */
/** @import { OperationKey } from '../chart-data.js' */
/** @import { DistributionOf, PercentileDistribution, Result } from '../types.js' */

/**
 * @typedef {object} LiveState of the page of a dashboard
 * @property {boolean} isRunning
 * @property {number} [share] of the run, 0 to 1; 0: unknown
 * @property {string[]} [files] that were written, when the run is over
 */

/** @typedef {NonNullable<ReturnType<typeof baselineOf>>} BaselineModel */

/** Points of the curve of percentiles; a run with fewer iterations than FEWEST_VALUES has none. */
const PLOT_POINTS = 300;
const FEWEST_VALUES = 4;
/** Levels of darkness of a heat map: up to the highest digit of base 36. */
const LEVELS = 35;

/**
 * The content of the page of a result, as plain data in the words and the order of the page; its script draws it.
 *
 * @param {Result} complete with the encoded counts of its intervals, which only the heat map reads
 * @param {DistributionOf} distributionOf
 * @param {LiveState | null} [live] null: a page in a file
 */
export function modelOf(complete, distributionOf, live = null) {
  const isLive = live?.isRunning === true;
  const result = withoutCounts(complete);
  const { run, iterations, errors, profiles, baseline } = result;
  const time = timeSeriesOf(result);
  return {
    ...headOf(result),
    isLive,
    live,
    elapsed: result.measuredElapsed,
    outcome: isLive ? null : markedOutcome(result),
    validity: { word: validityOf(result), reasons: validityNotes(result) },
    cards: cardsOf(result),
    thresholds: [...goalRows(result), ...regressionsOf(result)],
    errors: {
      count: errors.count,
      failed: iterations.failed,
      started: iterations.started,
      groups: hintedErrors(result),
    },
    checks: { line: result.checks ? checksLine(result.checks) : '', rows: checkRows(result) },
    agents: {
      line: machinesLine(result),
      columns: AGENT_COLUMNS.map(({ head, isText = false }) => ({ head, isText })),
      rows: agentRows(result),
    },
    addresses: addressRows(result),
    http2: { lines: http2Lines(result), rows: http2CodeRows(result) },
    log: logLines(result),
    time,
    /** the points of the last 15 minutes are seconds, the others are longer */
    hasRecent: result.series.recent !== undefined,
    byOperation: byOperationOf(result, time.at),
    loadTable: { columns: LOAD_COLUMNS.map(({ head, isText = false }) => ({ head, isText })), rows: loadRows(result) },
    byLoad: byLoadOf(result, time.at),
    byStream: byStreamOf(result, time.at),
    server: serverModelOf(result, time.at),
    /** figures of the whole run, by the keys of `time` */
    whole: wholeOf(result),
    // Results of a run in progress seldom have the counts of their intervals.
    heat: isLive ? null : heatOf(complete),
    /** thresholds and starts of loads, as lines in the chart of times */
    lines: thresholdLines(result),
    starts: startsOf(result),
    distribution: silhouettesOf(result, distributionOf),
    percentiles: percentilesOf(distributionOf('completed'), isOpen(result) ? distributionOf('serviceTime') : null),
    operations: rowsOf(result),
    baseline: baselineOf(result),
    latency: { columns: STATISTICS.map(({ key, label }) => ({ key, label })), rows: markedRows(latencyRows(result)) },
    streams: { rows: markedRows(streamRows(result)), texts: streamTexts(result) },
    metrics: markedMetricRows(result),
    section: result.section ?? null,
    statuses: statusesOf(result),
    exemplars: result.exemplars,
    usage: usageOf(result),
    options: run?.options ?? {},
    ...(profiles && { profiles: profiles.map(profileModel) }),
    ...(baseline?.profiles && { comparedProfiles: baseline.profiles.map(comparedProfileModel) }),
    result: live === null ? result : null,
  };
}

/** @type {(result: Result) => ReturnType<typeof outcomeOf> & { mark: string }} */
function markedOutcome(result) {
  const outcome = outcomeOf(result);
  return { ...outcome, mark: glyphsOf(true)[outcome.status] };
}

/**
 * @typedef {object} RowModel a scenario, a group, a tag or an operation
 * @property {string} name
 * @property {string} ownName without the scenario
 * @property {string} [scenario] of an operation
 * @property {string} phase of an operation; `scenario`, `group` or `tag` for these
 * @property {number} count
 * @property {number} errors
 * @property {Record<string, number>} statusCodes
 * @property {HistogramSummary & { weak: string[] }} time
 * @property {Record<string, HistogramSummary>} [serviceTimeByStatus]
 */

/** The rows of the table of operations. @type {(result: Result) => RowModel[]} */
function rowsOf(result) {
  return partsOf(result).map(({ name, kind, summary, time }) => ({
    name,
    ownName: summary.name,
    phase: kind,
    count: summary.count,
    errors: summary.errors,
    time: withMarks(time),
    statusCodes: 'statusCodes' in summary ? summary.statusCodes : {},
    ...('protocol' in summary && { scenario: summary.labels.scenario }),
    ...('serviceTimeByStatus' in summary && { serviceTimeByStatus: marksOfEach(summary.serviceTimeByStatus) }),
  }));
}

/** Adds the keys that tables mark. @type {<T extends HistogramSummary>(summary: T) => T & { weak: string[] }} */
function withMarks(summary) {
  return { ...summary, weak: weakKeys(summary) };
}

/** @type {(byStatus?: Record<string, HistogramSummary>) => Record<string, HistogramSummary>} */
function marksOfEach(byStatus = {}) {
  return Object.fromEntries(Object.entries(byStatus).map(([status, summary]) => [status, withMarks(summary)]));
}

/** @type {<R extends { summary: HistogramSummary }>(rows: R[]) => object[]} */
function markedRows(rows) {
  return rows.map((row) => ({ ...row, summary: withMarks(row.summary) }));
}

/** @type {(result: Result) => object[]} */
function markedMetricRows(result) {
  return metricRows(result).map((row) => ({ ...row, values: row.values && withMarks(row.values) }));
}

/** @type {(result: Result) => { expression: string, passed: boolean, measured: string }[]} */
function regressionsOf({ baseline }) {
  return (baseline?.regressions ?? []).map(({ expression, passed, message = 'not exceeded' }) => ({
    expression: `max-regression ${expression}`,
    passed,
    measured: message,
  }));
}

/**
 * @type {(result: Result) => { from: string, interval: string, rows: import('../comparison/rows.js').FigureRow[],
 *   remarks: string[] } | null}
 */
function baselineOf({ baseline }) {
  if (!baseline) return null;
  return { from: baseline.from, interval: INTERVAL, rows: baselineRows(baseline), remarks: baselineRemarks(baseline) };
}

/** The change of a card's figure against an earlier result. @type {(result: Result, label: string) => string} */
function changeOf({ baseline }, label) {
  const found = baseline?.figures.find(({ figure }) => statisticOf(figure) === label);
  if (!baseline || !found || found.change === null) return '';
  const verdict = found.verdict === 'unknown' ? '' : `, ${found.verdict}`;
  return `${signed(found.change)} against ${baseline.from}${verdict}`;
}

/** How much of a card's figure the load generator may cause. @type {(result: Result, label: string) => string} */
function doubtOf({ validity }, label) {
  const judged = validity.figures?.find((one) => figureText(one) === label);
  return judged?.status === 'suspect' ? `up to ${ms(judged.loadGeneratorTime)} ms are the load generator's` : '';
}

/** How busy the load generator and servers in this process were. @type {(result: Result) => string[]} */
function usageOf(result) {
  const { loadGenerator, servers = [] } = result;
  const spacing = spacingText(result);
  const name = loadGenerator.workers > 1 ? `load generator, ${loadGenerator.workers} workers` : 'load generator';
  return [
    `${name}: ${usageText(loadGenerator).join(', ')}`,
    ...(spacing === '' ? [] : [`arrivals: ${spacing}`]),
    ...servers.filter(({ source }) => source === 'thread').map((server) => `server: ${usageText(server).join(', ')}`),
  ];
}

/** The note of the card of iterations: messages, if the run has any. @type {(result: Result) => string} */
function amountOf({ messages, iterations }) {
  const hasMessages = messages !== undefined && messages.received > 0;
  return hasMessages ? `${rate(messages.receivedRate)} messages /s` : `${count(iterations.started)} in all`;
}

const writeTime = orDash((value) => `${ms(value)} ms`);

/** The six figures at the top; `spark` names their series. @type {(result: Result) => object[]} */
function cardsOf(result) {
  const { main, iterations, errors, loadGenerator } = result;
  const broken = failedFigures(result);
  const times = MAIN_PERCENTILES.map(({ label, key }) => ({
    label,
    value: marked(main.completed, key, writeTime),
    margin: marginOf(result, label, ms),
    note: [changeOf(result, label), doubtOf(result, label)].filter(Boolean).join('; '),
    spark: label,
    failed: broken.has(label),
  }));
  return [
    {
      label: 'iterations',
      value: `${rate(iterations.completedRate)} /s`,
      margin: marginOf(result, COMPLETED_RATE, rate),
      note: changeOf(result, COMPLETED_RATE) || amountOf(result),
      spark: 'rate',
      failed: broken.has('rate'),
    },
    ...times,
    {
      label: 'errors',
      value: count(errors.count),
      note: typeof errors.share === 'number' && errors.count > 0 ? percent(errors.share) : '',
      spark: 'errorRate',
      failed: !areErrorsAllowed(result) || broken.has('errors'),
    },
    {
      label: 'event loop busy',
      value: iterations.started > 0 ? percent(loadGenerator.eventLoopUtilization) : '-',
      note: generatorNote(loadGenerator),
      spark: 'utilization',
      failed: loadGenerator.saturated,
    },
  ];
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
 * @type {(result: Result, at: number[]) => { name: string, values: (number | null)[], planned: (number | null)[] |
 *   null, whole: number | null, wholePlanned: number | null }[]} whole: of the whole load
 */
function byLoadOf({ loads = [], run, series }, at) {
  return loads.map(({ name, rate: whole, startAfter, iterations: { plannedRate }, series: { interval, points } }) => {
    const plan = run?.loads.find((one) => one.name === name);
    // The measured start replaces the plan, which has none for a load that starts after another one.
    const curve = plan ? curveOf({ ...plan, startAfter: startAfter ?? Infinity, after: undefined }) : null;
    // The last interval of a load that ends before the run is cut at its last iteration. Its rate is per the whole
    // interval here: per the part of it, which may be a millisecond, it would be a peak.
    const endsEarly = points.length * interval < series.points.length * series.interval;
    const rateAt = (/** @type {number} */ seconds) => {
      const i = Math.floor((seconds * 1000) / interval);
      const { iterations = null } = points[i] ?? {};
      if (iterations === null) return null;
      return endsEarly && i === points.length - 1
        ? perSecond(iterations.completed, interval)
        : iterations.completedRate;
    };
    return {
      name,
      values: at.map((seconds) => rounded(rateAt(seconds))),
      planned: curve?.isOpen ? at.map((seconds) => rounded(valueOf(curve, seconds * 1000))) : null,
      whole,
      wholePlanned: plannedRate ?? null,
    };
  });
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
 * A status from 400 is expected where its operation has fewer errors than answers with it.
 * @type {(result: Result) => { status: string, count: number, isExpected: boolean }[]}
 */
function statusesOf({ requests: { statusCodes }, operations }) {
  return Object.entries(statusCodes).map(([status, total]) => ({
    status,
    count: total,
    isExpected: status >= '400' && operations.some((one) => (one.statusCodes[status] ?? 0) > one.errors),
  }));
}

/** One that is not busy can still be too slow. @type {(loadGenerator: Result['loadGenerator']) => string} */
function generatorNote({ saturated, eventLoopUtilization }) {
  if (!saturated) return 'load generator not saturated';
  return isBusy(eventLoopUtilization) ? 'load generator saturated' : 'load generator slow, see validity';
}

/**
 * The heat map with a digit of base 36 for each band: its count relative to the fullest band, as a square root.
 * @type {(result: Result) => object | null}
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

/**
 * Percentiles from p50 on the axis of HdrHistogram's plots: x is 1 / (1 - share), logarithmic, so that each nine takes
 * the same space: p50 is at 2, p90 at 10, p99 at 100, and the maximum of `total` values at `total`.
 * @param {PercentileDistribution} response
 * @param {PercentileDistribution | null} service
 */
function percentilesOf(response, service) {
  const total = response.at(-1)?.upTo ?? 0;
  if (total < FEWEST_VALUES) return null;
  const [from, to] = [Math.log(2), Math.log(total)];
  const inverse = Array.from({ length: PLOT_POINTS }, (_, i) => Math.exp(from + ((to - from) * i) / (PLOT_POINTS - 1)));
  // 1 - 1 / total is the share of the value before the maximum.
  const values = (/** @type {PercentileDistribution} */ points) =>
    inverse.map((one, i) => rounded(pointAt(points, i === PLOT_POINTS - 1 ? 1 : 1 - 1 / one)?.ms ?? null));
  return { inverse: inverse.map(rounded), response: values(response), service: service && values(service) };
}
