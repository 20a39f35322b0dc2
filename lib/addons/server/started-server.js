import { spawn } from 'node:child_process';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { offered } from '../../core/ground/addons.js';
import { makeError } from '../../core/ground/errors.js';
import { systemError } from '../../core/ground/system-errors.js';
import { writeMs } from '../../core/ground/units.js';
import { addressOf, isLoopback, withoutBrackets } from '../../core/http/url-parts.js';
import { isSecretName, maskText } from '../../core/text/mask.js';
import { clock } from '../../core/run/clock.js';
import { OutputTail } from './output-tail.js';
import { PreloadChannel } from './preload-channel.js';
import { endGroup, guardGroup } from './process-group.js';
import { ServerWatch } from './server-watch.js';

/** @import { Answer, ServerEnd, StartSettings } from './types.js' */
/** @import { ChildProcess } from 'node:child_process' */
/** @import { ProbeEntry } from '../../core/run/types.js' */

/** @type {ProbeEntry[]} */
const PROBES = offered('probes');

/** Finds what asks a server, by the scheme of its URL. @type {(ready: string) => ProbeEntry | undefined} */
function probeOf(ready) {
  return PROBES.find(({ scheme }) => new RegExp(`^${scheme}s?:`, 'i').test(ready));
}

/** Grace period from SIGTERM to SIGKILL. */
const STOP_MS = 5000;
const POLL_MS = 50;
/** Length of one probe after the time limit, as this process may have been suspended until then. */
const LAST_PROBE_MS = 250;
const LONGEST_COMMAND = 200;
/** Texts in the output of a server that ended, with the reason that they show. @type {[RegExp, string][]} */
const REMEDIES = [
  [/EADDRINUSE|address already in use/i, 'its port is in use: let it listen on the port in PORT, or stop what uses it'],
  [
    /_preloadModules[^]*ERR_ACCESS_DENIED/,
    'its permissions (--permission) do not allow Node to read the file that sends figures and profiles: add --watch off, and leave out --profile',
  ],
  [/Cannot find module/, 'check the path: it is relative to the folder in which the command runs'],
  [/not found|not recognized/i, 'is the program installed? npx finds those of node_modules'],
  [/EACCES|permission denied/i, 'it may not do this: check the port (1024 or above) and its files'],
];
/** Programs that go to the background, with what keeps them in the foreground. @type {[RegExp, string][]} */
const FOREGROUND = [
  [/\bnginx\b/, "nginx -g 'daemon off;'"],
  [/\bredis-server\b|\bvalkey-server\b/, 'redis-server --daemonize no'],
  [/\bgunicorn\b/, 'gunicorn without --daemon'],
  [/\bpm2\b/, 'pm2-runtime instead of pm2'],
  [/\b(?:docker|podman)\b/, 'docker run or docker compose up without -d'],
  [/\b(?:apache2(?:ctl)?|apachectl|httpd)\b/, 'httpd -DFOREGROUND'],
  [/\bpg_ctl\b/, 'postgres instead of pg_ctl'],
  [/&/, 'the command without &'],
];
const ANY_FOREGROUND = "for example nginx -g 'daemon off;'";

/** A server that the run starts as a process of its own, and ends after it. */
export class StartedServer {
  #settings;
  #output = new OutputTail();
  /** To its threads of Node. @type {PreloadChannel | null} */
  #preload = null;
  /** @type {ServerWatch | null} */
  channel = null;
  /** @type {ChildProcess | null} */
  #child = null;
  /** By performance.now(). */
  #startedAt = 0;
  /** How it ended: `ended with code 3 after 0.4 s`; empty while it runs. */
  endedHow = '';
  /** What to do about that. @type {Promise<string | undefined>} */
  #cure = Promise.resolve(undefined);
  /** The server ended before a stop. */
  hasEnded = false;
  #isStopping = false;
  #releaseGuard = () => {};
  /** @type {(end: ServerEnd) => void} */
  #announce = () => {};
  /** Resolves once, if it ends before a stop. @type {Promise<ServerEnd>} */
  #announced = new Promise((announce) => (this.#announce = announce));

  /** @param {StartSettings} settings */
  constructor(settings) {
    this.#settings = settings;
  }

