/** The clock of a run. It is passed as an argument, so that tests can control time. */
export interface Clock {
  /** milliseconds, monotonic, with a resolution below 1 us */
  now: () => number;
  /** calls repeatedly; returns a function that cancels */
  every: (fn: () => void, ms: number) => () => void;
  /** calls once, never early, as soon as possible if `ms` is negative; returns a function that cancels */
  after: (fn: () => void, ms: number) => () => void;
  /** calls once, when all sockets that have data have been read; returns a function that cancels */
  afterReads: (fn: () => void) => () => void;
}

/** Bounds how long data that arrived for this thread was not read. */
export interface ReadDelay {
  /** How long an event that is handled at this instant may have waited for this thread, ms. */
  at(now: number): number;
  /** Time so far in which the event loop did not wait, ms. */
  busyAt(now: number): number;
  /** Called by a timer every 5 ms. */
  tick(now: number): void;
}
