import { offered } from '../ground/addons.js';
import { isOfIterations } from '../ground/phases.js';
import { perSecond } from '../ground/units.js';
import { boundsOf } from './bounds.js';
import { countCutOff } from './cut-off.js';
import { RUN_HEAD, TOOL } from './document.js';
import { COUNTERS, HISTOGRAMS, OFFERED_FIGURES, deriveFigures, setAt, valueAt } from './figures.js';
import { figuresWithRates } from './operation-figures.js';
import { Histogram } from './histogram.js';
import { judgeFigures } from './judge-figures.js';
import { judgeThresholds, withEarlierFailures } from './judge-thresholds.js';
import { accountingErrors } from './recorder.js';
import { REPORTED_MS } from './series.js';
import { NOT_JUDGED, judgeSteadiness } from './steadiness.js';
import { tagRows } from './tags.js';
import { TRANSACTIONS, transactionsIn } from './transactions.js';
import { judge, judgeClient, withDoubts } from './validity.js';
import { RECENT_MS } from './windows.js';

/** @import { TransportCounters, TransportTotals } from '../contracts/connection.js' */
/** @import { HistogramKey } from '../contracts/figure-names.js' */
/** @import { AddressFigures, LoadGeneratorEntry, LoadGeneratorFigures, JudgedFigure } from '../contracts/stats.js' */
/** @import { Judgement, LogFileSummary, Note, ReachedPrecision, ServerFigures, Stats } from '../contracts/stats.js' */
/** @import { PrecisionGoal } from '../contracts/run.js' */
/** @import { HistogramSummary, LoadSummary, OperationSummary } from '../contracts/summaries.js' */
/** @import { SenderSummary, ThreadSummary } from '../contracts/summaries.js' */
/** @import { addConfidence } from './confidence.js' */
/** @import { Recorder } from './recorder.js' */
/** @import { Steadiness } from './steadiness.js' */
/** @import { Threshold } from './thresholds.js' */
/** @import { IterationLimit } from './validity.js' */

/**
 * Turns what a recorder has counted into stats: of a run that goes on or has ended, of one of several loads, of the
 * sum of several results. The steps of `summarize` build on each other: counters and times of the recorder, the
 * figures that follow from them, what they tell of the load generator and the server, validity, thresholds,
 * confidence.
 */

/**
 * @typedef {object} RunContext facts about the run that the recorder does not have
 * @property {string} [id] of the result
 * @property {string} [title]
 * @property {string} [label]
 * @property {string} [startedAt] ISO 8601
 * @property {string} [measuredAt] start of the measured iterations
 * @property {string} [endedAt]
 * @property {number[]} [percentiles] more ones to compute, 0 to 100
 * @property {number} elapsedMs since the run began
 * @property {number} measuredMs the part of it in which iterations ran
 * @property {boolean} isOver
 * @property {boolean} [isRamped] the load changes as planned
 * @property {boolean} [withCounts] adds the counts of the histograms before the end, so that the state can be merged
 * @property {string[]} [missing] descriptions of what the result lacks
 * @property {Note[]} [doubts] more reasons against the figures
 * @property {number | null} planned iterations due by now; null in a closed run
 * @property {number} [peakRate] the highest rate of a ramp, iterations per second
 * @property {number} [plannedMs] the time in which they were due: without the drain; default: `measuredMs`
 * @property {number} [askedMs] the time in which they should have been due; default: `plannedMs`
 * @property {number} [missingLoad] planned iterations of shards that were lost
 * @property {SenderSummary} loadGenerator
 * @property {ThreadSummary | ServerFigures | null} server process of the target, or its thread if it is in this process
 * @property {boolean} sharesLoop the target is in this thread
 * @property {number} workers threads that sent requests
 * @property {LoadGeneratorEntry[]} [loadGenerators]
 * @property {LoadSummary[]} [loads] of a run with several
 * @property {LoadGeneratorFigures['pacing'] | null} [pacing] null in a closed run
 * @property {number} [pipelining] iterations of a virtual user at a time, if there are several
 * @property {number} [startGap] planned distance of the starts of a thread, ms; default: all have the same part of the
 *   rate
 * @property {IterationLimit | null} [iterationLimit] null: the run has none; undefined: not known
 * @property {{ iterations: number, errors: number } | null} warmup
 * @property {number} [expectedInterval] ms
 * @property {Threshold[]} [thresholds]
 * @property {number} [reportedMs] until when all parts of a run that goes on have reported, ms of `measuredMs`;
 *   default: `measuredMs`
 * @property {Judgement[]} [failedThresholds] those that ended the run
 * @property {{ goals: PrecisionGoal[], reached: ReachedPrecision[], toMs: number }} [precision] that the run shall
 *   reach, and what it had reached at toMs
 * @property {typeof addConfidence} [addConfidence] of a run that is over
 * @property {Partial<TransportTotals>} traffic
 * @property {AddressFigures[]} [addresses] of names that have several
 * @property {LogFileSummary[]} [logged] the files of the log of requests
 */

