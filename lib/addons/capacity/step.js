import { counted, percent, rate } from '../../core/ground/decimal.js';
import { measuredBeside } from '../../core/measure/outcome-reasons.js';
import { droppedShare, reasonsOf } from '../../core/measure/outcome.js';
import { varianceOf } from '../../core/measure/statistics.js';
import { CHECKS, ERRORS } from '../../core/measure/threshold-figures.js';
import { MOST_USERS } from './load.js';
import { NO_LOSS, dividedReasons, failsWithout, isNoticeable, lossOf, starvedNote } from './starvation.js';

/** @import { CapacityStep } from './capacity.js' */
/** @import { Judgement, Note, Stats } from '../../core/contracts/stats.js' */
/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { LoadOptions, StepLoad } from './load.js' */
/** @import { Loss } from './starvation.js' */
/** @import { NextStep, SearchStep } from './types.js' */

/**
 * The verdict on a step: whether the service held its load, failed, or could not be judged, since the load generator
 * was the bottleneck. `measuredStep` reads the result of a run, and `judgeStep` decides from plain numbers.
 *
 * @typedef {object} MeasuredStep a step as the search and as the document have it
 * @property {SearchStep} search
 * @property {CapacityStep} shown
 * @property {Loss} loss time in which the load generator had no CPU
 * @property {number | null} meanMs service time of its iterations
 * @property {number} boundMs the highest bound of a threshold on times; 0 without one
 */

/**
 * @typedef {object} Measurement of a step
 * @property {number} load iterations per second, or virtual users
 * @property {boolean} isOpen the load is a rate
 * @property {number} durationMs in which iterations were due
 * @property {number} [pauseMs] of an iteration
 * @property {number} due iterations
 * @property {number} completed iterations
 * @property {number} failed iterations
 * @property {{ at: number, done: number }[]} progress iterations that had ended, failed ones too, at the end of each
 *   interval, ms since the start
 * @property {number | null} median response time, ms
 * @property {Judgement[]} thresholds
 * @property {Note[]} failures why a run with these figures fails, other than by thresholds
 * @property {Note[]} saturation why the load generator was the bottleneck by its own work
 * @property {Note[]} [starvation] why the load generator was the bottleneck because other programs left it no CPU
 * @property {Loss} [loss] time in which the load generator had no CPU
 *
 * @typedef {Omit<SearchStep, 'load' | 'role'> & { reasons: Note[], backlogGrowth: number }} StepVerdict backlogGrowth:
 *   iterations per second
 */

/** What fails a step as it fails a run, beside thresholds. @type {Partial<Record<Reason, (stats: Stats) => string>>} */
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
 * @type {(next: NextStep, load: StepLoad, result: Stats, search: { earlier: MeasuredStep[], options: Pick<LoadOptions,
 *   'mostUsers'>, pauseMs?: number, early?: string }) => MeasuredStep} pauseMs: of an iteration; early: what ended the
 *   step before its time
 */
export function measuredStep(next, load, result, { earlier, options, pauseMs, early }) {
  const loss = lossOf(result);
  const measurement = measurementOf(next, load, result, loss);
  // what ended a step early is a failure: a part of a step shows neither a backlog nor enough iterations
  if (early !== undefined) measurement.failures.push({ code: 'stopped', message: early });
  const first = judgeStep({ ...measurement, pauseMs });
  const judged =
    load.rate === undefined
      ? withGrowth(first, { users: next.load, throughput: result.iterations.completedRate, loss }, earlier)
      : withBusyUsers(first, load, result, options);
  const { rate: perSecond, limit, duration, warmup } = load;
  return {
    search: { ...next, ...judged },
    shown: {
      role: next.role,
      load: { ...(perSecond !== undefined && { rate: perSecond }), virtualUsers: limit, duration, warmup },
      resultId: result.id ?? null,
      outcome: { passed: judged.verdict === 'passed', status: judged.verdict, reasons: judged.reasons },
      validity: { status: result.validity.status, reasons: result.validity.reasons },
      ...figuresOf(result, first.backlogGrowth, loss),
    },
    loss,
    meanMs: result.main.serviceTime.mean,
    boundMs: boundOf(result.thresholds ?? []),
  };
}

