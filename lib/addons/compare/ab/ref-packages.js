import { spawn } from 'node:child_process';
import { copyFile, lstat, mkdir, readdir, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

import { makeError } from '../../../core/ground/errors.js';
import { isOutside } from '../../../core/process/confinement.js';
import { OutputTail } from '../../server/output-tail.js';
import { endGroup, guardGroup } from '../../server/process-group.js';
import { usageError } from '../../../core/cli/usage-error.js';

/** @import { Stoppable } from '../../../core/cli/exit-process.js' */

/** Lock files, and the commands that install exactly their versions. @type {[file: string, command: string][]} */
const LOCKS = [
  ['package-lock.json', 'npm ci'],
  ['npm-shrinkwrap.json', 'npm ci'],
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
  ['yarn.lock', 'yarn install --frozen-lockfile'],
  ['bun.lock', 'bun install --frozen-lockfile'],
  ['bun.lockb', 'bun install --frozen-lockfile'],
];
/** The properties of package.json by which packages are installed. */
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const MODULES = 'node_modules';
/** Package managers keep caches under other names that begin with a dot. */
const PROGRAMS = '.bin';
/** Grace period of a setup, from SIGTERM to SIGKILL. */
const STOP_MS = 2000;

/**
 * The packages of a work tree. Where the lock file is that of the repository, `node_modules` gets links to the packages
 * that are installed there; elsewhere the lock file of the commit tells what to install.
 */
export class RefPackages {
  #top;
  #folder;

  /** @param {{ top: string, folder: string }} places top of the repository, and the folder of the work tree */
  constructor({ top, folder }) {
    this.#top = top;
    this.#folder = folder;
  }

  /**
   * Returns the commands that install the packages whose lock files differ, and links the others.
   * @param {string[]} names folders with a package.json in the commit, relative to its top
   * @param {string} start the folder of the service
   * @returns {Promise<Omit<Setup, 'repository'>[]>}
   * @throws {Error} E_USAGE
   */
  async setups(names, start) {
    const own = names.filter((name) => !name.split('/').includes(MODULES));
    /** @type {Omit<Setup, 'repository'>[]} */
    const setups = [];
    /** The packages with a lock file, outer ones last. @type {(Lock & { name: string })[]} */
    const locked = [];
    for (const name of own.sort((one, other) => depthOf(one) - depthOf(other))) {
      const isInstalled = await isFolder(join(this.#top, name, MODULES));
      // The service needs the packages of its own folder and of those above it
      const isUsed = isInstalled || isIn(start, join(this.#folder, name));
      const found = await this.#lockOf(name);
      if (found !== null) locked.unshift({ name, ...found });
      // The lock file of a workspace is that of a folder above it.
      const lock = locked.find((one) => isIn(name, one.name));
      if (lock === undefined && isUsed) await this.#refuseOthers(name);
      const hasSamePackages = lock?.isEqual !== false;
      if (hasSamePackages) {
        if (isInstalled) await this.#link(join(this.#top, name, MODULES), name);
      } else if (lock.name === name && isUsed) setups.push({ command: lock.command, folder: join(this.#folder, name) });
    }
    if (!setups.some(({ folder }) => folder === this.#folder)) await this.#linkAbove();
    return setups;
  }

  /** Links packages in folders above the repository: Node finds them there, but the work tree is in another folder. */
  async #linkAbove() {
    for (let at = this.#top; at !== dirname(at); at = dirname(at)) {
      const above = join(dirname(at), MODULES);
      if (await isFolder(above)) await this.#link(above, '.');
    }
  }

  /** Returns the lock file of the commit in a folder; null: none. @type {(name: string) => Promise<Lock | null>} */
  async #lockOf(name) {
    for (const [file, command] of LOCKS) {
      const lock = await textOf(join(this.#folder, name, file));
      if (lock !== null) return { command, isEqual: lock === (await textOf(join(this.#top, name, file))) };
    }
    return null;
  }

  /** Refuses other dependencies than those of the repository. @type {(name: string) => Promise<void>} */
  async #refuseOthers(name) {
    const [here, there] = [join(this.#top, name), join(this.#folder, name)];
    if ((await dependenciesOf(here)) === (await dependenciesOf(there))) return;
    const place = join(name, 'package.json');
    throw usageError(
      `--versus-ref: ${place} has other dependencies there, and no lock file; add --setup 'npm install', or what installs them`,
    );
  }

  /**
   * Makes a folder `node_modules` with links to the installed packages and their programs. Packages of the repository
   * itself (workspaces) are those of the work tree, and those that the commit has stay.
   * @type {(from: string, name: string) => Promise<void>}
   */
  async #link(from, name) {
    const to = join(this.#folder, name, MODULES);
    // A link of the commit that leads to a folder must not get links.
    if ((await lstat(to).catch(() => null))?.isSymbolicLink()) {
      if (await isFolder(to)) return;
      await rm(to);
    }
    await mkdir(to, { recursive: true });
    for (const entry of await readdir(from)) {
      if (entry.startsWith('.') && entry !== PROGRAMS) continue;
      if (!entry.startsWith('@') && entry !== PROGRAMS) await this.#linkEntry(join(from, entry), join(to, entry));
      else {
        await mkdir(join(to, entry), { recursive: true });
        for (const own of await readdir(join(from, entry)))
          await this.#linkEntry(join(from, entry, own), join(to, entry, own));
      }
    }
  }

  /** Links a package, or a program of one. @type {(from: string, to: string) => Promise<void>} */
  async #linkEntry(from, to) {
    const target = await realpath(from).catch(() => null);
    if (target === null || (await lstat(to).catch(() => null)) !== null) return;
    const inside = relative(this.#top, target);
    const isWorkspace = !isOutside(inside) && !inside.split(sep).includes(MODULES);
    // Windows allows no links to files; programs are scripts there that find their package from where they are.
    if (process.platform === 'win32' && !(await isFolder(target))) await copyFile(from, to);
    else await symlink(isWorkspace ? join(this.#folder, inside) : from, to, 'junction');
  }
}

/**
 * @typedef {object} Lock
 * @property {string} command what installs its packages
 * @property {boolean} isEqual the repository has the same now
 */

/**
 * @typedef {object} Setup
 * @property {string} command
 * @property {string} folder in which it runs
 * @property {string} repository the working directory of the user
 */

/**
 * Runs a setup command in the shell.
 * @throws {Error} E_SETUP if it fails
 * @type {(setup: Setup) => Stoppable & { outcome: Promise<void> }}
 */
export function runSetup({ command, folder, repository }) {
  const child = spawn(command, {
    cwd: folder,
    // Files that are not in the repository, such as .env, can be copied from there.
    env: { ...withoutGit(process.env), BENCH_REST_REPOSITORY: repository },
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const releaseGuard = child.pid === undefined ? () => {} : guardGroup(child.pid);
  const output = new OutputTail();
  output.follow(child);
  /** @type {Promise<unknown> | null} */
  let stopped = null;
  const stop = () => {
    if (child.pid !== undefined) stopped ??= endGroup(child.pid, STOP_MS);
  };
  const outcome = new Promise((done, fail) => {
    const failed = (/** @type {string} */ how) => fail(makeError('E_SETUP', { how, command, output: output.text() }));
    child.once('error', (error) => failed(error.message));
    child.once('exit', async (code, signal) => {
      await stopped;
      releaseGuard();
      // A setup that was stopped is no failure: who stopped it ends the run
      if (code === 0 || stopped !== null) return done(undefined);
      await output.ended;
      return failed(`${signal ?? `code ${code}`}`);
    });
  });
  return { outcome, stop, abort: stop };
}

/** Git sets these for its hooks: with them a command uses the index of the user, wherever it runs. */
const HOOK_VARIABLES = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_PREFIX'];

/** @type {(env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv} */
export function withoutGit(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !HOOK_VARIABLES.includes(name)));
}

/** @type {(path: string) => number} */
function depthOf(path) {
  return path === '.' ? 0 : path.split('/').length;
}

/** @type {(path: string, folder: string) => boolean} it is that folder, or in it */
function isIn(path, folder) {
  return !isOutside(relative(folder, path));
}

/** @type {(path: string) => Promise<boolean>} */
export async function isFolder(path) {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

/** @type {(path: string) => Promise<string | null>} null without such a file */
export function textOf(path) {
  return readFile(path, 'latin1').catch(() => null);
}

/** Returns dependencies to compare, or a package.json that is no JSON. @type {(folder: string) => Promise<string>} */
async function dependenciesOf(folder) {
  const text = (await textOf(join(folder, 'package.json'))) ?? '{}';
  try {
    const given = JSON.parse(text);
    return JSON.stringify(DEPENDENCIES.map((kind) => Object.entries(given[kind] ?? {}).sort()));
  } catch {
    return text;
  }
}