/**
 * What an add-on adds to the stats of a run at its end.
 *
 * @typedef {object} Conclusion
 * @property {(stats: Stats) => boolean} suits
 * @property {() => { conclude: (stats: Stats) => void }} load
 */

/** @type {Conclusion[]} */
const CONCLUSIONS = offered('conclusions');

/** The state of a run; at its end the result. @type {(recorder: Recorder, context: RunContext) => Stats} */
export function summarize(recorder, context) {
  const { measuredMs, isOver, planned, thresholds = [], addresses = [] } = context;
  const counted = { withCounts: isOver || context.withCounts === true };
  const histograms = histogramsOf(recorder, context);
  // What `ratedMs()` computes from the finished stats.
  const rated = Math.max(measuredMs, plannedMsIn(context));
  const stats = recordedStats(recorder, context, { ratedMs: rated, ...counted });
  setCounters(stats, recorder, context);
  stats.requests.statusCodes = recorder.statusCodes();
  Object.assign(stats.requests, withheldOf(recorder));
  if (addresses.length > 0) stats.requests.addresses = addresses;
  const { started } = stats.iterations;
  Object.assign(stats.iterations, ratesOf(started, context));
  Object.assign(stats.loadGenerator, startGapOf(stats, context));
  setHistograms(stats, histograms, counted);
  if (isOver) countDroppedAndCutOff(stats, recorder, planned);
  for (const one of TRANSACTIONS.flatMap(({ key }) => transactionsIn(stats, key)))
    one.rate = perSecond(one.count, rated);
  Object.assign(stats, tagRows(stats.operations, recorder.operations, { ratedMs: rated, ...counted }));
  const percentiles = percentilesOf(histograms.completed, context.percentiles);
  if (percentiles.length > 0) stats.percentiles = percentiles;
  stats.servers?.forEach((one) => Object.assign(one, cpuFiguresOf(one, stats)));
  deriveFigures(stats);
  Object.assign(stats.loadGenerator, judgeClient(stats, stats.loadGenerator, measuredMs));
  if (isOver) for (const { suits, load } of CONCLUSIONS) if (suits(stats)) load().conclude(stats);
  const figures = isOver ? judgeFigures(stats, thresholds) : [];
  stats.validity = validityOf(stats, recorder, { context, figures });
  if (thresholds.length > 0) stats.thresholds = judgementsOf(stats, recorder, { context, figures });
  setConfidence(stats, recorder, context);
  return stats;
}

/**
 * Returns stats with what recorder and context have; the other figures are added to them.
 * @type {(recorder: Recorder, context: RunContext, options: { ratedMs: number, withCounts: boolean }) => Stats}
 */
