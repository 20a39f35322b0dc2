/** Between the clock of this thread and that of all threads, ms: performance.now() counts from a thread's own start. */
const AHEAD_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** @type {(instant: number) => number} */
export function toCommonTime(instant) {
  return instant + AHEAD_MS;
}

/** @type {(time: number) => number} */
export function fromCommonTime(time) {
  return time - AHEAD_MS;
}
