import { droppedShare, reasonsOf } from '../measure/outcome.js';
import { count, counted, percent, rate } from '../report/numbers.js';
import { measuredBeside } from '../report/outcome.js';

/** @import { CapacityFigures, CapacityStep } from '../contracts/capacity.js' */
/** @import { Judgement, Note, Stats } from '../contracts/stats.js' */
/** @import { Reason } from '../ground/exit-codes.js' */
/** @import { LoadOptions, StepLoad } from './load.js' */
/** @import { NextStep, SearchStep } from './search.js' */

/**
 * @typedef {object} MeasuredStep a step as the search and as the document have it
 * @property {SearchStep} search
 * @property {CapacityStep} shown
 * @property {number | null} meanMs service time of its iterations
 * @property {number} boundMs the highest bound of a threshold on times; 0 without one
 */

/**
 * What fails a step as it fails a run, beside thresholds, in words.
 * @type {Partial<Record<Reason, (stats: Stats) => string>>}
 */
const FAILURES = {
  errors: ({ errors, iterations }) =>
    `${counted(errors.count, 'error')} in ${counted(iterations.started, 'iteration')}`,
  dropped: (stats) => `${percent(droppedShare(stats))} of the iterations that were due never started`,
  cutOff: ({ iterations }) => `the end of the step cut off ${counted(iterations.cutOff ?? 0, 'iteration')}`,
  unanswered: () => 'no iteration completed',
};

/** Reasons that end the search: the step says nothing about the load. @type {Reason[]} */
const ENDS = ['internal', 'server', 'agents'];

/**
 * @param {Stats} stats
 * @returns {Reason | undefined} why the search cannot go on
 */
export function endOf(stats) {
  return reasonsOf(stats).find((reason) => ENDS.includes(reason));
}

/**
 * Judges the result of a step.
 *
 * @param {NextStep} next
 * @param {StepLoad} load
 * @param {Stats} result
 * @param {{ earlier: MeasuredStep[], options: Pick<LoadOptions, 'mostUsers'> }} search
 * @returns {MeasuredStep}
 */
export function measuredStep(next, load, result, { earlier, options }) {
  const judged = withBusyUsers(judgeStep(measurementOf(next, load, result)), load, result, options);
  const figures = figuresOf(result, judged.backlogGrowth);
  const stalled =
    load.rate === undefined && judged.verdict === 'passed' ? lacksGrowth(next.load, figures.throughput, earlier) : null;
  const verdict = stalled === null ? judged.verdict : 'failed';
  const reasons = stalled === null ? judged.reasons : [stalled];
  const { rate: perSecond, limit, duration, warmup } = load;
  return {
    search: { ...next, ...judged, verdict },
    shown: {
      role: next.role,
      load: { ...(perSecond !== undefined && { rate: perSecond }), virtualUsers: limit, duration, warmup },
      resultId: result.id ?? null,
      passed: verdict === 'passed',
      verdict,
      reasons,
      validity: result.validity.status,
      figures,
    },
    meanMs: result.main.serviceTime.mean,
    boundMs: Math.max(0, ...(result.thresholds ?? []).flatMap(({ unit, bound }) => (unit === 'ms' ? [bound] : []))),
  };
}

/** The share of iterations that waited for a virtual user. */
const MOST_LATE = 0.5;

/**
 * Names the bound of the virtual users (`-c`), if it is why a step failed.
 * @type {(judged: StepVerdict, load: StepLoad, stats: Stats, options: Pick<LoadOptions, 'mostUsers'>) => StepVerdict}
 */
function withBusyUsers(judged, { rate: perSecond, limit }, { iterations: { late, started } }, { mostUsers }) {
  const isBusy = perSecond !== undefined && mostUsers !== undefined && late > started * MOST_LATE;
  if (!isBusy || judged.verdict !== 'failed') return judged;
  const message = `all ${counted(limit, 'virtual user')} were busy: allow more (-c), or leave it out`;
  return { ...judged, reasons: [{ code: 'virtualUsers', message }, ...judged.reasons] };
}

