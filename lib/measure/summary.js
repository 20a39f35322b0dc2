import { perSecond } from '../units.js';
import { COUNTERS, HISTOGRAMS, deriveFigures } from './figures.js';
import { Histogram } from './histogram.js';
import { judgeThresholds } from './judge-thresholds.js';
import { TRANSACTIONS } from './transactions.js';
import { setAt, valueAt } from './value-at.js';
import { judge, judgeClient } from './verdict.js';

/**
 * @import { HistogramKey } from './figures.js'
 * @import { Recorder } from './recorder.js'
 * @import { ProcessUsage } from './process-usage.js'
 * @import { SenderSummary, ThreadSummary } from './thread.js'
 * @import { Threshold } from './thresholds.js'
 * @import { Stats } from './types.js'
 *
 * @typedef {object} RunContext facts about the run that the recorder does not have
 * @property {string} [title]
 * @property {string} [startedAt] ISO 8601
 * @property {string} [measuredAt] start of the measured iterations
 * @property {string} [endedAt]
 * @property {number[]} [percentiles] more ones to compute, 0 to 100
 * @property {number} elapsedMs since the run began
 * @property {number} measuredMs the part of it in which iterations ran
 * @property {boolean} isOver
 * @property {boolean} [withCounts] adds the counts of the histograms before the end, so that the state can be merged
 * @property {string[]} [missing] descriptions of what the result lacks
 * @property {number | null} planned iterations due by now; null in a closed run
 * @property {number} [plannedMs] the time in which they were due: without the drain; default: `measuredMs`
 * @property {SenderSummary} client
 * @property {ThreadSummary | ProcessUsage | null} server process of the target, or its thread if it is in this process
 * @property {boolean} sharesLoop the target is in this thread
 * @property {number} workers threads that sent requests
 * @property {{ iterations: number, errors: number } | null} warmup
 * @property {number} [expectedInterval] ms
 * @property {Threshold[]} [thresholds]
 * @property {Record<string, number>} traffic counters of the transport
 */

/**
 * The state of a run as plain data; at its end the result.
 *
 * @param {Recorder} recorder
 * @param {RunContext} context
 * @returns {Stats}
 */
export function summarize(recorder, context) {
  const { elapsedMs, measuredMs, isOver, planned, client, server, warmup, thresholds = [] } = context;
  const histograms = histogramsOf(recorder, context);
  const stats = /** @type {Stats} */ (
    /** @type {any} */ ({
      totalElapsed: elapsedMs,
      measuredElapsed: measuredMs,
      main: { meter: recorder.meter.toJSON() },
      ...recorder.metrics.toJSON(),
      iterations: {},
      requests: {},
      operations: recorder.operations.toJSON().map((one) => ({ ...one, rate: perSecond(one.count, measuredMs) })),
      ...checksOf(recorder),
      ...transactionsOf(recorder, measuredMs),
      exemplars: recorder.exemplars.toJSON(),
      series: recorder.series.toJSON(),
      errors: recorder.errors(),
      ...(warmup && { warmup }),
      // figures that follow from it are added
      ...(server && { server: { ...server } }),
      client: { ...client, workers: context.workers },
      ...namesOf(context),
    })
  );
  for (const { path, group, name, source } of COUNTERS) {
    /** @type {Record<string, number>} */
    const counters = source === 'transport' ? context.traffic : groupOf(recorder, group);
    setAt(stats, path, counters[name]);
  }
  stats.requests.statusCodes = recorder.statusCodes();
  const { started } = stats.iterations;
  if (isOver && planned !== null) stats.iterations.dropped = Math.max(stats.iterations.dropped, planned - started);
  stats.client.rate = rateOf(started, context);
  for (const { key, path } of HISTOGRAMS) {
    if (histograms[key]) setAt(stats, path, histograms[key].toJSON());
  }
  const percentiles = percentilesOf(histograms.main, context.percentiles);
  if (percentiles.length > 0) stats.percentiles = percentiles;
  deriveFigures(stats, thresholds);
  Object.assign(stats.client, judgeClient(stats, stats.client, measuredMs));
  stats.verdict = judge(stats, {
    notes: stats.client.notes,
    sharesLoop: context.sharesLoop,
    missing: context.missing,
    accounting: isOver
      ? { errors: recorder.accountingErrors(), area: recorder.series.area, busyTime: recorder.iterations.busyTime }
      : null,
  });
  if (isOver || context.withCounts) stats.histograms = encodedOf(recorder, histograms, planned !== null);
  if (thresholds.length > 0) stats.thresholds = judgeThresholds(thresholds, stats);
  return stats;
}

