import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import { confine } from '../../core/process/confinement.js';
import { stateOf } from './processes.js';

/** The kind, machine, process and its start, and what mkdtemp adds. */
const NAME = /^bench-rest-(flow|record|ref|server)-([\da-f]{8})-(\d+)-(\d+)-\w{6}$/;
/** @typedef {'flow' | 'record' | 'ref' | 'server'} Kind */
/** Git knows of a work tree, and removes it. @type {Kind[]} */
const KEPT_SHORT = ['flow', 'record', 'server'];

/**
 * A fresh folder that only this user can enter (mode 0700), for files that came from another machine. A process has one
 * at a time. Its name tells which process it belongs to, so that the folder of one that was killed can be removed.
 */
export class PrivateFolder {
  /** @param {string} path */
  constructor(path) {
    this.path = path;
  }

  /** @type {() => Promise<PrivateFolder>} */
  static async open() {
    const folder = new PrivateFolder(await makeOwnFolder('flow'));
    confine({ folder: folder.path, isClosed: false, files: [], variables: null, targets: null });
    return folder;
  }

  /** Removes the folder; nothing is confined any more. */
  async remove() {
    confine(undefined);
    await rm(this.path, { recursive: true, force: true });
  }
}

/**
 * Makes a folder for temporary files, whose name tells what it is for and which process it belongs to: files of a flow,
 * of a recording, or of a server, or a work tree (`ref`).
 * @type {(kind: Kind) => Promise<string>}
 */
export function makeOwnFolder(kind) {
  return mkdtemp(join(tmpdir(), `bench-rest-${kind}-${machine()}-${process.pid}-${startOf(process.pid)}-`));
}

/**
 * Removes the folders of processes of this user on this machine that were killed, and lists their paths. `user` is
 * undefined where files have no owner (Windows).
 * @type {(parent?: string, system?: { user: number | undefined }) => Promise<string[]>}
 */
export async function removeLeftFolders(parent = tmpdir(), { user } = { user: process.getuid?.() }) {
  const names = await readdir(parent).catch(() => []);
  const left = names.filter((name) => KEPT_SHORT.some((kind) => isLeft(name, kind))).map((name) => join(parent, name));
  const removed = await Promise.all(left.map((path) => removeOwn(path, user)));
  return left.filter((_, i) => removed[i]);
}

/**
 * Removes one such folder. A link, or a folder of another user, is left alone. On Windows the folder for temporary
 * files is the user's own.
 * @type {(path: string, user: number | undefined) => Promise<boolean>}
 */
async function removeOwn(path, user) {
  try {
    const stats = await lstat(path);
    if (!stats.isDirectory() || (user !== undefined && stats.uid !== user)) return false;
    await rm(path, { recursive: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Reports whether a folder of this kind is left of a process of this machine that ended. Another process may have its
 * number by now, with another start.
 * @type {(name: string, kind: Kind) => boolean}
 */
export function isLeft(name, kind) {
  const [, itsKind, where, pid, start] = NAME.exec(name) ?? [];
  if (itsKind !== kind || where !== machine()) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
  const now = startOf(Number(pid));
  return now !== '0' && now !== start;
}

/** Returns when a process started, in ticks since boot; 0 if it is not known. @type {(pid: number) => string} */
export function startOf(pid) {
  return stateOf(pid)?.startedAt ?? '0';
}

/** Names the machine and its process numbers: containers may share a folder. @type {() => string} */
export function machine() {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // The system is not Linux.
  }
  return createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 8);
}
