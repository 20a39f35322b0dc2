/**
 * @import { Io } from './main.js'
 */

// docker and systemd kill some 10 s after SIGTERM: iterations get 3 s of it, tear-down 3 s, the report the rest
const WITHIN_MS = 3000;
const LEAVE_MS = 6000;

/**
 * The first signal stops the run gracefully, the second leaves at once. SIGTERM and SIGHUP are in a hurry.
 *
 * @param {Io} io
 * @param {{ stop: (reason: string, options?: { within?: number }) => void, leave: () => void }} engine
 * @param {(text: string) => void} say
 */
export function heedSignals(io, engine, say) {
  /** @type {string | null} */
  let first = null;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  /** @type {(name: string) => void} */
  const heed = (name) => {
    if (first) return engine.leave();
    first = name;
    if (name === 'SIGINT') {
      engine.stop(name);
      say('Stopping: what is under way may end, then afterMain and after run. Ctrl-C again leaves at once.');
      return undefined;
    }
    timer = setTimeout(engine.leave, LEAVE_MS);
    return engine.stop(name, { within: WITHIN_MS });
  };

  for (const name of SIGNALS) io.on(name, heed);
  return {
    get first() {
      return first;
    },
    close() {
      clearTimeout(timer);
      for (const name of SIGNALS) io.off(name, heed);
    },
  };
}

/** What asks a command to end. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
