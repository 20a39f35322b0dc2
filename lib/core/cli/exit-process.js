/** @import { Io } from './types.js' */

/** The process ends within some ms, on a busy machine some hundred. If not, the thread pool of libuv is blocked. */
const KILL_MS = 2000;

/** The resources that a command has opened, with functions that close them after its result is printed. */
export class Shutdown {
  /** @type {(() => Promise<unknown>)[]} */
  #closers = [];

  /**
   * Adds a function that closes a resource. It has its own deadline, and resolves with false if a thread still runs.
   * @type {(close: () => Promise<unknown>) => void}
   */
  add(close) {
    this.#closers.push(close);
  }

  /** Closes all resources; resolves with false if a thread still runs. @type {() => Promise<boolean>} */
  async run() {
    const closed = await Promise.all(this.#closers.map((close) => close()));
    return !closed.includes(false);
  }
}

/**
 * Ends the process when everything is closed, or when the deadlines for closing have passed.
 * @type {(code: number, shutdown: Shutdown) => Promise<void>}
 */
export async function exitProcess(code, shutdown) {
  if (!(await shutdown.run())) await exitWithoutThreads(code);
  process.exit(code);
}

/**
 * `process.exit()` joins all threads, so a thread that is blocked in a system call (`execSync`, a read from a pipe)
 * would block it. Two functions of Node end the process without joining its threads:
 *
 * - `process.execve` (Node >= 22.15, not on Windows) replaces the process by a shell that exits with the code.
 * - `proc_exit` of WASI calls exit(3). It is safe if a thread is blocked, but not if one is just ending, so ending
 *   threads are awaited before. It waits for work in the thread pool of libuv, such as a slow DNS lookup; if there is
 *   any, the process is killed (exit code 137).
 * @type {(code: number) => Promise<void>}
 */
async function exitWithoutThreads(code) {
  const { execve } = /** @type {{ execve?: (file: string, args: string[], env: NodeJS.ProcessEnv) => void }} */ (
    process
  );
  if (execve && process.platform !== 'win32') execve('/bin/sh', ['sh', '-c', `exit ${code}`], {});
  await killLater();
  const { WASI } = await import('node:wasi');
  const wasi = new WASI({ version: 'preview1', returnOnExit: false });
  const { Memory } = /** @type {any} */ (globalThis).WebAssembly;
  wasi.initialize({ exports: { memory: new Memory({ initial: 1 }) } });
  /** @type {any} */ (wasi.wasiImport).proc_exit(code);
}

/** Starts a process that kills this one after KILL_MS; resolves when it runs. @type {() => Promise<unknown>} */
async function killLater() {
  const { spawn } = await import('node:child_process');
  const kill = `
    setTimeout(() => process.kill(${process.pid}, 'SIGKILL'), ${KILL_MS});
    // closed when this process has ended
    process.stdin.on('close', () => process.exit()).resume();`;
  const killer = spawn(process.execPath, ['-e', kill], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  });
  killer.unref();
  return new Promise((resolve) => killer.once('spawn', resolve).once('error', resolve));
}

/**
 * @typedef {object} Stoppable
 * @property {(reason: string, options?: { within?: number }) => void} stop gracefully
 * @property {() => void} abort
 */

// docker and systemd kill about 10 s after SIGTERM: 3 s for iterations, 3 s for teardown, the rest for the report.
const WITHIN_MS = 3000;
const ABORT_MS = 6000;

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Stops a run gracefully on the first signal and aborts it on the second; SIGTERM and SIGHUP have a time limit. While
 * results are being written, the first signal waits for them. Handlers stay installed until exit, so a late signal
 * cannot change the exit code.
 */
export class Signals {
  #io;
  #notify;
  /** The name of the first signal; null: none. @type {string | null} */
  first = null;
  /** The run that signals stop; null: none runs, and results are being written. @type {Stoppable | null} */
  #run = null;
  /** Aborts the run after its time limit. @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {Io} io @param {(text: string) => void} notify prints a line */
  constructor(io, notify) {
    this.#io = io;
    this.#notify = notify;
    for (const name of SIGNALS) io.on(name, this.#onSignal);
  }

  /** Directs signals to a run until its end. @type {<O>(run: Stoppable & { outcome: Promise<O> }) => Promise<O>} */
  async direct(run) {
    this.#run = run;
    try {
      return await run.outcome;
    } finally {
      clearTimeout(this.#timer);
      this.#run = null;
    }
  }

  /** Waits for signals that arrived while a pipe was full: they are handled in the next turns of the event loop. */
  async settled() {
    for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve));
  }

  /** @type {(name: string) => void} */
  #onSignal = (name) => {
    const isFirst = this.first === null;
    this.first ??= name;
    if (this.#run === null) {
      this.#notify('Stopping: the result is being written. Press Ctrl-C again to abort.');
      // Restores the default handlers: the next signal kills the process.
      for (const each of SIGNALS) this.#io.off(each, this.#onSignal);
    } else if (!isFirst) this.#run.abort();
    else if (name === 'SIGINT') {
      this.#run.stop(name);
      this.#notify('Stopping: running iterations finish, then afterMain and after run. Press Ctrl-C again to abort.');
    } else {
      this.#timer = setTimeout(this.#run.abort, ABORT_MS);
      this.#run.stop(name, { within: WITHIN_MS });
    }
  };
}
