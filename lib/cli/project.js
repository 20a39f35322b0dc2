import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

/** @import { Stats } from 'node:fs' */

/** Names in a folder that make it the root of a project. */
const MARKS = ['package.json', '.git'];
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_ALL = 0o002;
const ROOT = 0;

/**
 * Finds the root of the project that a folder (an absolute path) belongs to: the nearest one with package.json or .git,
 * or else the folder itself. The home folder and those above it are not the root of a folder below: some people keep
 * their settings there in git.
 * @type {(folder: string) => string}
 */
export function projectRoot(folder) {
  const home = homes();
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder && home.has(at)) return folder;
    if (MARKS.some((mark) => existsSync(join(at, mark)))) return at;
    if (at === dirname(at)) return folder;
  }
}

/** Lists the home folder and those above it, as they are named and as they are. @type {() => Set<string>} */
function homes() {
  const home = homedir();
  const all = new Set();
  for (const one of [home, existsSync(home) ? realpathSync(home) : home]) {
    all.add(one);
    for (let at = one; at !== dirname(at); at = dirname(at)) all.add(at);
  }
  return all;
}

/**
 * Explains why a file that was found, not named by the user, is not obeyed: another user could have written it. As for
 * git (`safe.directory`), files of the user and of root are trusted, and after `sudo` those of the user who called it.
 * A folder that others can write to does not matter to data, whose owner they cannot forge; code imports the files
 * beside it. Undefined if it is obeyed, if it does not exist, or if files have no owner (Windows).
 * @type {(path: string, options: { isCode: boolean }) => string | undefined}
 */
export function distrustOf(path, { isCode }) {
  if (process.geteuid === undefined || !existsSync(path)) return undefined;
  const file = realpathSync(path);
  for (const one of new Set([path, file])) {
    const stats = lstatSync(one);
    const reason = otherOwner(one, stats) ?? (stats.isSymbolicLink() ? undefined : otherWriters(one, stats));
    if (reason) return reason;
  }
  if (!isCode) return undefined;
  for (const folder of new Set([dirname(path), dirname(file)])) {
    const stats = statSync(folder);
    const reason = otherOwner(folder, stats) ?? (isWritable(stats) ? `every user can write to ${folder}` : undefined);
    if (reason) return reason;
  }
  return undefined;
}

/** @type {(path: string, stats: Stats) => string | undefined} */
function otherOwner(path, { uid }) {
  const user = /** @type {() => number} */ (process.geteuid)();
  const { SUDO_UID } = process.env;
  if (uid === user || uid === ROOT || (user === ROOT && SUDO_UID === String(uid))) return undefined;
  return `${path} belongs to another user (${uid}, you are ${user})`;
}

/** @type {(path: string, stats: Stats) => string | undefined} */
function otherWriters(path, stats) {
  if (isWritable(stats)) return `every user can write to ${path}`;
  const isWrittenByGroup = (stats.mode & WRITABLE_BY_GROUP) !== 0 && !isOwnGroup(stats.gid);
  return isWrittenByGroup ? `the users of group ${stats.gid} can write to ${path}` : undefined;
}

/** @type {(stats: Stats) => boolean} */
function isWritable({ mode }) {
  return (mode & WRITABLE_BY_ALL) !== 0;
}

/**
 * Reports whether a group is the user's own. Many systems give each user a group without others, and let it write to
 * all files (umask 002).
 * @type {(gid: number) => boolean}
 */
function isOwnGroup(gid) {
  try {
    const { username } = userInfo();
    const groups = readFileSync('/etc/group', 'utf8').split('\n');
    const [name, , , members] = groups.map((line) => line.split(':')).find(([, , id]) => id === String(gid)) ?? [];
    return name === username && (members === '' || members === username);
  } catch {
    // The user has no name, or the system has no such file.
    return false;
  }
}
