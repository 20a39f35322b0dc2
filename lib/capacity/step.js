import { droppedShare, reasonsOf } from '../measure/outcome.js';
import { count, counted, percent, rate } from '../report/numbers.js';
import { judgeStep } from './judge-step.js';

/**
 * @import { CapacityFigures, CapacityStep } from '../contracts/capacity.js'
 * @import { Note, Stats } from '../contracts/stats.js'
 * @import { Reason } from '../ground/exit-codes.js'
 * @import { Measurement, StepVerdict } from './judge-step.js'
 * @import { LoadOptions, StepLoad } from './load.js'
 * @import { NextStep, SearchStep } from './search.js'
 *
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

/** Of the iterations, which waited for a virtual user. */
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

/** of the throughput that as many more virtual users would add if nothing limited them */
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
