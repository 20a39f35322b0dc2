/**
 * @typedef {object} Stop
 * @property {number} count of those that are long enough to be counted
 * @property {number} longest ms
 * @property {number} total ms
 *
 * @typedef {Record<typeof STOPS[number], Stop>} Stops times in which a thread did not read its sockets, by their cause
 */

/**
 * `blocked`: its code ran; `noCpu`: it could run, but other threads had the CPU, or its quota was used up; `suspended`:
 * neither, so the process or the machine was stopped; `gc`: collections of garbage, which are part of `blocked`.
 */
export const STOPS = /** @type {const} */ (['blocked', 'noCpu', 'suspended', 'gc']);

/** @type {() => Stop} */
export function noStop() {
  return { count: 0, longest: 0, total: 0 };
}

/** @type {(stop: Stop, ms: number) => void} */
export function countStop(stop, ms) {
  stop.count++;
  stop.total += ms;
  if (ms > stop.longest) stop.longest = ms;
}

/**
 * Those of several threads as one. A suspension of a process suspends all of its threads, so it is counted once.
 *
 * @param {Stops[]} all
 * @param {{ isOneProcess?: boolean }} [options]
 * @returns {Stops} the total is the sum of all threads
 */
export function addStops(all, { isOneProcess = false } = {}) {
  const add = (/** @type {typeof STOPS[number]} */ cause) =>
    all.reduce(
      (sum, { [cause]: { count, longest, total } }) => ({
        count: isOneProcess && cause === 'suspended' ? Math.max(sum.count, count) : sum.count + count,
        longest: Math.max(sum.longest, longest),
        total: sum.total + total,
      }),
      noStop(),
    );
  return /** @type {Stops} */ (Object.fromEntries(STOPS.map((cause) => [cause, add(cause)])));
}

/** A timer that is late by more than this, ms, means that its thread was suspended or blocked, not only busy. */
export const SUSPENDED_MS = 500;
/**
 * A hook that blocks in a system call seems to be suspended: so many count, so that limits of time are not postponed
 * forever.
 */
const MOST = 3;

/**
 * Finds the time in which the process was suspended (SIGSTOP, a paused virtual machine): its thread neither ran nor
 * waited for a CPU.
 */
export class SuspendedTime {
  #count = 0;

  /**
   * @param {number} lateMs how late a timer is
   * @param {number} ownMs time in which its thread ran, or waited for a CPU, since the timer was set
   * @returns {number} ms; 0: the thread was not suspended, or three suspensions were found before
   */
  find(lateMs, ownMs) {
    const suspendedMs = lateMs - ownMs;
    return suspendedMs > SUSPENDED_MS && this.#count++ < MOST ? suspendedMs : 0;
  }
}
