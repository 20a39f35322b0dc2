/** A timer that is late by more than this, ms, means that its thread was suspended or blocked, not only busy. */
export const SUSPENDED_MS = 500;
/** A hook that blocks in a system call seems to be suspended: so many count, so that limits of time are not postponed forever. */
const MOST = 3;

/** Finds the time in which the process was suspended (SIGSTOP, a paused virtual machine): its thread neither ran nor waited for a CPU. */
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