  /**
   * Starts the server and waits until it is ready, or not needed any more (`isCancelled`).
   * @throws {Error} E_START_IN_USE, E_START_COMMAND, E_START_ENDED, E_START_TIMEOUT
   * @type {(isCancelled?: () => boolean) => Promise<{ pid: number, origin: string }>}
   */
  async start(isCancelled = () => this.#isStopping) {
    await this.#refuseInUse();
    if (this.#settings.hasPreload) this.#preload = await PreloadChannel.open();
    // A process that starts after the stop would not be ended.
    if (this.#isStopping) {
      await this.#preload?.close();
      throw this.#error('E_START_ENDED', { how: 'was stopped', awaited: this.#awaited, cure: 'start it again' });
    }
    const child = this.#spawn();
    // At once, without waiting for the server: this process may be killed before it has another turn.
    if (child.pid !== undefined) this.#releaseGuard = guardGroup(child.pid);
    await new Promise((done) => child.once('spawn', done).once('error', done));
    if (child.pid === undefined) throw this.#error('E_START_COMMAND', { how: this.endedHow });
    const origin = await this.#ready(isCancelled);
    const { pid } = child;
    this.channel = new ServerWatch(() => (one) => one.pid === pid || one.group === pid, this.#preload);
    return { pid, origin };
  }

  /** Calls it once, if the server ends before a stop. @type {(listener: (end: ServerEnd) => void) => void} */
  onEnd(listener) {
    void this.#announced.then(listener);
  }

  /** Returns its last lines, indented; empty if it wrote nothing. @type {() => Promise<string>} */
  async outputText() {
    await this.#output.ended;
    return this.#output.text();
  }

  /** Ends the server and its group; `graceMs`: from SIGTERM to SIGKILL. @type {(graceMs?: number) => Promise<void>} */
  async stop(graceMs = STOP_MS) {
    this.#isStopping = true;
    const pid = this.#child?.pid;
    if (pid !== undefined) await endGroup(pid, graceMs);
    this.#releaseGuard();
    this.channel?.close();
    await this.#preload?.close();
    // Processes that left the group may hold them open.
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
  }

  async #refuseInUse() {
    const { isPortFree, origins, socketPath } = this.#settings;
    if (isPortFree || !(await accepts({ origin: origins[0], socketPath }))) return;
    throw makeError('E_START_IN_USE', { place: socketPath ?? origins[0] });
  }

  /** @type {() => ChildProcess} */
  #spawn() {
    const { command, port } = this.#settings;
    const [file, ...args] = [command].flat();
    const own = { ...withoutSecrets(process.env), ...(port !== undefined && { PORT: port }), ...this.#settings.env };
    const env = { ...own, ...this.#preload?.variables(own) };
    const child = this.#spawnWith(file, args, env);
    this.#child = child;
    this.#startedAt = performance.now();
    this.#output.follow(child);
    child.on('error', (error) => this.#ended(spawnProblem(error, command)));
    child.on('exit', (code, signal) => this.#ended(`ended with ${signal ?? `code ${code}`} after ${this.#age}`, code));
    return child;
  }

  /** @type {(file: string, args: string[], env: NodeJS.ProcessEnv) => ChildProcess} */
  #spawnWith(file, args, env) {
    const { command, cwd } = this.#settings;
    try {
      return spawn(file, args, {
        cwd: resolve(cwd),
        env,
        shell: typeof command === 'string',
        stdio: ['ignore', 'pipe', 'pipe'],
        // The server has a group of its own, which can be ended as a whole.
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
    } catch (error) {
      throw this.#error('E_START_COMMAND', { how: spawnProblem(/** @type {Error} */ (error), command) });
    }
  }

  get #age() {
    return `${((performance.now() - this.#startedAt) / 1000).toFixed(1)} s`;
  }

  /** @type {(how: string, code?: number | null) => void} */
  #ended(how, code) {
    if (this.endedHow !== '') return;
    this.endedHow = how;
    if (this.#isStopping) return;
    this.hasEnded = true;
    this.#cure = this.#cureOf(code);
    void this.#cure.then((cure = 'its output has the reason') => this.#announce({ how, command: this.#command, cure }));
  }

  /** @type {(code?: number | null) => Promise<string | undefined>} */
  async #cureOf(code) {
    await this.#output.ended;
    const output = this.#output.lines().join('\n');
    const [, remedy] = REMEDIES.find(([pattern]) => pattern.test(output)) ?? [];
    return code === 0 ? this.#cureOfBackground() : remedy;
  }

  /**
   * A command that ends well has started nothing, or a server in the background, which nothing could end after the run.
   * Its group is ended first: what still listens has left it.
   */
  async #cureOfBackground() {
    await endGroup(/** @type {number} */ (this.#child?.pid), STOP_MS);
    const { origins, socketPath } = this.#settings;
    const answers = await Promise.all(origins.map((origin) => accepts({ origin, socketPath })));
    const left = answers.includes(true) ? `; end what it left at ${socketPath ?? origins[answers.indexOf(true)]}` : '';
    const [, example] = FOREGROUND.find(([pattern]) => pattern.test(this.#command)) ?? [];
    return `a server must stay in the foreground: ${example ?? ANY_FOREGROUND}${left}`;
  }

  /** @type {(isCancelled: () => boolean) => Promise<string>} the origin at which it is ready */
  async #ready(isCancelled) {
    const { timeout } = this.#settings;
    const until = performance.now() + timeout;
    for (;;) {
      const leftMs = until - performance.now();
      const isLast = leftMs <= 0;
      const { origin, isReady, what } = await this.#probeAll(isLast ? LAST_PROBE_MS : leftMs, isCancelled);
      // If it has ended, the answer is that of another server.
      if (this.endedHow === '' && (isReady || isCancelled())) return origin;
      if (this.endedHow !== '') {
        const cure = (await this.#cure) ?? `run it yourself in ${resolve(this.#settings.cwd)}`;
        throw this.#error('E_START_ENDED', { how: this.endedHow, awaited: this.#awaited, cure });
      }
      if (isLast)
        throw this.#error('E_START_TIMEOUT', {
          awaited: this.#awaited + what,
          after: writeMs(timeout),
          cure: this.#cureOfTimeout,
        });
      await delay(POLL_MS);
    }
  }

  /**
   * Probes all origins at once, until one is ready, the time is over, or the server is not awaited any more.
   * @type {(ms: number, isCancelled: () => boolean) => Promise<Answer & { origin: string }>}
   */
  async #probeAll(ms, isCancelled) {
    const ending = new AbortController();
    const cancelLimit = clock.after(() => ending.abort(), ms);
    const poll = setInterval(() => (this.endedHow !== '' || isCancelled()) && ending.abort(), POLL_MS);
    try {
      return await new Promise((done) => {
        const probes = this.#settings.origins.map(async (origin) => {
          const answer = { origin, ...(await this.#probe(origin, ending.signal)) };
          if (answer.isReady) done(answer);
          return answer;
        });
        // The reason of the first one, which is the address that was asked for.
        Promise.all(probes).then(([first]) => done(first));
      });
    } finally {
      cancelLimit();
      clearInterval(poll);
      ending.abort();
    }
  }

  /** @type {(origin: string, signal: AbortSignal) => Promise<Answer>} */
  async #probe(origin, signal) {
    const { ready, socketPath, tls } = this.#settings;
    if (ready === undefined) return { isReady: await accepts({ origin, socketPath }, signal), what: '' };
    const own = await probeOf(ready)?.load();
    const ask = own?.answers ?? answers;
    const asked = ask(new URL(ready, origin).href, { socketPath, tls, signal });
    const { isReady, what } = await asked.catch((error) => failed(error, signal));
    return { isReady, what: `, which ${what}` };
  }

  get #awaited() {
    const { ready, origins, socketPath } = this.#settings;
    if (ready !== undefined && probeOf(ready) !== undefined) return `${probeOf(ready)?.awaited} ${ready}`;
    if (ready !== undefined) return `2xx or 3xx of GET ${new URL(ready, origins[0]).href}`;
    return `a connection to ${socketPath ?? origins[0]}`;
  }

  get #cureOfTimeout() {
    const { isPortFree } = this.#settings;
    const place = isPortFree
      ? 'does it listen on the port in PORT? If it has a port of its own, write --start-ready http://localhost:3000/'
      : 'is this its address?';
    return `${place}; --start-timeout waits longer`;
  }

