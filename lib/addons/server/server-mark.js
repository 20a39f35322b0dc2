import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, readdirSync, readlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isRunning, processesFrom, stateOf, ticksNow } from '../../core/process/processes.js';

/** @import { ProcessState } from '../../core/process/processes.js' */

const VARIABLE = 'BENCH_REST_SERVER';

/**
 * Two marks that all processes of a server inherit, also those that leave its group and its session: a variable of the
 * environment, and an open file that has no name any more. Node closes such a file in what it starts, and keeps the
 * variable; nginx, PostgreSQL and Redis overwrite their environment with the title of the process, and keep the file.
 * A process that has neither is found as the one that listens where nothing did before; it must have started after the
 * server, in a session that is as young: a server that a user starts meanwhile belongs to the session of a terminal, or
 * of the service that started it. A system without /proc cannot find them.
 */
export class ServerMark {
  name = `bench-rest-server-${randomUUID()}`;
  /** Clock ticks since the start of the system: processes that run since before then do not belong to the server. */
  #since = Infinity;
  /** Sockets that listened at its place before. */
  #earlier = new Set();
  /** The session of bench-rest, in which other commands run. */
  #session = stateOf(process.pid)?.session;
  #place;

  /** @param {ListeningPlace} [place] at which nothing listens yet */
  constructor(place = { ports: [] }) {
    this.#place = place;
  }

  /** @type {Record<string, string>} */
  get env() {
    return { [VARIABLE]: this.name };
  }