function recordedStats(recorder, context, { ratedMs, withCounts }) {
  const { warmup, loads, loadGenerators, logged = [] } = context;
  const checks = recorder.checks.toJSON();
  return /** @type {any} */ ({
    ...RUN_HEAD,
    ...namesOf(context),
    totalElapsed: context.elapsedMs,
    measuredElapsed: context.measuredMs,
    main: { meter: recorder.meter.toJSON() },
    metrics: recorder.metrics.summary({ withCounts, ratedMs }),
    iterations: { missing: context.missingLoad ?? 0 },
    requests: {},
    connections: {},
    bytes: {},
    virtualUsers: {},
    operations: recorder.operations.summary({ withCounts }).map((one) => withRates(one, ratedMs)),
    ...(checks && { checks }),
    ...(loads && { loads }),
    ...transactionsOf(recorder, { withCounts }),
    exemplars: recorder.exemplars.toJSON(),
    series: {
      ...recorder.series.summary({ withCounts }),
      ...recorder.operationSeries.summary(),
      ...(withCounts ? {} : recorder.recentPoints.summary(recorder.series)),
    },
    errors: recorder.errors(),
    ...(warmup && { warmup }),
    ...(logged.length > 0 && { log: { files: logged } }),
    ...serversOf(context),
    loadGenerator: generatorOf(context),
    ...(loadGenerators && { loadGenerators }),
  });
}

/** @type {(operation: OperationSummary, ratedMs: number) => OperationSummary} */
function withRates(operation, ratedMs) {
  return {
    ...operation,
    ...(isOfIterations(operation) && { rate: perSecond(operation.count, ratedMs) }),
    ...figuresWithRates((key) => /** @type {any} */ (operation)[key], operation, ratedMs),
  };
}

/** @type {(stats: Stats, recorder: Recorder, context: RunContext) => void} */
function setConfidence(stats, { series }, context) {
  const { isOver, isRamped = false, precision = NO_PRECISION, measuredMs, plannedMs = measuredMs } = context;
  const { goals, reached, toMs } = precision;
  if (reached.length > 0) stats.precision = reached;
  if (!isOver || !context.addConfidence) return;
  // Points after the planned time are left out: running iterations end in them, and none starts.
  const isReached = reached.length > 0 && reached.every(({ passed }) => passed);
  const untilMs = isReached ? toMs : plannedMs;
  const points = series.wholePoints().filter(({ to }) => to <= untilMs);
  context.addConfidence(stats, points, { isRamped, goals, reached: isReached ? reached : null });
}

const NO_PRECISION = { goals: [], reached: [], toMs: 0 };

/**
 * @type {(stats: Stats, recorder: Recorder, parts: { context: RunContext, figures: JudgedFigure[] }) => Judgement[]}
 */
function judgementsOf(stats, { series }, { context, figures }) {
  const { thresholds = [], isOver, measuredMs, reportedMs = measuredMs, failedThresholds = [] } = context;
  const longest = Math.max(0, ...thresholds.map(({ overMs }) => overMs ?? 0));
  // All windows are judged at the end; while the run goes on, judging all would take longer and longer.
  const recent = () => series.points(longest + RECENT_MS).filter(({ to }) => to <= reportedMs - REPORTED_MS);
  const points = () => (isOver ? series.points() : recent());
  return withEarlierFailures(judgeThresholds(thresholds, stats, { figures, isOver, points }), failedThresholds);
}

/**
 * @type {(stats: Stats, recorder: Recorder, parts: { context: RunContext, figures: JudgedFigure[] }) =>
 *   Stats['validity']}
 */
function validityOf(stats, recorder, { context, figures }) {
  const validity = judge(stats, {
    notes: stats.loadGenerator.reasons,
    sharesLoop: context.sharesLoop,
    missing: context.missing,
    steadiness: steadinessOf(recorder, context),
    iterationLimit: context.iterationLimit,
    figures,
    thresholds: context.thresholds,
    accounting: context.isOver
      ? { errors: accountingErrors(recorder), area: recorder.series.area, busyTime: recorder.iterations.busyTime }
      : null,
  });
  const bounds = context.isOver ? boundsOf(stats) : [];
  if (bounds.length > 0) validity.remarks = [...(validity.remarks ?? []), ...bounds];
  return context.doubts?.length ? withDoubts(validity, context.doubts) : validity;
}

