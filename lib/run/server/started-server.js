import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { makeError } from '../../errors.js';
import { safeLines } from '../../text/safe.js';
import { writeMs } from '../../units.js';
import { OutputTail } from './output-tail.js';
import { accepts, answers } from './probe.js';
import { endGroup, guardGroup, isGroupAlive } from './process-group.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Answer } from './probe.js'
 *
 * @typedef {object} StartSettings plain data: the command starts the server in another thread than its run
 * @property {string | string[]} command a line for the shell, or a program and its arguments
 * @property {Record<string, string>} env added to the environment
 * @property {string} cwd
 * @property {number} timeout ms, until the server is ready
 * @property {string[]} origins where it may listen: one, or those of both IP versions
 * @property {string} [socketPath] where it listens, instead of host and port
 * @property {string} [ready] URL, relative to the origin, that must answer with 2xx or 3xx
 * @property {boolean} insecure certificates are not verified
 * @property {string | undefined} port in PORT
 * @property {boolean} isPortFree it was chosen for this run, so nothing else listens there
 *
 * @typedef {object} ServerEnd why a server has ended, to make an error of
 * @property {string} how `ended with code 1 after 2.3 s`
 * @property {string} command
 */

/** Grace period from SIGTERM to SIGKILL. */
export const STOP_MS = 5000;
const POLL_MS = 50;
/** lines of output in a message */
const LINES = 30;
const LONGEST_COMMAND = 200;
/** What the output of a server that ended says about the reason. @type {[RegExp, string][]} */
const REMEDIES = [
  [/EADDRINUSE|address already in use/i, 'its port is in use: let it listen on the port in PORT, or stop what uses it'],
  [/Cannot find module/, 'check the path: it is relative to the folder in which the command runs'],
  [/not found|not recognized/i, 'is the program installed? npx finds those of node_modules'],
  [/EACCES|permission denied/i, 'it may not do this: check the port (1024 or above) and its files'],
];

/** A server that the run starts as a process of its own, and ends after it. */
export class StartedServer {
  #settings;
  #output = new OutputTail();
  /** @type {ChildProcess | null} */
  #child = null;
  #startedAt = 0;
  /** null while it runs @type {ServerEnd | null} */
  #end = null;
  #isStopping = false;
  /** @type {NodeJS.Timeout | undefined} */
  #watch;
  #releaseGuard = () => {};
  /** @type {(end: ServerEnd) => void} */
  #onEnd = () => {};

  /** @param {StartSettings} settings */
  constructor(settings) {
    this.#settings = settings;
  }