/** Returns the highest bound on times, ms. @type {(thresholds: { unit: string, bound: number }[]) => number} */
export function boundOf(thresholds) {
  return Math.max(0, ...thresholds.flatMap(({ unit, bound }) => (unit === 'ms' ? [bound] : [])));
}

/** All virtual users count as busy, if more than this share of the iterations waited for one. */
const MOST_LATE = 0.5;

/**
 * Names the bound of the virtual users (`-c`), if it is why a step failed.
 * @type {(judged: StepVerdict, load: StepLoad, stats: Stats, options: Pick<LoadOptions, 'mostUsers'>) => StepVerdict}
 */
function withBusyUsers(judged, { limit }, { iterations: { late, started } }, { mostUsers }) {
  // Without -c there are as many virtual users as the rate needs, unless that is more than a search allows.
  const isBusy = (mostUsers !== undefined || limit === MOST_USERS) && late > started * MOST_LATE;
  if (!isBusy || judged.verdict !== 'failed') return judged;
  const cure = mostUsers === undefined ? 'allow more (-c)' : 'allow more (-c), or leave it out';
  const message = `all ${counted(limit, 'virtual user')} were busy: ${cure}`;
  return { ...judged, reasons: [{ code: 'virtualUsers', message }, ...judged.reasons] };
}

/** @type {(next: NextStep, load: StepLoad, stats: Stats, loss: Loss) => Measurement} */
function measurementOf({ load }, { rate: perSecond, duration }, stats, loss) {
  const { iterations, main, thresholds = [], loadGenerator } = stats;
  const { own, lost } = loadGenerator.saturated ? dividedReasons(loadGenerator, loss) : { own: [], lost: [] };
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
    saturation: own,
    starvation: lost,
    loss,
  };
}

/** @type {(stats: Stats) => Measurement['progress']} */
function progressOf({ series: { points }, measuredElapsed }) {
  let done = 0;
  return points.map(({ iterations: { completed, failed } }, i) => {
    done += completed + failed;
    // A point has the time at which its interval begins.
    return { at: points[i + 1]?.at ?? measuredElapsed, done };
  });
}

/**
 * The figures of a step, by their paths in a result.
 * @type {(stats: Stats, backlogGrowth: number, loss: Loss) => Omit<CapacityStep, 'role' | 'load' | 'resultId' |
 *   'outcome' | 'validity'>}
 */
function figuresOf({ iterations, main, errors, measuredElapsed, loadGenerator, servers = [] }, backlogGrowth, loss) {
  const { median, p95, p99, max } = main.completed;
  const busy = servers.flatMap(({ name, cpuCores }) => (cpuCores === undefined ? [] : [{ name, cpuCores }]));
  return {
    iterations: { completedRate: iterations.completedRate },
    responseTime: { median, p95, p99, max },
    errors: { count: errors.count, share: errors.share ?? null },
    concurrency: measuredElapsed > 0 ? iterations.busyTime / measuredElapsed : 0,
    backlogGrowth,
    loadGenerator: { eventLoopUtilization: loadGenerator.eventLoopUtilization, lostShare: loss.share },
    ...(busy.length > 0 && { servers: busy }),
  };
}

/** More virtual users must add at least this share of the throughput that they would add if nothing limited them. */
const LEAST_GAIN = 0.5;

/**
 * More virtual users than the service can use only wait longer, which fails no run, but the throughput shows it. If the
 * time that the load generator lost decides whether it grows, the step is no evidence: it counts as saturated.
 * @type {(judged: StepVerdict, step: { users: number, throughput: number, loss: Loss }, earlier: MeasuredStep[]) =>
 *   StepVerdict}
 */