/** @type {(context: RunContext) => Pick<Stats, 'servers'>} */
function serversOf({ server }) {
  if (!server) return {};
  if ('name' in server) return { servers: [server] };
  return { servers: [{ name: 'target', source: 'thread', ...server }] };
}

/** @type {(server: ServerFigures, stats: Stats) => Pick<ServerFigures, 'cpuCores' | 'cpuTimePerRequest'>} */
function cpuFiguresOf({ cpuTime, endedAfter }, { measuredElapsed, requests: { sent } }) {
  const elapsed = endedAfter ?? measuredElapsed;
  return {
    cpuCores: elapsed > 0 ? cpuTime / elapsed : 0,
    cpuTimePerRequest: sent > 0 ? cpuTime / sent : null,
  };
}

/** @type {(context: RunContext) => Partial<LoadGeneratorFigures>} */
function generatorOf({ loadGenerator, workers, pacing, pipelining = 1 }) {
  return { ...loadGenerator, workers, ...(pacing && { pacing }), ...(pipelining > 1 && { pipelining }) };
}

/** @type {(stats: Stats, context: RunContext) => Pick<LoadGeneratorFigures, 'startGap'>} */
function startGapOf({ iterations: { plannedRate = 0 } }, { workers, startGap }) {
  if (startGap !== undefined) return { startGap };
  return plannedRate > 0 ? { startGap: (1000 * workers) / plannedRate } : {};
}

/**
 * Counts iterations that were due and never started, and those that waited for an answer until the end cut them off.
 * @type {(stats: Stats, recorder: Recorder, planned: number | null) => void}
 */
function countDroppedAndCutOff(stats, recorder, planned) {
  const { iterations } = stats;
  if (planned !== null) iterations.dropped = Math.max(iterations.dropped, planned - iterations.started);
  countCutOff(stats, recorder);
}

/** Requests that lacked the run's credentials. @type {(recorder: Recorder) => Pick<Stats['requests'], 'withheld'>} */
function withheldOf(recorder) {
  const withheld = recorder.withheldCredentials();
  return Object.keys(withheld).length > 0 ? { withheld } : {};
}

/**
 * Scenarios and groups, if the flow has them.
 * @type {(recorder: Recorder, counted: { withCounts: boolean }) => Pick<Stats, 'scenarios' | 'groups'>}
 */
function transactionsOf(recorder, counted) {
  const used = TRANSACTIONS.filter(({ key }) => !recorder[key].isEmpty);
  return Object.fromEntries(used.map(({ key }) => [key, recorder[key].summary(counted)]));
}

/** @type {(recorder: Recorder, context: RunContext) => Steadiness} */
function steadinessOf({ series, histograms }, { isOver, isRamped = false }) {
  return isOver && !isRamped ? judgeSteadiness(series.wholePoints(), histograms.completed.count) : NOT_JUDGED;
}

/** @type {(context: RunContext) => number} */
function plannedMsIn({ planned, measuredMs, plannedMs = measuredMs }) {
  return planned === null ? measuredMs : plannedMs;
}

/**
 * Arrivals of an open run per second: planned, started, and the highest planned ones of a ramp.
 * @type {(started: number, context: RunContext) => Pick<Stats['iterations'], 'plannedRate' | 'startedRate' |
 *   'peakRate'>}
 */
function ratesOf(started, context) {
  const { planned, measuredMs, plannedMs = measuredMs, askedMs = plannedMs, missingLoad = 0, peakRate } = context;
  if (planned === null) return {};
  return {
    plannedRate: perSecond(planned + missingLoad, askedMs),
    startedRate: perSecond(started, plannedMs),
    ...(peakRate !== undefined && { peakRate }),
  };
}

