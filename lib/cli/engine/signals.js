/**
 * @import { Io } from '../main.js'
 *
 * @typedef {object} Stoppable
 * @property {(reason: string, options?: { within?: number }) => void} stop gracefully
 * @property {() => void} abort
 */

// docker and systemd kill about 10 s after SIGTERM: 3 s for iterations, 3 s for teardown, the rest for the report
const WITHIN_MS = 3000;
const ABORT_MS = 6000;

/**
 * Stops a run gracefully on the first signal and aborts it on the second; SIGTERM and SIGHUP have a time limit. While
 * results are being written, the first signal waits for them. Handlers stay installed until exit, so a late signal
 * cannot change the exit code.
 *
 * @param {Io} io
 * @param {(text: string) => void} notify prints a line
 */
export function handleSignals(io, notify) {
  /** @type {string | null} */
  let first = null;
  /** @type {Stoppable | null} */
  let engine = null;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  /** @type {(name: string) => void} */
  const onSignal = (name) => {
    const isFirst = first === null;
    first ??= name;
    if (engine === null) {
      notify('Stopping: the result is being written. Press Ctrl-C again to abort.');
      // restore the default handlers: the next signal kills the process
      for (const each of SIGNALS) io.off(each, onSignal);
    } else if (!isFirst) engine.abort();
    else if (name === 'SIGINT') {
      engine.stop(name);
      notify('Stopping: running iterations finish, then afterMain and after run. Press Ctrl-C again to abort.');
    } else {
      timer = setTimeout(engine.abort, ABORT_MS);
      engine.stop(name, { within: WITHIN_MS });
    }
  };

  for (const name of SIGNALS) io.on(name, onSignal);
  return {
    /** Name of the first signal; null: none. */
    get first() {
      return first;
    },
    /** Directs signals to a run until its end. @template O @param {Stoppable & { outcome: Promise<O> }} run @returns {Promise<O>} */
    async direct(run) {
      engine = run;
      try {
        return await run.outcome;
      } finally {
        clearTimeout(timer);
        engine = null;
      }
    },
    /** Waits for signals that arrived while a pipe was full: they are handled in the next turns of the event loop. */
    async settled() {
      for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Signals that stop a command. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
