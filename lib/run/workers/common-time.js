/**
 * Difference between the clock of this thread and the time that all threads share, ms: performance.now() counts from
 * the start of its thread.
 */
const OFFSET_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/**
 * @param {number} instant of this thread's clock
 * @returns {number} common time
 */
export function toCommonTime(instant) {
  return instant + OFFSET_MS;
}

/**
 * @param {number} time common time
 * @returns {number} instant of this thread's clock
 */
export function fromCommonTime(time) {
  return time - OFFSET_MS;
}
