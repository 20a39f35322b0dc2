import { ms as milliseconds, percent } from '../../core/ground/decimal.js';
import { percentileOf } from '../../core/measure/threshold-figures.js';
import { COMPARATORS } from '../../core/measure/thresholds.js';
import { isBusy, lostShare } from '../../core/measure/own-time.js';

/** @import { Judgement, Note, Stats } from '../../core/contracts/stats.js' */

/**
 * A load generator that lacks CPU makes every figure of a step worse, as a slow service does. This file decides which
 * failures of a step are the service's in spite of that.
 *
 * @typedef {object} Loss time in which the load generator was suspended, or had no CPU
 * @property {number} share of the step, 0 to 1
 * @property {number} longestMs
 */

/** @type {Loss} */
export const NO_LOSS = { share: 0, longestMs: 0 };
/** A smaller share is part of every run. */
export const LEAST_SHARE = 0.01;
/** A stop delays iterations for up to twice its time: those that became due in it queue at the service then. */
const QUEUE = 2;

/** @type {(stats: Pick<Stats, 'loadGenerator' | 'measuredElapsed'>) => Loss} */
export function lossOf({ loadGenerator, measuredElapsed }) {
  const { stops } = loadGenerator;
  return {
    share: lostShare(loadGenerator, measuredElapsed),
    longestMs: Math.max(stops.suspended.longest, stops.noCpu.longest),
  };
}

/** Reports whether so much was lost that it may have an effect. @type {(loss: Loss) => boolean} */
export function isNoticeable({ share }) {
  return share >= LEAST_SHARE;
}

/**
 * Divides the reasons why the load generator was the bottleneck: its own ones, and those of the loss, which may be
 * different in a repetition. Those of a loss that did not change the load are in neither: it only makes figures worse.
 * @type {(loadGenerator: Pick<Stats['loadGenerator'], 'reasons' | 'eventLoopUtilization'>, loss: Loss) => { own:
 *   Note[], lost: Note[] }}
 */
export function dividedReasons({ reasons, eventLoopUtilization }, loss) {
  const isIdleOtherwise = isNoticeable(loss) && !isBusy(eventLoopUtilization - loss.share);
  const lost = reasons.filter(({ code }) => code === 'stalled' || (code === 'missedRate' && isIdleOtherwise));
  const ignored = reasons.filter(({ code }) => code === 'stopped' || (code === 'saturated' && isIdleOtherwise));
  return { own: reasons.filter((one) => !lost.includes(one) && !ignored.includes(one)), lost };
}

/**
 * Reports whether a threshold fails even if the load generator added what it may have: a stop delays the iterations
 * that are due in it, and reaches a percentile if it delays enough of them.
 * @type {(judgement: Judgement, loss: Loss) => boolean}
 */
export function failsWithout({ figure, unit, operator, actual, bound }, { share, longestMs }) {
  if (actual === null || share < LEAST_SHARE) return true;
  if (unit === '/s') return !COMPARATORS[operator](actual / (1 - Math.min(share, 0.99)), bound);
  if (unit !== 'ms') return true;
  const percentile = percentileOf(figure);
  if (percentile !== null && QUEUE * share < 1 - percentile / 100) return true;
  return !COMPARATORS[operator](actual - QUEUE * longestMs, bound);
}

/** @type {(loss: Loss) => Note} */
export function starvedNote({ share, longestMs }) {
  return {
    code: 'starved',
    message: `the load generator lacked CPU for ${percent(share)} of the time, up to ${milliseconds(longestMs)} ms at once`,
  };
}
