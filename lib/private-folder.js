import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** of worker_threads: threads that start later read it, too */
const KEY = 'bench-rest: private folder';

/**
 * A fresh folder that only this user can enter (mode 0700), for files that came from another machine. A process has one at a
 * time. While it is closed off, no file outside of it is read for a flow: not in this thread, and not in threads that start later.
 */
export class PrivateFolder {
  /** @param {string} path */
  constructor(path) {
    this.path = path;
  }

  /** @returns {Promise<PrivateFolder>} */
  static async open() {
    const folder = new PrivateFolder(await mkdtemp(join(tmpdir(), 'bench-rest-flow-')));
    setEnvironmentData(KEY, { path: folder.path, isClosed: false });
    return folder;
  }

  /** Removes the folder; files can be read everywhere again. */
  async remove() {
    setEnvironmentData(KEY, undefined);
    await rm(this.path, { recursive: true, force: true });
  }
}

/**
 * Allows or refuses that files outside of a private folder are read.
 *
 * @param {string} path of the folder
 * @param {boolean} isClosed
 */
export function closeOff(path, isClosed) {
  setEnvironmentData(KEY, { path, isClosed });
}

/**
 * @param {string} path of a file
 * @returns {boolean} there is a private folder, it is closed off, and the file is not in it
 */
export function isClosedOff(path) {
  const folder = privateFolder();
  return folder?.isClosed === true && nameWithin(folder.path, resolve(path)) === null;
}

/**
 * The name of a file for people: relative to the private folder if it is in there.
 *
 * @param {string} path absolute
 * @returns {string | null} null if there is no private folder, or the file is not in it
 */
export function nameInPrivateFolder(path) {
  const folder = privateFolder();
  return folder ? nameWithin(folder.path, path) : null;
}

/** @type {() => { path: string, isClosed: boolean } | undefined} */
function privateFolder() {
  return /** @type {any} */ (getEnvironmentData(KEY));
}

/** @type {(folder: string, path: string) => string | null} */
function nameWithin(folder, path) {
  return path.startsWith(folder + sep) ? relative(folder, path) : null;
}
