import { once } from 'node:events';
import http from 'node:http';

import { makeError } from '../../core/ground/errors.js';
import { HIGHEST_PORT } from '../../core/ground/units.js';
import { identityOf, isRunning, processesFrom, read, stateOf } from '../processes/processes.js';
import { listenersAt, listeningSockets } from './listening-sockets.js';
import { ServerWatch, judgingOnce } from './server-watch.js';
import { StartedServer, isHere } from './started-server.js';

/** @import { FindRoots } from './process-watch.js' */
/** @import { ProcessState } from '../processes/processes.js' */
/** @import { StartSettings } from './types.js' */

/**
 * @typedef {object} Watched
 * @property {ProcessState[]} roots the processes of the server now, without those that they start
 * @property {FindRoots} findRoots finds them again at each sample: others may have taken their place
 */

/** Where container engines answer. */
const ENGINES = [
  '/var/run/docker.sock',
  `/run/user/${process.getuid?.()}/docker.sock`,
  '/run/podman/podman.sock',
  `/run/user/${process.getuid?.()}/podman/podman.sock`,
];
const ENGINE_MS = 2000;
/** The description of a container has some 10 kB. */
const MOST_BYTES = 4 * 1024 * 1024;
/** A longer number is the id of a container. */
const PID = /^\d{1,11}$/;
/** The end that systemd adds to the name of a control group. */
const UNIT = /\.(scope|service)$/;
/** The id of a container, or its first digits. */
const ID = /^[\da-f]{12,64}$/;
/** Processes of the engine, which carry the output of a container: libpod-conmon-ID.scope. */
const MONITOR = /-conmon-/;
/** Programs that listen at the published ports of containers, and pass the bytes on. */
const FORWARDERS = /^(?:docker-proxy|rootlessport|rootlesskit|conmon|slirp4netns|pasta)/;
/** The state of a container, such as running. */
const STATE = /^[a-z]{1,20}$/;

/** Creates the server of a run: one that it starts, or one that runs already. @param {StartSettings} settings */
export function serverFor(settings) {
  return settings.watch === undefined ? new StartedServer(settings) : new WatchedServer(settings.watch, settings);
}

/**
 * A server of this machine that runs already: its processes are watched, and nothing is changed. It has the methods of
 * StartedServer; those that end or announce the end do nothing.
 */
export class WatchedServer {
  #target;
  #origins;
  hasEnded = false;
  endedHow = '';
  /** @type {ServerWatch | null} */
  channel = null;

  /**
   * @param {string} target a process number, `:3000` for what listens at a port, or a container
   * @param {Pick<StartSettings, 'origins'>} settings where the requests go
   */
  constructor(target, { origins }) {
    this.#target = target;
    this.#origins = origins;
  }

  /** @throws {Error} E_WATCH @type {() => Promise<{ pid: number, origin: string }>} */
  async start() {
    const { roots, findRoots } = await this.#find();
    this.channel = new ServerWatch(findRoots, null);
    return { pid: roots[0].pid, origin: this.#origins[0] };
  }

  onEnd() {}

  async outputText() {
    return '';
  }

  async stop() {
    this.channel?.close();
  }

  /** Finds its processes, and how to find those that take their place. */
  async #find() {
    const target = this.#target;
    if (process.platform !== 'linux')
      throw this.#error('the figures of processes need Linux (/proc)', 'leave it out, or run bench-rest on Linux');
    if (target.startsWith(':')) return this.#listeners(Number(target.slice(1)));
    return PID.test(target) ? this.#process(Number(target)) : this.#container();
  }