function withGrowth(judged, { users, throughput, loss }, earlier) {
  if (judged.verdict !== 'passed') return judged;
  const fewer = earlier.filter(({ search }) => search.verdict === 'passed' && search.load < users);
  const best = fewer.sort((a, b) => b.search.load - a.search.load)[0];
  if (!best) return judged;
  const { load } = best.search;
  const before = best.shown.iterations.completedRate;
  const needed = 1 + LEAST_GAIN * (users / load - 1);
  const message = `throughput hardly grows: ${rate(throughput)}/s, and ${rate(before)}/s with ${counted(load, 'virtual user')}`;
  const reason = { code: 'throughput', message };
  const grows = throughput >= needed * before;
  const growsWithout = withoutLoss(throughput, loss) >= needed * withoutLoss(before, best.loss);
  const worse = loss.share >= best.loss.share ? loss : best.loss;
  if (grows !== growsWithout && isNoticeable(worse))
    return { ...judged, verdict: 'saturated', isStarved: true, isApplied: true, reasons: [starvedNote(worse), reason] };
  return grows ? judged : { ...judged, verdict: 'failed', reasons: [reason] };
}

/** The throughput, had nothing been lost. @type {(throughput: number, loss: Loss) => number} */
function withoutLoss(throughput, { share }) {
  return throughput / (1 - Math.min(share, 0.99));
}

/** The share of a step in which a queue reaches its length; LONGEST_START is that of iterations with long pauses. */
const START = 0.25;
const LONGEST_START = 0.5;
/** Pauses after which the number of iterations that pause has reached its level. */
const PAUSES = 2;
/**
 * A backlog may grow by this share of the load; beyond it, growth counts if it exceeds SIGNIFICANT standard deviations
 * and FEWEST iterations.
 */
const MOST_GROWTH = 0.02;
const SIGNIFICANT = 2;
const FEWEST = 5;
/** The shares of the load below which a service did not hold it, and below which it was overloaded. */
const HELD = 0.97;
const OVERLOADED = 0.9;

/**
 * Judges a step: by its thresholds, by what fails a run, and by a backlog that grows, because a service answers quickly
 * over its capacity until its queue is long.
 * @type {(measurement: Measurement) => StepVerdict}
 */
export function judgeStep(measurement) {
  const { load, isOpen, due, completed, failed, thresholds, median } = measurement;
  const growth = isOpen ? backlogGrowth(measurement) : 0;
  // The share of the load that the service coped with: all but what piled up, and failed.
  const answered = due > 0 ? Math.max(0, 1 - growth / load) * (completed / Math.max(1, completed + failed)) : 0;
  return {
    ...verdictOf(measurement, growth),
    isOverloaded: isOpen && answered < OVERLOADED,
    held: isOpen && answered < HELD ? Math.min(load, Math.max(load * answered, bestRate(measurement))) : null,
    strain: strainOf(thresholds),
    median,
    backlogGrowth: growth,
  };
}

/**
 * The first of these that applies, since each makes those below it meaningless:
 *
 * 1. saturated by its own work: the load was never applied
 * 2. failed, and would have failed without the loss of CPU, too
 * 3. saturated for lack of CPU, or in doubt: the load generator may be why something failed
 * 4. passed
 *
 * @type {(measurement: Measurement, growth: number) => Pick<StepVerdict, 'verdict' | 'reasons' | 'isStarved' |
 *   'isApplied' | 'isChance'>}
 */
function verdictOf(measurement, growth) {
  const { thresholds, failures, saturation, starvation = [], loss = NO_LOSS } = measurement;
  const broken = thresholds.filter(({ passed }) => !passed);
  const firm = broken.filter(({ doubt }) => doubt === undefined);
  const failsByItself =
    firm.some((one) => failsWithout(one, loss)) ||
    failures.some(({ code }) => code !== 'dropped' || !isNoticeable(loss)) ||
    isLongBacklog(measurement, growth);
  const serviceReasons = [
    ...firm.map((one) => ({ code: 'threshold', message: thresholdText(one) })),
    ...(growth > 0 ? [{ code: 'backlog', message: `the backlog grew by ${rate(growth)} iterations per second` }] : []),
    ...failures,
  ];
  const sure = { isStarved: false, isChance: false };
  if (saturation.length > 0) return { verdict: 'saturated', ...sure, reasons: [...saturation, ...serviceReasons] };
  if (failsByItself)
    return { verdict: 'failed', ...sure, isChance: isChance(measurement, growth), reasons: serviceReasons };
  const doubts = broken.flatMap((one) =>
    one.doubt === undefined ? [] : [{ code: 'loadGeneratorInFigures', message: `${thresholdText(one)}; ${one.doubt}` }],
  );
  const generatorReasons =
    starvation.length > 0 || serviceReasons.length === 0 ? [...starvation, ...doubts] : [starvedNote(loss), ...doubts];
  if (generatorReasons.length === 0) return { verdict: 'passed', ...sure, reasons: [] };
  return {
    verdict: 'saturated',
    isChance: false,
    isStarved: isNoticeable(loss) || starvation.length > 0,
    isApplied: starvation.length === 0,
    reasons: [...generatorReasons, ...serviceReasons],
  };
}