  /**
   * Returns what another process needs to find those that listen. `ports` is a regular expression for addresses in
   * /proc/net/tcp, empty if none is to be looked for; `earlier` has inodes between spaces.
   * @type {{ ports: string, earlier: string, since: string, session: string }}
   */
  get listening() {
    const { ports, socketPath } = this.#place;
    const isKnown = socketPath === undefined && ports.length > 0 && this.#since < Infinity;
    const numbers = ports.map((port) => port.toString(16).toUpperCase().padStart(4, '0')).join('|');
    const earlier = [...this.#earlier].map((socket) => ` ${/\d+/.exec(socket)} `).join('');
    return {
      ports: isKnown ? `:(${numbers})$` : '',
      earlier,
      since: String(this.#since),
      session: String(this.#session),
    };
  }

  /** Starts a process with the file of the mark. @type {<T>(start: (file: number | 'ignore') => T) => T} */
  withFile(start) {
    this.#since = ticksNow();
    this.#earlier = listeningSockets(this.#place);
    const file = this.#openFile();
    try {
      return start(file ?? 'ignore');
    } finally {
      if (file !== null) closeSync(file);
    }
  }

  /** Reports whether a process has a mark. @type {(one: ProcessState) => boolean} */
  has({ pid, startedAt }) {
    return Number(startedAt) >= this.#since && this.#marks(pid);
  }

  /** Lists the processes with a mark or listening, and their children. @type {() => ProcessState[]} */
  processes() {
    const groups = this.#listeningGroups();
    const isListening = (/** @type {ProcessState} */ one) => groups.has(one.group) && this.#isLater(one);
    return this.#marked(isListening);
  }

  /**
   * Reports whether a process runs that may be a daemon of the server, although it shows nothing of its origin until it
   * listens: it has started later, in a session as young, and its parent has ended, so that it belongs to an ancestor
   * of this process.
   */
  hasStrays() {
    const ancestors = ancestorsOf(process.pid);
    const strays = processesFrom((one) => ancestors.has(one.parent) && this.#isLater(one)) ?? [];
    return strays.length > 0;
  }

  /** @type {(isAlso?: (one: ProcessState) => boolean) => ProcessState[]} */
  #marked(isAlso = () => false) {
    return processesFrom((one) => one.pid !== process.pid && (isAlso(one) || this.#marks(one.pid))) ?? [];
  }

  /**
   * Lists the groups of the processes that listen at the place: a daemon leads a group, and others of it, such as its
   * workers, need not listen.
   * @type {() => Set<number>}
   */
  #listeningGroups() {
    const sockets = listeningSockets(this.#place);
    for (const socket of this.#earlier) sockets.delete(socket);
    const listeners =
      sockets.size === 0 ? [] : (processesFrom((one) => this.#isLater(one) && holds(one.pid, sockets)) ?? []);
    return new Set(listeners.map(({ group }) => group));
  }

  /**
   * Reports whether a process, and its session, started after the server was. The script of process-group.js judges
   * alike (`later`).
   * @type {(one: ProcessState) => boolean}
   */
  #isLater({ pid, startedAt, session }) {
    const isSince = (/** @type {string} */ time) => Number(time) >= this.#since;
    // Session 0 is one of another container.
    if (pid <= 1 || session === 0 || session === this.#session || !isSince(startedAt)) return false;
    // The number of a session is the pid of its leader; that of a daemon's session has often ended.
    const leader = stateOf(session);
    return leader === null || isSince(leader.startedAt);
  }

  /**
   * Sends a signal to processes of the server outside of a group, and lists those that got it: those with a mark, and
   * those that `processes` has found before (`known`). A child without a mark cannot be found any more once its parent
   * has ended; and a process that listens by now may belong to the next server. Each is looked up again, as its number
   * may belong to another process by now.
   * @type {(signal: NodeJS.Signals, group: number, known: ProcessState[]) => ProcessState[]}
   */
  signalOutside(signal, group, known) {
    const found = new Map([...known, ...this.#marked()].map((one) => [one.pid, one]));
    return [...found.values()].filter((one) => one.group !== group && isRunning(one) && send(one.pid, signal));
  }

  /** Opens the file; null: the system has no use for it, or no folder can be written. @type {() => number | null} */
  #openFile() {
    if (process.platform !== 'linux') return null;
    for (const folder of [tmpdir(), '/dev/shm', process.cwd()]) {
      try {
        const path = join(folder, this.name);
        const file = openSync(path, 'wx', 0o600);
        unlinkSync(path);
        return file;
      } catch {
        // It is read-only, or missing: the next one is tried.
      }
    }
    return null;
  }

  /** @type {(pid: number) => boolean} */
  #marks(pid) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${VARIABLE}=${this.name}`)) return true;
      return openFiles(pid).some((file) => file.includes(this.name));
    } catch {
      // It has ended, or belongs to another user.
      return false;
    }
  }
}

/** @type {(pid: number) => Set<number>} */
function ancestorsOf(pid) {
  /** @type {Set<number>} */
  const found = new Set();
  for (let parent = stateOf(pid)?.parent; parent && !found.has(parent); parent = stateOf(parent)?.parent)
    found.add(parent);
  return found;
}

/**
 * Finds the processes that listen at a place: none if they belong to other users; null if nothing listens there.
 * @type {(place: ListeningPlace) => ProcessState[] | null}
 */
export function listenersAt(place) {
  const sockets = listeningSockets(place);
  if (sockets.size === 0) return null;
  const isListener = (/** @type {ProcessState} */ { pid }) => holds(pid, sockets);
  // Without their children.
  return (processesFrom(isListener) ?? []).filter(isListener);
}

/** @type {(pid: number, sockets: Set<string>) => boolean} */
function holds(pid, sockets) {
  try {
    return openFiles(pid).some((file) => sockets.has(file));
  } catch {
    return false;
  }
}

/** @type {(pid: number) => string[]} */
function openFiles(pid) {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).map((file) => linkOf(`${folder}/${file}`));
}

/** @type {(path: string) => string} empty if it was closed */
function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** @type {(pid: number, signal: NodeJS.Signals) => boolean} */
function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/**
 * @typedef {object} ListeningPlace
 * @property {number[]} ports
 * @property {string} [socketPath] instead of ports
 */

/** Columns of /proc/net/tcp and /proc/net/unix, from 0: proc(5). */
const TCP = { address: 1, state: 3, inode: 9 };
const UNIX = { flags: 3, inode: 6, path: 7 };
const LISTENS = '0A';
const ACCEPTS = '00010000';

/**
 * Finds the sockets that listen at a place, as Linux names them among the open files of a process: `socket:[4711]`.
 * None without /proc.
 * @type {(place: ListeningPlace) => Set<string>}
 */
export function listeningSockets({ ports, socketPath }) {
  const inodes =
    socketPath === undefined
      ? [...rowsOf('/proc/net/tcp'), ...rowsOf('/proc/net/tcp6')]
          .filter((row) => row[TCP.state] === LISTENS && ports.includes(portOf(row[TCP.address])))
          .map((row) => row[TCP.inode])
      : rowsOf('/proc/net/unix')
          .filter((row) => row[UNIX.flags] === ACCEPTS && row.slice(UNIX.path).join(' ') === socketPath)
          .map((row) => row[UNIX.inode]);
  return new Set(inodes.map((inode) => `socket:[${inode}]`));
}

/** Reads a port: `0100007F:1F90` is 127.0.0.1:8080. @type {(address: string) => number} */
function portOf(address) {
  return parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}

/** @type {(path: string) => string[][]} */
function rowsOf(path) {
  try {
    const [, ...lines] = readFileSync(path, 'latin1').trim().split('\n');
    return lines.map((line) => line.trim().split(/ +/));
  } catch {
    // The system is another one, or has no IPv6.
    return [];
  }
}
