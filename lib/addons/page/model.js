import { count, percent, rate, signed } from '../../core/ground/decimal.js';
import { areErrorsAllowed, limitsOf, stateOf } from '../../core/measure/outcome.js';
import { COMPLETED_RATE, statisticOf } from '../../core/measure/threshold-figures.js';
import { isOpen } from '../../core/measure/figures.js';
import { withoutCounts } from '../../core/measure/histogram.js';
import { STATISTICS } from '../../core/measure/percentiles.js';
import { partsOf } from '../../core/measure/transactions.js';
import { metricRows } from '../../core/measure/user-metrics.js';
import { isBusy } from '../../core/measure/own-time.js';
import { failedFigures, rounded, silhouettesOf } from './chart-data.js';
import { pointAt } from '../../core/report/distribution-charts.js';
import { BLOCK_OPTIONS } from '../formats/markdown.js';
import { hintedErrors } from '../../core/report/errors.js';
import { goalRows, outcomeOf, validityNotes, validityOf } from '../../core/report/outcome.js';
import { comparedProfileModel, profileModel } from '../server/report/profile.js';
import { headOf, latencyRows, mainFigures, spacingText, usageText } from '../../core/report/rows.js';
import { SECTIONS, blocksIn } from '../../core/report/sections.js';
import { readable, weakKeys } from '../../core/report/supported.js';
import { glyphsOf } from '../../core/report/terminal.js';
import { timeModel } from './time-model.js';

/** @import { HistogramSummary } from '../../core/contracts/summaries.js' */
/** @import { Verdict } from '../../core/measure/outcome.js' */
/** @import { Block, BlockOptions, DistributionOf, PercentileDistribution, Result } from '../../core/report/types.js' */

/**
 * @typedef {object} LiveState of the page of a dashboard
 * @property {boolean} isRunning
 * @property {number} [share] of the run, 0 to 1; 0: unknown
 * @property {string[]} [files] that were written, when the run is over
 */

/** Points of the curve of percentiles; a run with fewer iterations than FEWEST_VALUES has none. */
const PLOT_POINTS = 300;
const FEWEST_VALUES = 4;

/**
 * The content of the page of a result, as plain data in the words and the order of the page; its script draws it.
 *
 * @param {Result} complete with the encoded counts of its intervals, which only the heat map reads
 * @param {DistributionOf} distributionOf
 * @param {LiveState | null} [live] null: a page in a file
 */
export function modelOf(complete, distributionOf, live = null) {
  const isLive = live?.isRunning === true;
  const whole = readable(complete);
  const result = { ...whole, series: withoutCounts(whole.series) };
  const { run, iterations, errors, profiles, baseline } = result;
  return {
    ...headOf(result),
    ...timeModel(whole, isLive),
    isLive,
    live,
    elapsed: result.measuredElapsed,
    outcome: isLive ? null : markedOutcome(result),
    validity: { word: validityOf(result), reasons: validityNotes(result) },
    cards: cardsOf(result),
    thresholds: [...goalRows(result), ...limitRows(result)].map((row) => ({
      ...row,
      mark: glyphsOf(true)[row.state],
    })),
    errors: {
      count: errors.count,
      failed: iterations.failed,
      started: iterations.started,
      groups: hintedErrors(result),
    },
    sections: sectionsOf(result),
    distribution: silhouettesOf(result, distributionOf),
    percentiles: percentilesOf(distributionOf('completed'), isOpen(result) ? distributionOf('serviceTime') : null),
    operations: rowsOf(result),
    latency: { columns: STATISTICS.map(({ key, label }) => ({ key, label })), rows: markedRows(latencyRows(result)) },
    metrics: markedMetricRows(result),
    statuses: statusesOf(result),
    exemplars: result.exemplars,
    usage: usageOf(result),
    options: run?.options ?? {},
    ...(profiles && { profiles: profiles.map(profileModel) }),
    ...(baseline?.profiles && { comparedProfiles: baseline.profiles.map(comparedProfileModel) }),
    result: live === null ? result : null,
  };
}

/** @type {BlockOptions} */
const OPTIONS = { ...BLOCK_OPTIONS, format: 'page' };

/**
 * Returns the sections of add-ons, without any block if the result has nothing for them.
 * @type {(result: Result) => { name: string, heading: string, blocks: Block[] }[]}
 */
function sectionsOf(result) {
  return SECTIONS.flatMap((one) => {
    const { name, page } = one;
    return page ? [{ name, heading: page.heading, blocks: blocksIn(one, result, OPTIONS).map(withMarkedTimes) }] : [];
  });
}

/** @type {(block: Block) => Block} */
function withMarkedTimes({ times, ...block }) {
  return times ? { ...block, times: { ...times, rows: markedRows(times.rows) } } : block;
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

/** @type {<R extends { summary: HistogramSummary }>(rows: R[]) => R[]} */
function markedRows(rows) {
  return rows.map((row) => ({ ...row, summary: withMarks(row.summary) }));
}

/** @type {(result: Result) => object[]} */
function markedMetricRows(result) {
  return metricRows(result).map((row) => ({ ...row, values: row.values && withMarks(row.values) }));
}

/** @type {(result: Result) => { expression: string, state: Verdict, measured: string }[]} */
function limitRows(result) {
  return limitsOf(result).map(({ name, message = 'not exceeded', ...limit }) => ({
    ...{ expression: name, state: stateOf(limit), measured: message },
  }));
}

/** The change of a card's figure against an earlier result. @type {(result: Result, label: string) => string} */
function changeOf({ baseline }, label) {
  const found = baseline?.figures.find(({ figure }) => statisticOf(figure) === label);
  if (!baseline || !found || found.change === null) return '';
  const verdict = found.verdict === 'unknown' ? '' : `, ${found.verdict}`;
  return `${signed(found.change)} against ${baseline.from}${verdict}`;
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

/** The six figures at the top; `spark` names their series. @type {(result: Result) => object[]} */
function cardsOf(result) {
  const { iterations, errors, loadGenerator } = result;
  const broken = failedFigures(result);
  const [perSecond, ...main] = mainFigures(result);
  const times = main.map(({ label, value, margin }) => ({
    ...{ label, margin, value: value === '-' ? value : `${value} ms` },
    note: changeOf(result, label),
    spark: label,
    failed: broken.has(label),
  }));
  return [
    {
      label: 'iterations',
      value: `${perSecond.value} /s`,
      margin: perSecond.margin,
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
      failed: wasLimit(loadGenerator),
    },
  ];
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
function generatorNote(loadGenerator) {
  if (!wasLimit(loadGenerator)) return 'load generator not saturated';
  return isBusy(loadGenerator.eventLoopUtilization) ? 'load generator saturated' : 'load generator slow, see validity';
}

/** If other programs stopped it, they were the limit. @type {(loadGenerator: Result['loadGenerator']) => boolean} */
function wasLimit({ reasons }) {
  return reasons.some(({ code }) => code !== 'stopped');
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