/** The checks of a flow with `expect`. @type {(recorder: Recorder) => Pick<Stats, 'checks'> | null} */
function checksOf(recorder) {
  const checks = recorder.checks.toJSON();
  return checks && { checks };
}

/** Scenarios and groups, if the flow has them. @type {(recorder: Recorder, measuredMs: number) => Pick<Stats, 'scenarios' | 'groups'>} */
function transactionsOf(recorder, measuredMs) {
  const used = TRANSACTIONS.filter(({ key }) => !recorder[key].isEmpty);
  return Object.fromEntries(
    used.map(({ key }) => [
      key,
      recorder[key].toJSON().map((one) => ({ ...one, rate: perSecond(one.count, measuredMs) })),
    ]),
  );
}

/** Arrivals in an open run: planned, and started. @type {(started: number, context: RunContext) => Stats['client']['rate']} */
function rateOf(started, { planned, measuredMs, plannedMs = measuredMs }) {
  if (planned === null) return null;
  return { asked: perSecond(planned, plannedMs), reached: perSecond(started, plannedMs) };
}

/** Results of older versions have no times. @type {(context: RunContext) => Pick<Stats, 'title' | 'startedAt' | 'measuredAt' | 'endedAt'>} */
function namesOf({ title, startedAt, measuredAt, endedAt }) {
  return {
    ...(title !== undefined && { title }),
    ...(startedAt !== undefined && { startedAt }),
    ...(measuredAt !== undefined && { measuredAt }),
    ...(endedAt !== undefined && { endedAt }),
  };
}

/** Each once, in rising order. @type {(main: Histogram | undefined, percentiles?: number[]) => NonNullable<Stats['percentiles']>} */
function percentilesOf(main, percentiles = []) {
  const distinct = [...new Set(percentiles)].sort((a, b) => a - b);
  return distinct.map((percentile) => ({ percentile, ms: main?.valueAt(percentile) ?? null }));
}

/** @type {(recorder: Recorder, group: string) => Record<string, number>} */
function groupOf(recorder, group) {
  return group === 'requests.connections' ? recorder.connections : valueAt(recorder, group);
}

/** @type {(recorder: Recorder, context: RunContext) => Partial<Record<HistogramKey, Histogram>>} */
function histogramsOf({ histograms }, { planned, expectedInterval }) {
  const main = new Histogram();
  main.add(histograms.ok);
  main.add(histograms.notOk);
  return {
    ...histograms,
    main,
    // in a closed run an iteration is due when it starts, so both times are the same
    ...(planned === null && { serviceTime: main }),
    ...(expectedInterval !== undefined && { corrected: main.corrected(expectedInterval) }),
  };
}

/** The counts behind the figures, for other tools and for merging. @type {(recorder: Recorder, all: Partial<Record<HistogramKey, Histogram>>, isOpen: boolean) => Stats['histograms']} */
function encodedOf(recorder, { corrected: _computed, ...all }, isOpen) {
  const { operations, metrics, series } = recorder;
  const named = HISTOGRAMS.filter(({ key }) => key !== 'corrected').map(({ key }) => {
    const isSame = key === 'serviceTime' && !isOpen;
    return [key, isSame ? null : /** @type {any} */ (all)[key].encoded()];
  });
  return /** @type {NonNullable<Stats['histograms']>} */ ({
    ...Object.fromEntries(named),
    operations: operations.encoded(),
    operationsByStatus: operations.encodedByStatus(),
    ...Object.fromEntries(
      TRANSACTIONS.filter(({ key }) => !recorder[key].isEmpty).map(({ key }) => [key, recorder[key].encoded()]),
    ),
    timers: metrics.encoded(),
    series: series.encoded(),
  });
}
