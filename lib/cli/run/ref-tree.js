import { execFile, spawn } from 'node:child_process';
import { copyFile, lstat, mkdir, readdir, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';

import { makeError } from '../../ground/errors.js';
import { isOutside, realPathOf } from '../../process/confinement.js';
import { isLeft, makeOwnFolder } from '../../process/private-folder.js';
import { OutputTail } from '../../run/server/output-tail.js';
import { endGroup, guardGroup } from '../../run/server/process-group.js';
import { safeLines } from '../../text/safe.js';
import { usageError } from '../usage-error.js';

/** @import { Stoppable } from '../exit-process.js' */

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
 * Another commit of the repository, checked out in a temporary work tree (git-worktree(1)). If its lock file is that of
 * the repository, its `node_modules` gets links to the packages that are installed there; otherwise the packages are
 * installed by the lock file of the commit.
 */
export class RefTree {
  #top;
  #cwd;

  /**
   * @param {{ top: string, cwd: string, folder: string, commit: string }} place top of the repository, and the folder
   *   of the work tree
   */
  constructor({ top, cwd, folder, commit }) {
    this.#top = top;
    this.#cwd = cwd;
    this.folder = folder;
    this.commit = commit;
  }

  /**
   * Checks a commit out. Work trees that killed processes left are removed before.
   * @throws {Error} E_USAGE
   * @type {(ref: string, place: { cwd: string }) => Promise<RefTree>}
   */
  static async open(ref, { cwd }) {
    const top = (await git(cwd, ['rev-parse', '--show-toplevel']).catch((error) => refuse(ref, cwd, error))).trim();
    const commit = await commitOf(ref, top);
    await removeLeft(top);
    const folder = await makeOwnFolder('ref');
    const tree = new RefTree({ top, cwd: await realpath(cwd), folder, commit });
    try {
      // A hook of the repository may change files of the user.
      await git(top, ['-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--quiet', '--detach', folder, commit]);
    } catch (error) {
      await tree.remove();
      throw usageError(`--versus-ref ${ref}: ${reasonOf(error)}`);
    }
    return tree;
  }

  /**
   * Returns the folder of the work tree that stands for one of the repository; relative paths begin at the working
   * directory. A path from outside may lead into it by a link; a folder outside the repository stays what it is.
   * @type {(path?: string) => string}
   */
  folderFor(path = '.') {
    const given = resolve(this.#cwd, path);
    const inside = [given, realPathOf(given)].map((one) => relative(this.#top, one)).find((one) => !isOutside(one));
    return inside === undefined ? given : join(this.folder, inside);
  }

  /** Refuses a folder that the commit lacks. @throws {Error} E_USAGE @type {(folder?: string) => Promise<void>} */
  async refuseMissing(folder = this.folderFor()) {
    if (await isFolder(folder)) return;
    throw usageError(
      `--versus-ref: that commit has no folder ${safeLines(relative(this.folder, folder))}; choose one that both sides have, here and in cwd of start`,
    );
  }

  /**
   * Refuses a command that names files of the repository by their full path: they would be those of the other side.
   * @throws {Error} E_USAGE
   * @type {(command: string | string[]) => void}
   */
  refuseOwnPaths(command) {
    const words = [command].flat();
    // A path may lead there by a link, or have spaces.
    const paths = words.flatMap((word) => word.split(/[\s"'=;&|()<>,]+/)).filter((word) => isAbsolute(word));
    const isOwn = (/** @type {string} */ path) => !isOutside(relative(this.#top, realPathOf(path)));
    if (!paths.some(isOwn) && !words.some((word) => word.includes(this.#top + sep))) return;
    throw usageError(`--start names a file in ${this.#top}, so both sides would run it: write a relative path`);
  }

  /**
   * Returns what makes the service of the work tree ready to start: the given command, or else those of the lock files
   * that differ from those of the repository. The packages of equal lock files are linked.
   * @param {string} [given]
   * @param {string} [start] the folder of the service
   * @returns {Promise<Setup[]>}
   * @throws {Error} E_USAGE
   */
  async setup(given, start = this.folderFor()) {
    if (given !== undefined) return [{ command: given, folder: this.folderFor(), repository: this.#cwd }];
    const names = await git(this.folder, ['ls-files', '-z', '--', 'package.json', '**/package.json']);
    const packages = names.split('\0').filter((name) => name !== '' && !name.split('/').includes(MODULES));
    /** @type {Setup[]} */
    const setups = [];
    /** The packages with a lock file, outer ones last. @type {(Lock & { name: string })[]} */
    const locked = [];
    for (const name of packages.map(dirname).sort((one, other) => depthOf(one) - depthOf(other))) {
      const isInstalled = await isFolder(join(this.#top, name, MODULES));
      // The service needs the packages of its own folder and of those above it
      const isUsed = isInstalled || isIn(start, join(this.folder, name));
      const own = await this.#lockOf(name);
      if (own !== null) locked.unshift({ name, ...own });
      // The lock file of a workspace is that of a folder above it.
      const lock = locked.find((one) => isIn(name, one.name));
      if (lock === undefined && isUsed) await this.#refuseOthers(name);
      const hasSamePackages = lock?.isEqual !== false;
      if (hasSamePackages) {
        if (isInstalled) await this.#link(join(this.#top, name, MODULES), name);
      } else if (lock.name === name && isUsed)
        setups.push({ command: lock.command, folder: join(this.folder, name), repository: this.#cwd });
    }
    if (!setups.some(({ folder }) => folder === this.folder)) await this.#linkAbove();
    return setups;
  }

  /** Links packages in folders above the repository: Node finds them there, but the work tree is in another folder. */
  async #linkAbove() {
    for (let at = this.#top; at !== dirname(at); at = dirname(at)) {
      const above = join(dirname(at), MODULES);
      if (await isFolder(above)) await this.#link(above, '.');
    }
  }

  /**
   * Returns the lock file that the commit has in a folder; null: none.
   * @type {(name: string) => Promise<Lock | null>}
   */
  async #lockOf(name) {
    for (const [file, command] of LOCKS) {
      const lock = await textOf(join(this.folder, name, file));
      if (lock !== null) return { command, isEqual: lock === (await textOf(join(this.#top, name, file))) };
    }
    return null;
  }

  /** Refuses other dependencies than those of the repository. @type {(name: string) => Promise<void>} */
  async #refuseOthers(name) {
    const [here, there] = [join(this.#top, name), join(this.folder, name)];
    if ((await dependenciesOf(here)) === (await dependenciesOf(there))) return;
    const place = join(name, 'package.json');
    throw usageError(
      `--versus-ref: ${place} has other dependencies there, and no lock file; add --setup 'npm install', or what installs them`,
    );
  }

  /**
   * Describes what the work tree lacks, unless a setup command is given, which may bring it.
   * @type {(setup?: string) => Promise<string[]>}
   */
  async notices(setup) {
    if (setup !== undefined || (await textOf(join(this.folder, '.gitmodules'))) === null) return [];
    return ["it has submodules, which are not checked out: --setup 'git submodule update --init' does that"];
  }

  /**
   * Makes a folder `node_modules` with links to the installed packages and their programs. Packages of the repository
   * itself (workspaces) are those of the work tree, and those that the commit has stay.
   * @type {(from: string, name: string) => Promise<void>}
   */
  async #link(from, name) {
    const to = join(this.folder, name, MODULES);
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
    else await symlink(isWorkspace ? join(this.folder, inside) : from, to, 'junction');
  }

  /**
   * Removes the work tree. Returns a notice if it cannot: the service may have left files of another user in it.
   * @type {() => Promise<string | null>}
   */
  async remove() {
    const failure = await removeTree(this.#top, this.folder);
    return failure && `its work tree could not be removed (${safeLines(failure)}): delete ${safeLines(this.folder)}`;
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

/** Shortens the hash of a commit, as names of sides head columns. @type {(ref: string) => string} */
export function nameOfRef(ref) {
  return /^[\da-f]{40}(?:[\da-f]{24})?$/.test(ref) ? ref.slice(0, 10) : ref;
}

/** Names what is checked out in the working directory. @type {(cwd: string) => Promise<string>} */
export async function nameOfTree(cwd) {
  const branch = (await git(cwd, ['rev-parse', '--abbrev-ref', 'HEAD'])).trim();
  // HEAD is on no branch, as in most jobs of continuous integration.
  const name = branch === 'HEAD' ? (await git(cwd, ['rev-parse', '--short', 'HEAD'])).trim() : branch;
  const isChanged = (await git(cwd, ['status', '--porcelain', '--untracked-files=no'])) !== '';
  return `${name}${isChanged ? ' with changes' : ''}`;
}

/** @type {(ref: string, top: string) => Promise<string>} */
async function commitOf(ref, top) {
  const find = (/** @type {string} */ name) =>
    git(top, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]).catch(() => '');
  // No ref begins with a dash; `--end-of-options` of rev-parse needs git 2.30.
  const commit = ref.startsWith('-') ? '' : (await find(ref)).trim();
  if (commit !== '') return commit;
  throw usageError(
    `--versus-ref ${ref}: the repository has no such branch, tag or commit; ${await hintFor(`origin/${ref}`, find, top)}`,
  );
}

/** @type {(remote: string, find: (name: string) => Promise<string>, top: string) => Promise<string>} */
async function hintFor(remote, find, top) {
  if (await find(remote)) return `did you mean ${remote}?`;
  const isShallow = (await git(top, ['rev-parse', '--is-shallow-repository']).catch(() => '')).trim() === 'true';
  if (!isShallow) return 'git fetch may bring it';
  return "this clone is shallow: 'git fetch --unshallow --tags' may bring it, or fetch-depth: 0 of actions/checkout";
}

/** Removes the work trees of processes that were killed. @type {(top: string) => Promise<void>} */
async function removeLeft(top) {
  const list = await git(top, ['worktree', 'list', '--porcelain']);
  const paths = list
    .split('\n')
    .flatMap((line) => (line.startsWith('worktree ') ? [line.slice('worktree '.length)] : []));
  for (const path of paths) if (isLeft(basename(path), 'ref')) await removeTree(top, path);
}

/** @type {(top: string, folder: string) => Promise<string | null>} the reason why it could not be removed */
async function removeTree(top, folder) {
  // Twice: once for files that have changed, once more for a lock of git
  await git(top, ['worktree', 'remove', '--force', '--force', folder]).catch(() => '');
  return rm(folder, { recursive: true, force: true }).then(
    () => null,
    (error) => error.message,
  );
}

/** @type {(cwd: string, args: string[]) => Promise<string>} */
async function git(cwd, args) {
  const { stdout } = await promisify(execFile)('git', args, { cwd, env: withoutGit(process.env), maxBuffer: 1 << 28 });
  return stdout;
}

/** Git sets these for its hooks: with them a command uses the index of the user, wherever it runs. */
const HOOK_VARIABLES = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_PREFIX'];

/** @type {(env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv} */
function withoutGit(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !HOOK_VARIABLES.includes(name)));
}

/**
 * Refuses a folder in which git finds no repository, with the reason.
 * @type {(ref: string, cwd: string, error: NodeJS.ErrnoException) => never}
 */
function refuse(ref, cwd, error) {
  if (error.code === 'ENOENT') throw usageError(`--versus-ref ${ref} needs git, which is not installed`);
  // Another owner of the folder is a reason, too: git says what to do then.
  const { stderr = '' } = /** @type {{ stderr?: string }} */ (error);
  const reason = /not a git repository/.test(stderr) ? `${cwd} is in none` : stderr.replace(/\s+/g, ' ').trim();
  throw usageError(`--versus-ref ${ref} needs a git repository: ${safeLines(reason)}`);
}

/** @type {(error: unknown) => string} the last line of git */
function reasonOf(error) {
  const { stderr = '', message } = /** @type {Error & { stderr?: string }} */ (error);
  return safeLines(stderr.trim().split('\n').at(-1) || message);
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
async function isFolder(path) {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

/** @type {(path: string) => Promise<string | null>} null without such a file */
function textOf(path) {
  return readFile(path, 'latin1').catch(() => null);
}

/**
 * Returns the dependencies in the package.json of a folder as a text that can be compared; all of it if it is no JSON.
 * @type {(folder: string) => Promise<string>}
 */
async function dependenciesOf(folder) {
  const text = (await textOf(join(folder, 'package.json'))) ?? '{}';
  try {
    const given = JSON.parse(text);
    return JSON.stringify(DEPENDENCIES.map((kind) => Object.entries(given[kind] ?? {}).sort()));
  } catch {
    return text;
  }
}
