/**
 * @import { Io } from './main.js'
 */

// docker and systemd kill some 10 s after SIGTERM: iterations get 3 s of it, tear-down 3 s, the report the rest
const WITHIN_MS = 3000;
const LEAVE_MS = 6000;

/**
 * The first signal stops the run gracefully, the second leaves at once. SIGTERM and SIGHUP are in a hurry. Where the run is
 * over and its result is being written, the first lets that come to its end.
 *
 * @param {Io} io
 * @param {{ stop: (reason: string, options?: { within?: number }) => void, leave: () => void }} engine
 * @param {(text: string) => void} say
 */
export function heedSignals(io, engine, say) {
  /** @type {string | null} */
  let first = null;
  let isOver = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  /** @type {(name: string) => void} */
  const heed = (name) => {
    const isFirst = first === null;
    first ??= name;
    if (isOver) {
      say('Stopping: the result is being written. Ctrl-C again leaves at once.');
      close();
    } else if (!isFirst) engine.leave();
    else if (name === 'SIGINT') {
      engine.stop(name);
      say('Stopping: what is under way may end, then afterMain and after run. Ctrl-C again leaves at once.');
    } else {
      timer = setTimeout(engine.leave, LEAVE_MS);
      engine.stop(name, { within: WITHIN_MS });
    }
  };
  /** The next one does as it always does. */
  const close = () => {
    clearTimeout(timer);
    for (const name of SIGNALS) io.off(name, heed);
  };

  for (const name of SIGNALS) io.on(name, heed);
  return {
    get first() {
      return first;
    },
    /** The run has ended. */
    over() {
      clearTimeout(timer);
      isOver = true;
    },
    /** A signal that came while a pipe was full is heard in the next turns of the event loop. */
    async heard() {
      for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve));
    },
    close,
  };
}

/** What asks a command to end. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