/** Failed iterations that may be chance, whatever share of a short step they are. */
const FEW = 3;

/** Only a few failed iterations fail such a step. @type {(measurement: Measurement, growth: number) => boolean} */
function isChance({ thresholds, failures, failed, due }, growth) {
  const isFew = (/** @type {Judgement} */ { figure, actual }) =>
    figure === ERRORS || (figure === CHECKS && (1 - Number(actual)) * due <= FEW);
  const onlyFew = thresholds.every((one) => one.passed || isFew(one));
  return failed <= FEW && growth === 0 && onlyFew && failures.every(({ code }) => code === 'errors');
}

/**
 * Reports whether a backlog, after the start of the step, grew by more than the iterations that became due in the
 * longest stop of the load generator.
 * @type {(measurement: Measurement, growth: number) => boolean}
 */
function isLongBacklog({ load, durationMs, loss = NO_LOSS }, growth) {
  return growth * durationMs * (1 - START) > (isNoticeable(loss) ? load * loss.longestMs : 0);
}

/**
 * Returns how many more iterations per second became due than ended, after the start of the step; 0 if they are few, or
 * may be chance: a backlog that does not grow is a random walk, whose end varies as the sum of its n increments, with
 * n times their variance.
 * @type {(measurement: Measurement) => number}
 */
function backlogGrowth({ load, durationMs, due, progress, pauseMs = 0 }) {
  const perMs = due / durationMs;
  const startMs = Math.max(START * durationMs, Math.min(LONGEST_START * durationMs, PAUSES * pauseMs));
  // The last interval may end a little late.
  const points = progress
    .filter(({ at }) => at >= startMs && at <= durationMs * 1.001)
    .map(({ at, done }) => ({ at, waiting: perMs * at - done }));
  // A variance needs two increments.
  if (points.length < 3) return 0;
  const [first, last] = [points[0], points[points.length - 1]];
  const grown = last.waiting - first.waiting;
  const increments = points.slice(1).map(({ waiting }, i) => waiting - points[i].waiting);
  const perSecond = (1000 * grown) / (last.at - first.at);
  const isReal = grown > Math.max(FEWEST, SIGNIFICANT * Math.sqrt(varianceOf(increments) * increments.length));
  return isReal && perSecond > load * MOST_GROWTH ? perSecond : 0;
}

/** This many intervals of a step show what a service could do before it collapsed, or after it had recovered. */
const WINDOW = 3;
/** The best of them counts if it exceeds the whole step by this many standard deviations, and by this factor. */
const CLEARLY = 4;
const MORE = 1.15;

/**
 * The rate of the best part of a step, if that is clearly higher than the rate of the whole step, because an overload
 * may make a service slower than it can be; otherwise 0.
 * @type {(measurement: Measurement) => number}
 */
function bestRate({ progress, completed, failed }) {
  const points = [{ at: 0, done: 0 }, ...progress];
  const windows = points
    .slice(WINDOW)
    .map(({ at, done }, i) => ({ ms: at - points[i].at, done: done - points[i].done }));
  const last = points[points.length - 1];
  const best = windows.sort((a, b) => b.done / b.ms - a.done / a.ms)[0];
  if (!best || last.done === 0) return 0;
  const expected = (last.done / last.at) * best.ms;
  const isClear = best.done > expected * MORE && best.done > expected + CLEARLY * Math.sqrt(expected);
  return isClear ? ((1000 * best.done) / best.ms) * (completed / Math.max(1, completed + failed)) : 0;
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
