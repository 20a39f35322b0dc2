import { createServer } from 'node:net';

import { tlsDefaults } from '../../core/flow/compile.js';
import { asHttp } from '../../core/http/schemes.js';
import { portOf, splitUnixSocket } from '../../core/http/url-parts.js';
import { makeError } from '../../core/ground/errors.js';
import { WATCH_OFF } from './options/target.js';
import { startKept } from './kept-server.js';
import { ServerLink } from './server-link.js';
import { ServerMeter } from './server-meter.js';
import { serverFor } from './watched-server.js';

/** @import { RunOptions } from '../../core/contracts/run-options.js' */
/** @import { RunResult, Run } from '../../core/run/run.js' */
/** @import { HostedRun } from '../../core/run/types.js' */
/** @import { ReadyServer, ServerProcess, StartServer, StartSettings } from './types.js' */

/** @typedef {HostedRun & { hosting?: { startServer?: StartServer } }} ServedRun startServer: default: in this thread */

/** Runs a benchmark that starts or watches a server. @type {(run: Run, served: ServedRun) => Promise<RunResult>} */
export function run(current, served) {
  return served.options.start === undefined ? runWithWatch(current, served) : runWithServer(current, served);
}

/**
 * Starts a server, runs the benchmark and ends the server. The run is planned before the server starts, so that
 * problems of the flow do not wait for it.
 * @type {(run: Run, served: ServedRun) => Promise<RunResult>}
 */
export async function runWithServer(current, { options, planFor, perform, hosting, files }) {
  const own = await serverAddress(options);
  let mustAsk = false;
  let plan = planFor(own.baseUrl, () => (mustAsk = true));
  const place = addressOfFlow(own, plan.summary.origins);
  const isCancelled = () => current.isStopped || options.signal?.aborted === true;
  const server = await starterOf(hosting)(settingsOf(place, options), isCancelled);
  try {
    const [expected] = place.origins;
    if (mustAsk || server.origin !== expected) plan = planFor(place.baseUrl.replace(expected, server.origin));
    const service = serviceOf(server, 'start', files);
    return await perform(plan, options.watch === WATCH_OFF ? { ...service, meter: null } : service);
  } finally {
    await server.stop();
  }
}

/** The name of what keeps a server in another thread. */
const KEEPER = 'server';

/** The settings of a server that runs already. */
const NOT_STARTED = {
  command: '',
  env: {},
  cwd: '.',
  timeout: 0,
  tls: {},
  port: undefined,
  isPortFree: false,
  hasPreload: false,
};

/** Runs the benchmark of a watched server. @type {(run: Run, served: ServedRun) => Promise<RunResult>} */
async function runWithWatch(current, { options, planFor, perform, hosting, files }) {
  const plan = planFor();
  const { watch } = options;
  const { origins } = plan.summary;
  const server = await starterOf(hosting)({ ...NOT_STARTED, origins, watch }, () => current.isStopped);
  try {
    return await perform(plan, serviceOf(server, 'watch', files));
  } finally {
    await server.stop();
  }
}

/** @type {(place: ServerAddress, options: RunOptions) => StartSettings} */
function settingsOf({ origins, socketPath, isPortFree }, options) {
  const { watch, profile } = options;
  const start = /** @type {NonNullable<RunOptions['start']>} */ (options.start);
  const port = portVariable({ origins, socketPath });
  const hasPreload = (watch !== WATCH_OFF || profile !== undefined) && mayPreload(start);
  return { ...start, origins, socketPath, isPortFree, port, tls: tlsDefaults(options), hasPreload };
}

/**
 * Reports whether Node may load a file of ours: one with permissions must not read it, and would exit.
 * @type {(start: { command: string | string[], env: NodeJS.ProcessEnv }) => boolean}
 */
function mayPreload({ command, env: { NODE_OPTIONS = process.env.NODE_OPTIONS } }) {
  return ![command, NODE_OPTIONS].some((text) => /--(experimental-)?permission\b/.test(String(text)));
}

/**
 * Returns the server as the benchmark uses it; `name` is that of the option that named it.
 * @type {(server: ReadyServer, name: string, files: string[]) => ServerProcess}
 */
function serviceOf({ pid, channel, onEnd }, name, files) {
  const link = channel ? new ServerLink(channel) : null;
  return {
    ...{ pid, link, files },
    sharesLoop: false,
    meter: link && new ServerMeter(link, name),
    onLost: (listener) => onEnd((end) => listener(makeError('E_SERVER_ENDED', { ...end }), 'server')),
  };
}

