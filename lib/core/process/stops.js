/** @import { Count, Ms } from '../contracts/quantities.js' */

/**
 * @typedef {object} Stop
 * @property {Count} count of those that are long enough to be counted
 * @property {Ms} longest
 * @property {Ms} total
 *
 * @typedef {Record<typeof STOPS[number], Stop>} Stops times in which a thread did not read its sockets, by their cause
 */

/**
 * `blocked`: its code ran; `noCpu`: it could run, but other threads had the CPU, or its quota was used up; `suspended`:
 * neither, so the process or the machine was stopped; `gc`: garbage collections, which are part of `blocked`.
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
 * Adds up the stops of several threads; the total is the sum of all. A suspension of a process suspends all of its
 * threads, so it is counted once.
 * @type {(all: Stops[], options?: { isOneProcess?: boolean }) => Stops}
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
/** A hook that blocks in a system call looks suspended: so many count, so that limits are not postponed forever. */
const MOST = 3;

/** Finds the time in which the process was suspended (SIGSTOP, a paused VM): its thread neither ran nor waited. */
export class SuspendedTime {
  #count = 0;

  /**
   * Returns how long the thread was suspended, ms; 0: it was not, or three suspensions were found before. `lateMs` is
   * how late a timer is, `ownMs` the time since it was set in which the thread ran, or waited for a CPU.
   * @type {(lateMs: number, ownMs: number) => number}
   */
  find(lateMs, ownMs) {
    const suspendedMs = lateMs - ownMs;
    return suspendedMs > SUSPENDED_MS && this.#count++ < MOST ? suspendedMs : 0;
  }
}