/**
 * @type {(context: RunContext) => Pick<Stats, 'id' | 'title' | 'label' | 'tool' | 'ramped' | 'startedAt' |
 *   'measuredAt' | 'endedAt'>}
 */
function namesOf({ id, title, label, isRamped, startedAt, measuredAt, endedAt }) {
  return {
    ...(id !== undefined && { id }),
    ...(title !== undefined && { title }),
    ...(label !== undefined && { label }),
    tool: TOOL,
    ...(isRamped && { ramped: true }),
    ...(startedAt !== undefined && { startedAt }),
    ...(measuredAt !== undefined && { measuredAt }),
    ...(endedAt !== undefined && { endedAt }),
  };
}

/**
 * The percentiles that the user asked for, each once, in rising order.
 * @type {(completed: Histogram | undefined, percentiles?: number[]) => NonNullable<Stats['percentiles']>}
 */
function percentilesOf(completed, percentiles = []) {
  const distinct = [...new Set(percentiles)].sort((a, b) => a - b);
  return distinct.map((percentile) => ({ percentile, responseTime: completed?.valueAt(percentile) ?? null }));
}

/** @type {(stats: Stats, recorder: Recorder, context: RunContext) => void} */
function setCounters(stats, recorder, { traffic }) {
  const counts = COUNTERS.map(({ key, source, path }) =>
    source === 'transport' ? traffic[/** @type {keyof TransportCounters} */ (key)] : valueAt(recorder, path),
  );
  // What has one counter of a group has all that apply.
  COUNTERS.forEach(({ group }, i) => {
    if (counts[i] > 0) /** @type {any} */ (stats)[group] ??= {};
  });
  COUNTERS.forEach(({ path, isMeasured }, i) => {
    if (counts[i] > 0 || isMeasured(stats)) setAt(stats, path, counts[i]);
  });
  for (const { path, key } of OFFERED_FIGURES.flatMap(({ lists = [] }) => lists)) {
    const list = /** @type {any} */ (traffic)[key];
    if (list?.length > 0) setAt(stats, path, list);
  }
}

/** @type {(stats: Stats, histograms: ReturnType<typeof histogramsOf>, counted: { withCounts: boolean }) => void} */
function setHistograms(stats, histograms, { withCounts }) {
  /** In a closed run two paths have the same times. @type {Map<Histogram, HistogramSummary>} */
  const known = new Map();
  for (const { key, path, isMeasured } of HISTOGRAMS) {
    const times = histograms[key];
    // A run without TLS has no such times.
    if (!times || !isMeasured(stats) || (key === 'tls' && times.count === 0)) continue;
    const summary = known.get(times) ?? times.summary(withCounts);
    known.set(times, summary);
    setAt(stats, path, { ...summary });
  }
}

/** @type {(recorder: Recorder, context: RunContext) => Partial<Record<HistogramKey, Histogram>>} */
function histogramsOf({ histograms }, { planned, expectedInterval }) {
  const main = new Histogram();
  main.add(histograms.completed);
  main.add(histograms.failed);
  return {
    ...histograms,
    main,
    // In a closed run an iteration is due when it starts, so both times are the same.
    ...(planned === null && { serviceTime: histograms.completed, serviceLeast: histograms.least }),
    ...(expectedInterval !== undefined && { corrected: histograms.completed.corrected(expectedInterval) }),
  };
}

/** Adds up the figures of each address of each name. @type {(all: AddressFigures[]) => AddressFigures[]} */
export function addAddresses(all) {
  /** @type {Map<string, AddressFigures>} */
  const sums = new Map();
  for (const one of all) {
    const key = `${one.name} ${one.address}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { ...one });
    else {
      for (const field of /** @type {const} */ (['connections', 'failed', 'requests', 'time']))
        sum[field] += one[field];
      sum.error ??= one.error;
    }
  }
  return [...sums.values()];
}
