/** @import { Tick } from '../types.js' */

/** Below this share of the run its end cannot be estimated. */
const FEWEST_SHARE = 0.02;
const MINUTES_FROM_MS = 120_000;

/**
 * How long a run has lasted, and how long it lasts in all: `33 s of 60 s`. A run that ends after a number of iterations has
 * an estimate: `12 s of ~22 s`.
 *
 * @param {Pick<Tick, 'elapsedMs' | 'share' | 'phase'>} tick
 * @param {number} totalMs Infinity if no duration ends the run
 * @returns {string}
 */
export function durationText({ elapsedMs, share, phase }, totalMs) {
  if (phase === 'after') return 'after';
  if (elapsedMs === null) return 'before and warm-up';
  // what ends the run first decides
  const estimated = share >= FEWEST_SHARE ? elapsedMs / share : Infinity;
  const isEstimate = estimated < totalMs * 0.99;
  const total = isEstimate ? Math.round(estimated / 1000) * 1000 : totalMs;
  if (total === Infinity) return timeText(elapsedMs, elapsedMs);
  const shown = Math.min(elapsedMs, total);
  return `${timeText(shown, total)} of ${isEstimate ? '~' : ''}${timeText(total, total)}`;
}

/** Seconds, or minutes and seconds if the whole is long. @type {(ms: number, wholeMs: number) => string} */
function timeText(ms, wholeMs) {
  // a second counts when it is over; an estimate is rounded to whole seconds
  const seconds = Math.floor(ms / 1000 + 1e-6);
  if (wholeMs < MINUTES_FROM_MS) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest} min`;
}
