import { execFile } from 'node:child_process';
import { realpath, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';

import { isOutside, realPathOf } from '../../../core/process/confinement.js';
import { isLeft, makeOwnFolder } from '../../processes/private-folder.js';
import { safeLines } from '../../../core/text/safe.js';
import { usageError } from '../../../core/cli/usage-error.js';
import { RefPackages, isFolder, textOf, withoutGit } from './ref-packages.js';

/** @import { Setup } from './ref-packages.js' */

/** Another commit of the repository, checked out in a temporary work tree (git-worktree(1)). */
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
    const packages = new RefPackages({ top: this.#top, folder: this.folder });
    const setups = await packages.setups(names.split('\0').filter(Boolean).map(dirname), start);
    return setups.map((one) => ({ ...one, repository: this.#cwd }));
  }

  /** Describes what the work tree lacks, unless `setup` may bring it. @type {(setup?: string) => Promise<string[]>} */
  async notices(setup) {
    if (setup !== undefined || (await textOf(join(this.folder, '.gitmodules'))) === null) return [];
    return ["it has submodules, which are not checked out: --setup 'git submodule update --init' does that"];
  }

  /** Removes the work tree, or returns a notice: another user may own files. @type {() => Promise<string | null>} */
  async remove() {
    const failure = await removeTree(this.#top, this.folder);
    return failure && `its work tree could not be removed (${safeLines(failure)}): delete ${safeLines(this.folder)}`;
  }
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

/** Refuses a folder without a repository. @type {(ref: string, cwd: string, error: NodeJS.ErrnoException) => never} */
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
