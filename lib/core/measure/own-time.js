import { decimal, ms as milliseconds } from '../ground/decimal.js';
import { isOpen } from './figures.js';
import { LOWEST_US } from './hdr-counts.js';

/** @import { JudgedFigure, LoadGeneratorFigures, Stats } from '../contracts/stats.js' */
/** @import { HistogramSummary } from '../contracts/summaries.js' */

/**
 * @typedef {Pick<Stats, 'iterations' | 'main' | 'measuredElapsed'> & {
 *   loadGenerator: Pick<LoadGeneratorFigures, 'stops' | 'workers'>
 * }} Rated
 */

/**
 * The load generator's part of a figure, at most: the difference between a percentile of the times as measured and that
 * of the `least` times. A figure that has a part which matters is a range, and one cause explains it.
 */

/** Values from which on a figure can be judged: one iteration tells nothing. */
export const FEWEST = 2;
/** A part that matters is a larger share of its figure, and longer, ms: an event loop cannot tell shorter ones. */
const LEAST_SHARE = 0.05;
/** A figure of which it may be more than this share is suspect. */
const SUSPECT_SHARE = 0.1;
const RESOLUTION_MS = 0.1;
/** Stops of less of the time explain nothing: then it is the ordinary work of the event loop. */
const NOTICEABLE = 0.02;
/** A shorter run is mostly start-up, ms. */
export const LEAST_MS = 1000;
/** The utilization of an event loop from which on it is saturated. */
const BUSY = 0.95;

/** Reports whether a figure with this part is a range. @type {(ms: number, partMs: number) => boolean} */
function matters(ms, partMs) {
  return partMs > RESOLUTION_MS && partMs > ms * LEAST_SHARE;
}

/** Reports whether a part of a figure is so large that the figure is suspect. @type {typeof matters} */
export function isSuspect(ms, partMs) {
  return matters(ms, partMs) && partMs > ms * SUSPECT_SHARE;
}

/**
 * Returns the range of a judged figure, ms; null if it is none.
 * @type {(judged: JudgedFigure) => { low: number, high: number } | null}
 */
export function rangeOfJudged({ actual, loadGeneratorTime }) {
  return matters(actual, loadGeneratorTime) ? { low: lowEnd(actual - loadGeneratorTime), high: actual } : null;
}

/**
 * The range of a figure of times, ms; null if it is none.
 * @type {(all: HistogramSummary, least: HistogramSummary | undefined, key: keyof HistogramSummary) => { low: number,
 *   high: number } | null}
 */
export function rangeOf(all, least, key) {
  const [high, low] = [all[key], least?.[key]];
  if (typeof high !== 'number' || typeof low !== 'number' || least?.count !== all.count) return null;
  return all.count >= FEWEST && matters(high, high - low) ? { low: lowEnd(low), high } : null;
}

/** The lowest time that a histogram can have bounds nothing: 0. @type {(ms: number) => number} */
function lowEnd(ms) {
  return Math.round(ms * 1000) <= LOWEST_US ? 0 : ms;
}

/**
 * The share of its rate that a closed run may have lost, at most: the share of its times that is the load generator's,
 * as each virtual user waited for that, and no more than the share of the time in which it had no CPU or was suspended.
 * 0 in an open run, whose rate is planned, and in one of less than a second.
 * @type {(stats: Rated) => number}
 */
export function lostRateShare({ iterations, main, loadGenerator, measuredElapsed }) {
  const { completed, least } = main ?? {};
  if (isOpen({ iterations }) || !completed?.mean || !least?.mean || least.count !== completed.count) return 0;
  if (measuredElapsed < LEAST_MS) return 0;
  return Math.min(Math.max(0, 1 - least.mean / completed.mean), lostShare(loadGenerator, measuredElapsed));
}

/**
 * The share of the time in which a thread that sends requests was suspended, or had no CPU.
 * @type {(loadGenerator: Pick<LoadGeneratorFigures, 'stops' | 'workers'>, measuredMs: number) => number}
 */
export function lostShare({ stops, workers }, measuredMs) {
  if (measuredMs <= 0) return 0;
  return Math.min(1, (stops.suspended.total + stops.noCpu.total) / workers / measuredMs);
}

/**
 * The range of a rate of a closed run, by default of its completed iterations per second; null if it is none.
 * @type {(stats: Rated, rate?: number) => { low: number, high: number } | null}
 */
export function rangeOfRate(stats, rate = stats.iterations.completedRate) {
  const lost = lostRateShare(stats);
  return lost > LEAST_SHARE && lost < 1 ? { low: rate, high: rate / (1 - lost) } : null;
}

/** Reports whether the event loop was saturated. `utilization` is 0 to 1. @type {(utilization: number) => boolean} */
export function isBusy(utilization) {
  return utilization > BUSY;
}

/**
 * @typedef {object} Cause
 * @property {string} text a clause: `other programs used the CPU for 0.9 of 10.0 s`
 * @property {string} remedy an imperative
 */

/**
 * Finds what explains most of the parts: the event loop if it was saturated, else the kind of stops that took the most
 * time, else the work of the event loop. That of a short run is the start of the load generator, whatever its hooks do.
 * @type {(loadGenerator: Pick<LoadGeneratorFigures, 'stops' | 'workers' | 'eventLoopUtilization'>, measuredMs: number)
 *   => Cause}
 */
export function causeOf({ stops, workers, eventLoopUtilization }, measuredMs) {
  const remedy = workers > 1 ? 'use fewer hooks, or another machine' : 'use more cores (-w 2), or fewer hooks';
  const busy =
    measuredMs < LEAST_MS
      ? {
          text: `${milliseconds(measuredMs)} ms are mostly the start of the load generator`,
          remedy: 'run it for longer',
        }
      : {
          text: `the event loop of the load generator was busy ${Math.round(eventLoopUtilization * 100)} % of the time`,
          remedy,
        };
  if (isBusy(eventLoopUtilization)) return busy;
  // A collection of garbage blocks the event loop, so it is a part of both.
  const causes = [
    { ms: stops.noCpu.total, of: CAUSES.noCpu },
    { ms: stops.suspended.total, of: CAUSES.suspended },
    { ms: stops.gc.total, of: CAUSES.gc },
    { ms: stops.blocked.total - stops.gc.total, of: CAUSES.blocked },
  ].sort((one, other) => other.ms - one.ms);
  const [{ ms, of }] = causes;
  if (ms < measuredMs * workers * NOTICEABLE) return busy;
  return { text: `${of.text} for ${secondsOf(ms / workers, measuredMs)}`, remedy: of.remedy };
}

/** The causes of stops. A limit of a container takes the CPU as other programs do. */
const CAUSES = {
  noCpu: { text: 'other programs used the CPU', remedy: 'run it on a less busy machine' },
  suspended: { text: 'the load generator was suspended', remedy: 'run it again' },
  gc: { text: 'garbage collection of the load generator ran', remedy: 'keep less in hooks, or use more cores (-w 2)' },
  blocked: { text: 'hooks, listeners or other work blocked the event loop', remedy: 'make the hooks shorter' },
};

/** @type {(ms: number, ofMs: number) => string} */
function secondsOf(ms, ofMs) {
  if (ofMs < 1000) return `${milliseconds(Math.min(ms, ofMs))} of ${milliseconds(ofMs)} ms`;
  return `${decimal(Math.min(ms, ofMs) / 1000, 1)} of ${decimal(ofMs / 1000, 1)} s`;
}
