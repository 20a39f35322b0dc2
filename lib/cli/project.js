import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Names in a folder that make it the root of a project. */
const MARKS = ['package.json', '.git'];
const WRITABLE_BY_ALL = 0o002;

/**
 * The root of the project that a folder belongs to: the nearest one with package.json or .git.
 *
 * @param {string} folder
 * @returns {string} the folder itself if there is none
 */
export function projectRoot(folder) {
  for (let at = folder; ; at = dirname(at)) {
    if (MARKS.some((mark) => existsSync(join(at, mark)))) return at;
    if (at === dirname(at)) return folder;
  }
}

/**
 * Why a file that was found, not named by the user, must not run as code: another user could have written it.
 *
 * @param {string} path
 * @returns {string | undefined} undefined if it may run, or if files have no owner (Windows)
 */
export function distrustOf(path) {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  const file = realpathSync(path);
  for (const one of new Set([path, file].flatMap((each) => [each, dirname(each)]))) {
    const { uid, mode } = statSync(one);
    if (uid !== user) return `${one} belongs to another user (${uid}, you are ${user})`;
    if ((mode & WRITABLE_BY_ALL) !== 0) return `every user can write to ${one}`;
  }
  return undefined;
}