/** @type {(next: NextStep, load: StepLoad, stats: Stats) => Measurement} */
function measurementOf({ load }, { rate: perSecond, duration }, stats) {
  const { iterations, main, thresholds = [], loadGenerator } = stats;
  const failures = reasonsOf(stats).flatMap((code) => {
    const message = FAILURES[code]?.(stats);
    return message === undefined ? [] : [{ code, message }];
  });
  return {
    load,
    isOpen: perSecond !== undefined,
    durationMs: duration,
    due: iterations.started + iterations.dropped,
    completed: iterations.completed,
    failed: iterations.failed,
    progress: progressOf(stats),
    median: main.completed.median,
    thresholds,
    failures,
    saturation: loadGenerator.saturated ? loadGenerator.reasons : [],
  };
}

/** @type {(stats: Stats) => Measurement['progress']} */
function progressOf({ series: { points }, measuredElapsed }) {
  let done = 0;
  return points.map(({ iterations: { completed, failed } }, i) => {
    done += completed + failed;
    return { at: points[i + 1]?.at ?? measuredElapsed, done };
  });
}

/** @type {(stats: Stats, backlogGrowth: number) => CapacityFigures} */
function figuresOf({ iterations, main, errors, measuredElapsed, loadGenerator, servers = [] }, backlogGrowth) {
  const { median, p95, p99, max } = main.completed;
  const [server] = servers;
  return {
    throughput: iterations.completedRate,
    p50: median,
    p95,
    p99,
    max,
    errors: errors.count,
    errorShare: errors.share ?? null,
    concurrency: measuredElapsed > 0 ? iterations.busyTime / measuredElapsed : 0,
    backlogGrowth,
    loadGeneratorUtilization: loadGenerator.eventLoopUtilization,
    ...(server?.cpuCores !== undefined && { serverCores: server.cpuCores }),
  };
}

/** A share of the throughput that as many more virtual users would add if nothing limited them. */
const LEAST_GAIN = 0.5;

/**
 * More virtual users than the service can use only wait longer, which fails no run: the throughput tells.
 * @type {(users: number, throughput: number, earlier: MeasuredStep[]) => Note | null}
 */
function lacksGrowth(users, throughput, earlier) {
  const fewer = earlier.filter(({ search }) => search.verdict === 'passed' && search.load < users);
  const best = fewer.sort((a, b) => b.search.load - a.search.load)[0];
  if (!best) return null;
  const { load } = best.search;
  const before = best.shown.figures.throughput;
  if (throughput / before - 1 >= LEAST_GAIN * (users / load - 1)) return null;
  const message = `throughput hardly grows: ${rate(throughput)}/s, and ${rate(before)}/s with ${count(load)} virtual ${load === 1 ? 'user' : 'users'}`;
  return { code: 'throughput', message };
}

/**
 * @typedef {object} Measurement of a step
 * @property {number} load iterations per second, or virtual users
 * @property {boolean} isOpen the load is a rate
 * @property {number} durationMs in which iterations were due
 * @property {number} due iterations
 * @property {number} completed iterations
 * @property {number} failed iterations
 * @property {{ at: number, done: number }[]} progress iterations that had ended, failed ones too, at the end of each
 *   interval, ms since the start
 * @property {number | null} median response time, ms
 * @property {Judgement[]} thresholds
 * @property {Note[]} failures why a run with these figures fails, other than by thresholds
 * @property {Note[]} saturation why the load generator was the bottleneck
 *
 * @typedef {object} StepVerdict
 * @property {SearchStep['verdict']} verdict
 * @property {Note[]} reasons
 * @property {boolean} isOverloaded
 * @property {number | null} held
 * @property {number | null} strain
 * @property {number | null} median
 * @property {number} backlogGrowth iterations per second
 */