  /**
   * Starts the server and waits until it is ready.
   *
   * @param {() => boolean} [isCancelled] whether it is not needed any more
   * @returns {Promise<{ pid: number, origin: string }>}
   * @throws {Error} E_START_IN_USE, E_START_COMMAND, E_START_ENDED, E_START_TIMEOUT
   */
  async start(isCancelled = () => this.#isStopping) {
    await this.#refuseInUse();
    // a process that starts after the stop would not be ended
    if (this.#isStopping)
      throw this.#error('E_START_ENDED', { how: 'was stopped', awaited: this.#awaited, cure: 'start it again' });
    const child = this.#spawn();
    await new Promise((done) => child.once('spawn', done).once('error', done));
    if (child.pid === undefined) throw this.#error('E_START_COMMAND', { how: this.#end?.how });
    this.#releaseGuard = guardGroup(child.pid);
    const origin = await this.#ready(isCancelled);
    return { pid: child.pid, origin };
  }

  /** @param {(end: ServerEnd) => void} listener called once, when the server ends before it is stopped */
  onEnd(listener) {
    this.#onEnd = listener;
    if (this.#end && !this.#isStopping) listener(this.#end);
  }

  /** @returns {boolean} it ended by itself */
  get hasEnded() {
    return this.#end !== null && !this.#isStopping;
  }

  /** @returns {string} its last lines, indented; empty if it wrote nothing */
  outputText() {
    return this.#output
      .lines(LINES)
      .map((line) => `\n  | ${safeLines(line)}`)
      .join('');
  }

  /** Ends the server and all that it started. @param {number} [graceMs] from SIGTERM to SIGKILL */
  async stop(graceMs = STOP_MS) {
    this.#isStopping = true;
    clearInterval(this.#watch);
    const pid = this.#child?.pid;
    if (pid !== undefined) await endGroup(pid, graceMs);
    this.#releaseGuard();
    // processes that left the group may hold them open
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
  }

  async #refuseInUse() {
    const { isPortFree, origins, socketPath } = this.#settings;
    if (isPortFree || !(await accepts({ origin: origins[0], socketPath }))) return;
    throw makeError('E_START_IN_USE', { place: socketPath ?? origins[0] });
  }

  /** @returns {ChildProcess} */
  #spawn() {
    const { command, env, cwd, port } = this.#settings;
    const [file, ...args] = [command].flat();
    const child = spawn(file, args, {
      cwd: resolve(cwd),
      env: { ...process.env, ...(port !== undefined && { PORT: port }), ...env },
      shell: typeof command === 'string',
      stdio: ['ignore', 'pipe', 'pipe'],
      // a group of its own, which can be ended as a whole
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    this.#startedAt = performance.now();
    child.stdout.on('data', (chunk) => this.#output.add(chunk));
    child.stderr.on('data', (chunk) => this.#output.add(chunk));
    child.on('error', ({ message }) => this.#ended(message));
    child.on('exit', (code, signal) => this.#exited(`ended with ${signal ?? `code ${code}`} after ${this.#age}`));
    return child;
  }

  get #age() {
    return `${((performance.now() - this.#startedAt) / 1000).toFixed(1)} s`;
  }

  /** A command that puts its server into the background ends before it. @type {(how: string) => void} */
  #exited(how) {
    const pid = /** @type {number} */ (this.#child?.pid);
    if (!isGroupAlive(pid)) return this.#ended(how);
    this.#watch = setInterval(() => {
      if (!isGroupAlive(pid)) this.#ended(how);
    }, 5 * POLL_MS);
    return undefined;
  }

  /** @type {(how: string) => void} */
  #ended(how) {
    clearInterval(this.#watch);
    if (this.#end) return;
    this.#end = {
      how,
      command: this.#command,
    };
    if (!this.#isStopping) this.#onEnd(this.#end);
  }

  /** @type {(isCancelled: () => boolean) => Promise<string>} the origin at which it is ready */
  async #ready(isCancelled) {
    const { origins, timeout } = this.#settings;
    const until = performance.now() + timeout;
    let last = '';
    for (;;) {
      // the last probe begins after the time limit: the server may become ready while this process is suspended
      const isLast = performance.now() >= until;
      for (const origin of origins) {
        const { isReady, what } = await this.#probe(origin);
        // what answers may be another server
        if (this.#end) break;
        if (isReady || isCancelled()) return origin;
        last = what;
      }
      if (this.#end) {
        // what it wrote last may still be on its way
        await delay(POLL_MS);
        throw this.#error('E_START_ENDED', { how: this.#end.how, awaited: this.#awaited, cure: this.#cureOfEnd });
      }
      if (isLast)
        throw this.#error('E_START_TIMEOUT', {
          awaited: this.#awaited + last,
          after: writeMs(timeout),
          cure: this.#cureOfTimeout,
        });
      await delay(POLL_MS);
    }
  }

  /** @type {(origin: string) => Promise<Answer>} */
  async #probe(origin) {
    const { ready, socketPath, insecure } = this.#settings;
    if (ready === undefined) return { isReady: await accepts({ origin, socketPath }), what: '' };
    const { isReady, what } = await answers(new URL(ready, origin).href, { socketPath, insecure });
    return { isReady, what: `, which ${what}` };
  }

  /** Describes what is waited for. */
  get #awaited() {
    const { ready, origins, socketPath } = this.#settings;
    if (ready !== undefined) return `2xx or 3xx of GET ${new URL(ready, origins[0]).href}`;
    return `a connection to ${socketPath ?? origins[0]}`;
  }

  get #cureOfTimeout() {
    const { isPortFree } = this.#settings;
    const place = isPortFree
      ? 'does it listen on the port in PORT? If it has a port of its own, write --ready http://localhost:3000/'
      : 'is this its address?';
    return `${place}; --start-timeout waits longer`;
  }

  get #cureOfEnd() {
    const output = this.#output.lines(LINES).join('\n');
    const [, remedy] = REMEDIES.find(([pattern]) => pattern.test(output)) ?? [];
    return remedy ?? `run it yourself in ${resolve(this.#settings.cwd)}; it must stay in the foreground`;
  }

  get #command() {
    const text = [this.#settings.command].flat().join(' ');
    return text.length > LONGEST_COMMAND ? `${text.slice(0, LONGEST_COMMAND)}…` : text;
  }

  /** @type {(code: string, details: Record<string, unknown>) => Error} */
  #error(code, details) {
    const output = this.outputText();
    const last = output === '' ? '. It wrote nothing' : `. Its last output:${output}`;
    return makeError(code, { command: this.#command, ...details, output: last });
  }
}
