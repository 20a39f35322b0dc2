/**
 * @import { Io } from './main.js'
 *
 * @typedef {{ stop: (reason: string, options?: { within?: number }) => void, leave: () => void }} Stoppable
 */

// docker and systemd kill some 10 s after SIGTERM: iterations get 3 s of it, tear-down 3 s, the report the rest
const WITHIN_MS = 3000;
const LEAVE_MS = 6000;

/**
 * The first signal stops a run gracefully, the second leaves at once. SIGTERM and SIGHUP are in a hurry. Where no run is
 * under way and results are being written, the first lets that come to its end. Heeded until the process ends: one on
 * the way out changes nothing of what is decided.
 *
 * @param {Io} io
 * @param {(text: string) => void} say
 */
export function heedSignals(io, say) {
  /** @type {string | null} */
  let first = null;
  /** @type {Stoppable | null} */
  let engine = null;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  /** @type {(name: string) => void} */
  const heed = (name) => {
    const isFirst = first === null;
    first ??= name;
    if (engine === null) {
      say('Stopping: the result is being written. Ctrl-C again leaves at once.');
      // the next one does as it always does
      for (const each of SIGNALS) io.off(each, heed);
    } else if (!isFirst) engine.leave();
    else if (name === 'SIGINT') {
      engine.stop(name);
      say('Stopping: what is under way may end, then afterMain and after run. Ctrl-C again leaves at once.');
    } else {
      timer = setTimeout(engine.leave, LEAVE_MS);
      engine.stop(name, { within: WITHIN_MS });
    }
  };

  for (const name of SIGNALS) io.on(name, heed);
  return {
    get first() {
      return first;
    },
    /** They are for this run until its end. @template O @param {Stoppable & { outcome: Promise<O> }} run @returns {Promise<O>} */
    async during(run) {
      engine = run;
      try {
        return await run.outcome;
      } finally {
        clearTimeout(timer);
        engine = null;
      }
    },
    /** A signal that came while a pipe was full is heard in the next turns of the event loop. */
    async heard() {
      for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** What asks a command to end. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
