const READINGS = 10;

/**
 * Difference between the clock of this thread and the time that all threads share, ms: performance.now() counts from
 * the start of its thread.
 */
const OFFSET_MS = offsetMs();

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

/**
 * Reads one clock between two readings of the other. The readings that are closest together have the least error: the
 * first ones of a thread take up to a millisecond, as Node loads the clock with them.
 */
function offsetMs() {
  let best = { between: Infinity, offset: 0 };
  for (let i = 0; i < READINGS; i++) {
    const from = commonMs();
    const own = performance.now();
    const to = commonMs();
    if (to - from < best.between) best = { between: to - from, offset: (from + to) / 2 - own };
  }
  return best.offset;
}

function commonMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}