  /** @type {(pid: number) => Watched} */
  #process(pid) {
    const roots = allOf((one) => one.pid === pid);
    if (roots.length === 0)
      throw this.#error('no such process', pid > HIGHEST_PORT ? 'has it ended?' : `is it a port? Write :${pid}`);
    const [{ group }] = roots;
    const names = new Set(roots.map(identityOf));
    // A process that forks twice leaves its parent, and stays in the group of the server, which counts as a whole. A
    // script that starts both server and load generator has one group for them.
    const isLeader = group === pid && stateOf(process.pid)?.group !== pid;
    return { roots, findRoots: () => (one) => names.has(identityOf(one)) || (isLeader && one.group === pid) };
  }

  /** @type {(port: number) => Watched} */
  #listeners(port) {
    const remote = this.#origins.find((origin) => !isHere(origin));
    if (remote !== undefined)
      throw this.#error(
        `the requests go to ${remote}, which is no address of this machine`,
        'run bench-rest there, or write the name of its container',
      );
    const found = listenersAt(port);
    if (found === null) throw this.#error('nothing listens there', 'is this the port of the server?');
    if (found.length === 0)
      throw this.#error(
        'what listens there belongs to another user, or to a container',
        'write the number of its process',
      );
    const forwarder = found.find(({ name }) => FORWARDERS.test(name));
    if (forwarder !== undefined)
      throw this.#error(
        `${forwarder.name} listens there, which passes the requests on to a container`,
        'write the name of the container',
      );
    return { roots: found, findRoots: followListeners(port, found) };
  }

  /**
   * By the paths of control groups, which have the ids of containers and the names of services.
   * @type {() => Promise<Watched>}
   */
  async #container() {
    const { id, state } = await findContainer(this.#target);
    const isOne = (/** @type {ProcessState} */ { pid }) => isInGroup(read(`/proc/${pid}/cgroup`) ?? '', id);
    const roots = allOf(isOne);
    if (roots.length > 0) return { roots, findRoots: judgingOnce(isOne) };
    if (state !== null && state !== 'running') throw this.#error(`the container is not running (${state})`, 'start it');
    throw this.#error(
      'no process that can be seen here belongs to a container or service with this name',
      'write the id of the container, or the number of its main process (docker inspect -f {{.State.Pid}})',
    );
  }

  /** @type {(reason: string, cure: string) => Error} */
  #error(reason, cure) {
    return makeError('E_WATCH', { target: this.#target, reason, cure });
  }
}

/** @type {(isOne: (state: ProcessState) => boolean) => ProcessState[]} */
function allOf(isOne) {
  return (processesFrom(isOne) ?? []).filter(isOne);
}

/**
 * Finds what listens at a port, again when one has ended or its sockets are others: a supervisor may start it again,
 * and a deployment may start the next one beside it. One that does not listen any more still answers what it has
 * accepted.
 * @type {(port: number, found: ProcessState[]) => FindRoots}
 */
export function followListeners(port, found) {
  const listening = () => [...listeningSockets(port)].sort().join();
  const byIdentity = (/** @type {ProcessState[]} */ all) => new Map(all.map((one) => [identityOf(one), one]));
  let current = byIdentity(found);
  let sockets = listening();
  return () => {
    const running = [...current.values()].filter(isRunning);
    const now = listening();
    if (running.length === 0 || running.length < current.size || now !== sockets)
      current = byIdentity([...running, ...(listenersAt(port) ?? [])]);
    sockets = now;
    const known = current;
    return (one) => known.has(identityOf(one));
  };
}

/**
 * Reports whether a process belongs to a control group: `/docker/ID`, `docker-ID.scope`, `NAME.service`. The name may
 * have the end that systemd writes.
 * @type {(cgroup: string, target: string) => boolean}
 */
export function isInGroup(cgroup, target) {
  const name = target.replace(UNIT, '');
  const parts = cgroup.split(/[/\n]/).map((part) => part.replace(UNIT, ''));
  return parts.some(
    (part) =>
      part === name || (ID.test(name) && !MONITOR.test(part) && part.split('-').some((one) => one.startsWith(name))),
  );
}

/**
 * Asks the container engines of this machine for a container by its name, or by a part of its id.
 * @type {(target: string, engines?: string[]) => Promise<{ id: string, state: string | null }>} state: null: not known
 */
export async function findContainer(target, engines = ENGINES) {
  const answers = await Promise.all(
    engines.map((socketPath) => ask(socketPath, `/containers/${encodeURIComponent(target)}/json`)),
  );
  const found = answers.find((answer) => typeof answer?.Id === 'string' && ID.test(answer.Id));
  const state = found?.State?.Status;
  return { id: found?.Id ?? target, state: typeof state === 'string' && STATE.test(state) ? state : null };
}

/** @type {(socketPath: string, path: string) => Promise<any>} null without an answer in time */
async function ask(socketPath, path) {
  try {
    const signal = AbortSignal.timeout(ENGINE_MS);
    const request = http.get({ socketPath, path, agent: false, signal });
    // Reading the response fails, too.
    request.on('error', () => {});
    const [response] = await once(request, 'response', { signal });
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (text.length > MOST_BYTES) return null;
    }
    return JSON.parse(text);
  } catch {
    return null;
  }
}
