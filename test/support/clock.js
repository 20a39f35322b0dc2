import { clock as runClock } from '../../lib/core/run/clock.js';

/**
 * Runs a synchronous function while `performance.now`, the clock of runs, timers and immediates follow a clock that only moves
 * when the story advances it.
 *
 * @template T
 * @param {(clock: Clock) => T} story
 * @returns {T}
 */
export function withClock(story) {
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = globalThis;
  const now = Object.getOwnPropertyDescriptor(performance, 'now');
  const runNow = runClock.now;
  const clock = new Clock();
  runClock.now = () => clock.now();
  Object.defineProperty(performance, 'now', { configurable: true, writable: true, value: () => clock.now() });
  globalThis.setTimeout = (act, ms) => clock.add(act, ms);
  globalThis.setInterval = (act, ms) => clock.repeat(act, ms);
  globalThis.clearInterval = (repeated) => clock.remove(repeated.timer);
  globalThis.setImmediate = (act) => clock.add(act, 0);
  globalThis.clearTimeout = globalThis.clearImmediate = (timer) => clock.remove(timer);
  try {
    return story(clock);
  } finally {
    runClock.now = runNow;
    Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate });
    if (now) Object.defineProperty(performance, 'now', now);
    else delete performance.now;
  }
}

class Clock {
  #now = 0;
  #timers = new Set();

  now() {
    return this.#now;
  }

  add(act, ms) {
    const timer = { act, at: this.#now + ms };
    this.#timers.add(timer);
    return timer;
  }

  repeat(act, ms) {
    const repeated = { timer: null };
    const next = () => {
      repeated.timer = this.add(() => {
        next();
        act();
      }, ms);
    };
    next();
    return repeated;
  }

  remove(timer) {
    this.#timers.delete(timer);
  }

  /** Time passes, and each timer runs when it is due. */
  advance(ms) {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.act();
    }
    this.#now = end;
  }

  /** Time passes, and no timer runs meanwhile: the process is suspended. */
  standStill(ms) {
    this.#now += ms;
  }
}
