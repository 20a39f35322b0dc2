import { Histogram } from './histogram.js';
import { judgementOf } from './judge-thresholds.js';
import { kindOf, percentileOf, splitPrefix } from './threshold-figures.js';
import { lastWindow } from './windows.js';

/**
 * @import { Recorder } from './recorder.js'
 * @import { Judgement, Threshold } from './thresholds.js'
 *
 * @typedef {{ response: ArrayLike<number>, service: ArrayLike<number> }} RunningTimes of the iterations that wait for the server: how long
 *   each has taken so far, ms, at least
 */

/** @type {RunningTimes} */
export const NONE_RUNNING = { response: [], service: [] };

/**
 * Judges the thresholds of a run that goes on: those that fail by what has ended, and those on times that fail if the running iterations
 * count with the time that they have taken so far. An iteration that ends later takes longer, so a threshold that they
 * break is broken.
 *
 * @param {Threshold[]} thresholds
 * @param {Judgement[]} judged the same without the running iterations
 * @param {{ histograms: Recorder['histograms'], series: Recorder['series'], running: RunningTimes, nowMs: number }} state
 *   nowMs: since the start of the measured iterations
 * @returns {Judgement[]} those that fail
 */
export function failuresSoFar(thresholds, judged, state) {
  return thresholds.flatMap((threshold, i) => {
    // a figure without data fails at the end only
    if (!judged[i].passed && judged[i].actual !== null) return [judged[i]];
    const judgement = withRunning(threshold, state);
    return judgement && !judgement.passed ? [judgement] : [];
  });
}

/**
 * A threshold that failed by the iterations that were running stays failed: the end of the run cut them off, so the times of the
 * completed ones do not show it.
 *
 * @param {Judgement[]} judged
 * @param {Judgement[]} [earlier] while the run went on, or of parts of the run
 * @returns {Judgement[]}
 */
export function withEarlierFailures(judged, earlier = []) {
  const failed = earlier.filter(({ passed, running }) => !passed && running !== undefined);
  return judged.map((judgement) => {
    if (!judgement.passed && judgement.actual !== null) return judgement;
    return failed.find(({ expression }) => expression === judgement.expression) ?? judgement;
  });
}

/** @type {(threshold: Threshold, state: Parameters<typeof failuresSoFar>[2]) => Judgement | null} null if running iterations do not count */
function withRunning(threshold, { histograms, series, running, nowMs }) {
  const { operation, metric, isTime, comparison, overMs } = threshold;
  if (operation !== null || !isTime || !comparison.startsWith('<') || kindOf(metric, false) !== 'time') return null;
  const [prefix, name] = splitPrefix(metric);
  const times = { '': running.response, serviceTime: running.service }[prefix];
  if (!times || times.length === 0 || !isRising(name)) return null;
  const counted = { running: times.length };
  if (overMs !== null) {
    const last = lastWindow(threshold, series.points(2 * overMs), { nowMs, running: Array.from(times) });
    return last && { ...judgementOf(threshold, last.actual), window: last.window, ...counted };
  }
  const all = new Histogram();
  // in a closed run both times are the same, and only the one is recorded
  all.add(prefix === '' || histograms.serviceTime.count === 0 ? histograms.ok : histograms.serviceTime);
  for (const ms of Array.from(times)) all.update(ms);
  return { ...judgementOf(threshold, valueOf(name, all)), ...counted };
}

/** The figures that do not become less if a time becomes longer. @type {(name: string) => boolean} */
function isRising(name) {
  return name === 'mean' || percentileOf(name) !== null;
}

/** @type {(name: string, times: Histogram) => number | null} */
function valueOf(name, times) {
  const percentile = percentileOf(name);
  return percentile === null ? times.sum / times.count : times.valueAt(percentile);
}