/** @type {(hosting: ServedRun['hosting']) => StartServer} */
function starterOf({ startServer, serviceOf: keeperOf } = {}) {
  return startServer ?? (keeperOf ? startKept(keeperOf(KEEPER)) : startHere);
}

/** Starts a server from this thread: a program has no other one. @type {StartServer} */
async function startHere(settings, isCancelled) {
  const server = serverFor(settings);
  try {
    const { pid, origin } = await server.start(isCancelled);
    const { channel } = server;
    return { pid, origin, channel, onEnd: (listener) => server.onEnd(listener), stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * @typedef {object} ServerAddress where a server that the run starts will listen
 * @property {string} baseUrl of relative URLs
 * @property {string[]} origins at which it may be ready: those of both IP versions, if the run chose its port
 * @property {string} [socketPath]
 * @property {boolean} isPortFree the run chose its port
 */

/**
 * Decides where a server that the run starts will listen: at the base URL, at the origin of `ready`, or at a free port.
 * @type {(options: Pick<RunOptions, 'start' | 'baseUrl' | 'socketPath'>) => Promise<ServerAddress>}
 */
export async function serverAddress({ start, baseUrl: given = '', socketPath }) {
  const baseUrl = asHttp(given);
  const socket = splitUnixSocket(baseUrl);
  if (socket) return placeAt(socket.url, { baseUrl, socketPath: socketPath ?? socket.socketPath });
  const ready = asHttp(start?.ready ?? '');
  const url = [baseUrl, ready].find((one) => URL.canParse(one));
  if (url !== undefined) {
    const place = placeAt(url, { baseUrl: url === baseUrl ? baseUrl : joined(baseUrl, url), socketPath });
    // It is ready when `ready` answers, which may have a port of its own.
    return URL.canParse(ready) ? { ...place, origins: [new URL(ready).origin] } : place;
  }
  if (socketPath !== undefined) return placeAt(LOCAL, { baseUrl: joined(baseUrl, LOCAL), socketPath });
  const port = await freePort();
  const origins = HOSTS.map((host) => `http://${host}:${port}`);
  return { baseUrl: joined(baseUrl, origins[0]), origins, isPortFree: true };
}

/** @type {(url: string, place: { baseUrl: string, socketPath?: string }) => ServerAddress} */
function placeAt(url, place) {
  return { ...place, origins: [new URL(url).origin], isPortFree: false };
}

/** The base URL may be a path; compiling refuses an invalid one. @type {(baseUrl: string, url: string) => string} */
function joined(baseUrl, url) {
  if (baseUrl.startsWith('/')) return new URL(baseUrl, url).href;
  return baseUrl || new URL(url).origin;
}

/**
 * Replaces the free port by the place to which the absolute URLs of a flow lead, if none of them uses that port.
 * @type {(place: ServerAddress, flowOrigins: string[]) => ServerAddress}
 */
export function addressOfFlow(place, flowOrigins) {
  const [first] = flowOrigins;
  const isUsed = flowOrigins.some((one) => one === new URL(place.baseUrl).origin);
  if (!place.isPortFree || isUsed || first === undefined) return place;
  return { ...place, origins: [first], isPortFree: false };
}

/** @type {(place: Pick<ServerAddress, 'origins' | 'socketPath'>) => string | undefined} */
export function portVariable({ origins: [origin], socketPath }) {
  return socketPath === undefined ? String(portOf(new URL(origin))) : undefined;
}

const LOCAL = 'http://localhost';
/** A server that listens at the name localhost may have either address. */
const HOSTS = ['127.0.0.1', '[::1]'];

/** Above those of most services, and below those that a system gives to programs that want any: Linux from 32768. */
const PORTS = { first: 10_000, count: 22_768 };
const MOST_TRIES = 20;

/**
 * Finds a port at which nothing listens, at any address of this machine. A server may need a second until it listens:
 * the system gives such a port to nothing else meanwhile.
 * @type {() => Promise<number>}
 */
export async function freePort() {
  for (let i = 0; i < MOST_TRIES; i++) {
    const port = PORTS.first + Math.floor(PORTS.count * Math.random());
    if (await isFree(port)) return port;
  }
  throw makeError('E_START_PORT');
}

/** @type {(port: number) => Promise<boolean>} */
async function isFree(port) {
  // On macOS, a program at one address and one at all addresses can share a port.
  for (const host of ['::', '0.0.0.0', '::1', '127.0.0.1']) if (await isUsed(port, host)) return false;
  return true;
}

/** @type {(port: number, host: string) => Promise<boolean>} false without this IP version, too */
function isUsed(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ { code }) => resolve(code === 'EADDRINUSE'));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}
