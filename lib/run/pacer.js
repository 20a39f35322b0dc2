/** @import { Clock } from './clock.js' */

/**
 * Wakes who waits for an instant. Instants never fall, so that those who wait stand in line, and one timer for the
 * first of them does for all. It is never early; on an idle machine it is late by less than a millisecond.
 *
 * @param {Clock} clock
 */
export function createPacer(clock) {
  /** @type {{ at: number, wake: () => void }[]} */
  let line = [];
  let first = 0;
  let cancel = () => {};

  const wakeDue = () => {
    const now = clock.now();
    while (first < line.length && line[first].at <= now) line[first++].wake();
    if (first === line.length) {
      line = [];
      first = 0;
    } else arm();
  };

  const arm = () => {
    cancel = clock.after(wakeDue, Math.max(1, Math.ceil(line[first].at - clock.now())));
  };

  return {
    /** @type {(at: number) => Promise<void>} */
    until(at) {
      return new Promise((wake) => {
        if (line.push({ at, wake }) - first === 1) arm();
      });
    },

    /** Everybody, now: there is nothing to wait for any more. */
    wakeAll() {
      cancel();
      const waiting = line.slice(first);
      line = [];
      first = 0;
      for (const { wake } of waiting) wake();
    },
  };
}

/** @typedef {ReturnType<typeof createPacer>} Pacer */