/** The start of a step, in which a queue reaches its length, as a share. */
const START = 0.25;
/** Of the load, by which a backlog may grow. */
const MOST_GROWTH = 0.02;
/** Standard deviations that the growth of a backlog has to exceed. */
const SIGNIFICANT = 2;
const FEWEST = 5;
/** What the service copes with is less than the load, as a share of it. */
const HELD = 0.97;
const OVERLOADED = 0.9;

/**
 * Judges a step: by its thresholds, by what fails a run, and by a backlog that grows, because a service answers quickly
 * over its capacity until its queue is long.
 * @type {(measurement: Measurement) => StepVerdict}
 */
export function judgeStep(measurement) {
  const { load, isOpen, due, completed, failed, thresholds, failures, saturation, median } = measurement;
  const growth = isOpen ? backlogGrowth(measurement) : 0;
  const broken = thresholds.filter(({ passed }) => !passed);
  const firm = broken.filter(({ doubt }) => doubt === undefined);
  const serviceReasons = [
    ...firm.map((one) => ({ code: 'threshold', message: thresholdText(one) })),
    ...(growth > 0 ? [{ code: 'backlog', message: `the backlog grew by ${rate(growth)} iterations per second` }] : []),
    ...failures,
  ];
  const doubts =
    serviceReasons.length > 0
      ? []
      : broken.map((one) => ({ code: 'loadGeneratorInFigures', message: `${thresholdText(one)}; ${one.doubt}` }));
  const generatorReasons = [...saturation, ...doubts];
  const answered = due > 0 ? Math.max(0, 1 - growth / load) * (completed / Math.max(1, completed + failed)) : 0;
  return {
    verdict: generatorReasons.length > 0 ? 'saturated' : serviceReasons.length > 0 ? 'failed' : 'passed',
    reasons: [...generatorReasons, ...serviceReasons],
    isOverloaded: isOpen && answered < OVERLOADED,
    held: isOpen && answered < HELD ? load * answered : null,
    strain: strainOf(thresholds),
    median,
    backlogGrowth: growth,
  };
}

/**
 * By how many iterations per second more became due than ended, after the start of the step; 0 if that is little, or
 * may be chance: the number of those that have not ended wanders, and its increments show how far it gets so.
 * @type {(measurement: Measurement) => number}
 */
function backlogGrowth({ load, durationMs, due, progress }) {
  const perMs = due / durationMs;
  const points = progress
    .filter(({ at }) => at >= durationMs * START && at <= durationMs * 1.001)
    .map(({ at, done }) => ({ at, waiting: perMs * at - done }));
  if (points.length < 3) return 0;
  const [first, last] = [points[0], points[points.length - 1]];
  const grown = last.waiting - first.waiting;
  const steps = points.slice(1).map(({ waiting }, i) => waiting - points[i].waiting);
  const mean = grown / steps.length;
  const variance = steps.reduce((sum, step) => sum + (step - mean) ** 2, 0) / (steps.length - 1);
  const perSecond = (1000 * grown) / (last.at - first.at);
  const isReal = grown > Math.max(FEWEST, SIGNIFICANT * Math.sqrt(variance * steps.length));
  return isReal && perSecond > load * MOST_GROWTH ? perSecond : 0;
}

/** The worst figure as a share of its bound. @type {(thresholds: Judgement[]) => number | null} */
function strainOf(thresholds) {
  const strains = thresholds.flatMap(({ operator, actual, bound }) => {
    if (actual === null || operator === '==' || operator === '!=') return [];
    const [part, whole] = operator.startsWith('<') ? [actual, bound] : [bound, actual];
    return whole > 0 ? [part / whole] : [part > 0 ? Infinity : 0];
  });
  return strains.length > 0 ? Math.max(...strains) : null;
}

/** @type {(judgement: Judgement) => string} */
function thresholdText(judgement) {
  const { expression, actual } = judgement;
  return actual === null ? `${expression} measured nothing` : `${expression} failed with ${measuredBeside(judgement)}`;
}