  get #command() {
    const text = [this.#settings.command].flat().join(' ');
    return text.length > LONGEST_COMMAND ? `${text.slice(0, LONGEST_COMMAND)}…` : text;
  }

  /** @type {(code: string, details: Record<string, unknown>) => Error} */
  #error(code, details) {
    const output = this.#output.text();
    const last = output === '' ? '. It wrote nothing' : `. Its last output:${output}`;
    return makeError(code, { command: this.#command, ...details, output: last });
  }
}

/** Reports whether it has an address of this machine, whose ports are known. @type {(origin: string) => boolean} */
export function isHere(origin) {
  const host = withoutBrackets(new URL(origin).hostname);
  if (host === hostname().toLowerCase()) return true;
  const own = () => Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return isLoopback(host) || own().some(({ address }) => address === host);
}

/**
 * Removes the credentials of the run, such as BENCH_REST_PASSWORD, or those in the URL of a queue.
 * @type {(env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv}
 */
function withoutSecrets(env) {
  const isSecret = ([name = '', value = '']) => isSecretName(name) || maskText(value) !== value;
  return Object.fromEntries(Object.entries(env).filter((one) => !one[0].startsWith('BENCH_REST_') || !isSecret(one)));
}

/**
 * Explains why a server could not be started. Windows starts programs alone, and npm is a script there.
 * @type {(error: NodeJS.ErrnoException, command: string | string[], platform?: string) => string}
 */
export function spawnProblem({ message, code }, command, platform = process.platform) {
  const isScript = platform === 'win32' && Array.isArray(command) && (code === 'ENOENT' || code === 'EINVAL');
  return isScript ? `${message}; a script such as npm needs a shell: --start "${command.join(' ')}"` : message;
}

/**
 * @typedef {object} ServerAddress where a server is expected
 * @property {string} origin `http://127.0.0.1:8000`
 * @property {string} [socketPath] of a unix socket, instead of host and port
 */

/** A server that accepts connections does so at once; one that starts may answer late. */
const CONNECT_MS = 2000;

/**
 * Finds out whether something accepts a connection at a place. The signal ends the wait.
 * @type {(place: ServerAddress, signal?: AbortSignal) => Promise<boolean>}
 */
export function accepts({ origin, socketPath }, signal) {
  return new Promise((resolve) => {
    const { hostname: host, port } = addressOf(new URL(origin));
    const socket = net.connect(socketPath === undefined ? { host, port } : { path: socketPath });
    const settle = (/** @type {boolean} */ is) => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(CONNECT_MS, () => settle(false));
    signal?.addEventListener('abort', () => settle(false));
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}

/**
 * @param {string} url
 * @param {object} options
 * @param {string} [options.socketPath]
 * @param {Record<string, unknown>} [options.tls] options of tls.connect
 * @param {AbortSignal} [options.signal] ends the wait for the head of the response
 * @returns {Promise<Answer>} ready: the status is 2xx or 3xx; redirects are not followed
 */
export function answers(url, { socketPath, tls = {}, signal }) {
  return new Promise((resolve) => {
    const { get } = url.startsWith('https:') ? https : http;
    const request = get(url, { agent: false, signal, ...tls, ...(socketPath !== undefined && { socketPath }) });
    // `on`: a response that is destroyed may fail after it.
    request.on('error', (error) => resolve(failed(error, signal)));
    request.once('response', (response) => {
      const { statusCode = 0 } = response;
      response.destroy();
      resolve({ isReady: statusCode >= 200 && statusCode < 400, what: `answered ${statusCode}` });
    });
  });
}

/** @type {(error: unknown, signal?: AbortSignal) => Answer} */
function failed(error, signal) {
  return { isReady: false, what: signal?.aborted ? 'was not answered' : `failed: ${reasonOf(error)}` };
}

/**
 * Returns the reason, and what to do about a certificate. A name with several addresses fails with several errors.
 * @type {(error: any) => string}
 */
function reasonOf({ errors: [first] = [], message, code }) {
  const known = systemError(code);
  return [message || first?.message || code, ...(known?.kind === 'tls' && known.remedy ? [known.remedy] : [])].join(
    ': ',
  );
}
