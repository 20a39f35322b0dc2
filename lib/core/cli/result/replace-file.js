import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** @import { Stats } from 'node:fs' */
/** @import { PendingFile } from '../types.js' */

/**
 * @typedef {object} ReplacedFile
 * @property {string} path of the file itself, behind all symbolic links; it may not exist
 * @property {Stats | undefined} stats
 * @property {boolean} isDirect a device, a FIFO or an open stream: bytes are appended to it, and nothing is replaced
 */

/** Numbers of files as they are, beyond 2^53. */
const EXACT = /** @type {const} */ ({ bigint: true });
const MOST_LINKS = 40;
const MOST_PARTIALS = 100;
/**
 * Errors that forbid a second file or a rename in a folder, although the existing file itself can be written. EBUSY: it
 * is a mount point, as in a container; ENAMETOOLONG: the path of the folder leaves no room for a second name.
 */
const FOLDER_ERRORS = ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ENAMETOOLONG'];

/**
 * Writes a file (an absolute path) so that an existing one is never damaged: into a new file in the same folder, fsync,
 * then rename. Symbolic links, mode and owner are kept. If the folder forbids this (it is not writable, has another
 * owner, or the file is a mount point), the file is overwritten in place, and restored if that fails.
 * @throws {NodeJS.ErrnoException} the existing file is unchanged
 * @type {(path: string, text: string) => void}
 */
export function replaceFile(path, text) {
  const pending = begin(path, hiddenName);
  try {
    pending.append(text);
    pending.commit();
  } catch (error) {
    pending.discard();
    throw error;
  }
}

/**
 * Starts a file (an absolute path) that is written incrementally as `PATH.partial` and replaces `path` at the end. A
 * killed process leaves the `.partial` behind; the next run keeps it and writes `PATH.2.partial`. If that name is too
 * long, it is a hidden one.
 * @type {(path: string) => PendingFile}
 */
export function startFile(path) {
  return begin(path, (file, attempt) => `${file}${attempt === 1 ? '' : `.${attempt}`}.partial`);
}

/**
 * Chooses the way by which a file is written: through another one beside it, directly, or in place.
 * @type {(path: string, nameOf: (file: string, attempt: number) => string) => PendingFile}
 */
function begin(path, nameOf) {
  const target = targetOf(path);
  if (target.isDirect) return directly(target);
  if (target.stats) accessSync(target.path, constants.W_OK);
  for (let attempt = 1; ; attempt++) {
    try {
      return createBeside(target, nameOf(target.path, attempt));
    } catch (error) {
      if (codeOf(error) === 'EEXIST' && attempt < MOST_PARTIALS) continue;
      if (codeOf(error) === 'ENAMETOOLONG' && nameOf !== hiddenName) return begin(path, hiddenName);
      if (!target.stats || !isFolderError(error)) throw error;
      return inPlace(target.path);
    }
  }
}

/** @type {(file: string) => string} */
function hiddenName(file) {
  return join(dirname(file), `.bench-rest-${randomBytes(6).toString('hex')}.tmp`);
}

/** Returns the file that an absolute path leads to. @throws ELOOP @type {(path: string) => ReplacedFile} */
export function targetOf(path) {
  let file = path;
  for (let links = 0; !isDescriptor(file) && isLink(file); links++) {
    if (links > MOST_LINKS) throw Object.assign(new Error('ELOOP: too many symbolic links'), { code: 'ELOOP' });
    file = resolve(dirname(file), readlinkSync(file));
  }
  const stats = statSync(file, { throwIfNoEntry: false });
  const isDirect = stats !== undefined && (isDescriptor(file) || !stats.isFile() || isOpenStream(file));
  return { path: file, stats, isDirect };
}

/** Identifies a file, whichever path leads to it; a device or stream by its path. @type {(path: string) => string} */
export function identityOf(path) {
  const { path: file, stats, isDirect } = targetOf(path);
  if (isDirect) return file;
  return stats ? numberOf(file) : `${numberOf(dirname(file))}/${basename(file)}`;
}

/** Reports whether a path leads to one of these files. @type {(path: string, files: string[]) => boolean} */
export function isOneOf(path, files) {
  if (!existsSync(path)) return false;
  const identity = identityOf(path);
  return files.some((file) => existsSync(file) && identityOf(file) === identity);
}

/** Windows has numbers of files with 64 bits. @type {(file: string | number) => string} a path, or a descriptor */
function numberOf(file) {
  const { dev, ino } = typeof file === 'number' ? fstatSync(file, EXACT) : statSync(file, EXACT);
  return `${dev}:${ino}`;
}

/**
 * Reports whether a path names an open file, such as `/dev/stdout`. The system makes it a link to a name that may not
 * exist (`pipe:[4711]`); a regular file behind it must not be replaced, which would lose later output.
 * @type {(path: string) => boolean}
 */
function isDescriptor(path) {
  return process.platform !== 'win32' && /^\/(dev\/(std(in|out|err)$|fd\/)|proc\/[^/]+\/fd\/)/.test(path);
}

/** @type {(path: string) => boolean} */
function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Reports whether stdout or stderr is redirected to this file. @type {(file: string) => boolean} */
function isOpenStream(file) {
  const number = numberOf(file);
  return [1, 2].some((fd) => {
    try {
      return numberOf(fd) === number;
    } catch (error) {
      if (codeOf(error) === 'EBADF') return false;
      throw error;
    }
  });
}

/** Writes a new file that replaces the target. @type {(target: ReplacedFile, name: string) => PendingFile} */
function createBeside({ path, stats }, name) {
  const fd = openSync(name, 'wx', 0o666);
  let isOpen = true;
  let exists = true;
  const close = () => {
    if (isOpen) closeSync(fd);
    isOpen = false;
  };
  const discard = () => {
    try {
      close();
      if (exists) unlinkSync(name);
    } catch {
      // Its folder is gone, or read-only by now: the error before it names the reason
    }
    exists = false;
  };
  try {
    if (stats) keepOwnerAndMode(fd, stats);
  } catch (error) {
    discard();
    throw error;
  }
  return {
    append: (text) => writeFileSync(fd, text),
    commit() {
      fsyncSync(fd);
      close();
      try {
        renameSync(name, path);
      } catch (error) {
        if (!stats || !isFolderError(error)) throw error;
        overwrite(path, readFileSync(name));
        return discard();
      }
      exists = false;
      return syncFolder(dirname(path));
    },
    discard,
  };
}

/** @type {(fd: number, stats: Stats) => void} */
function keepOwnerAndMode(fd, { uid, gid, mode }) {
  if (process.platform === 'win32') return;
  const now = fstatSync(fd);
  if (now.uid !== uid || now.gid !== gid) fchownSync(fd, uid, gid);
  // The mode is set after the owner: a change of owner clears set-user-ID bits.
  if (now.mode !== mode) fchmodSync(fd, mode & 0o7777);
}

/** Synchronizes a folder: a rename survives a power failure only then (fsync(2)). @type {(folder: string) => void} */
function syncFolder(folder) {
  if (process.platform === 'win32') return;
  let fd;
  try {
    fd = openSync(folder, 'r');
    fsyncSync(fd);
  } catch (error) {
    // The folder is not readable, or its file system does not support fsync; the file itself is complete.
    if (!['EACCES', 'EINVAL', 'ENOTSUP', 'EPERM'].includes(codeOf(error))) throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Keeps the text in memory until the end: the folder allows no second file. @type {(path: string) => PendingFile} */
function inPlace(path) {
  /** @type {string[]} */
  const texts = [];
  return {
    append: (text) => void texts.push(text),
    commit: () => overwrite(path, Buffer.from(texts.join(''))),
    discard() {},
  };
}

/**
 * Overwrites without truncating first, so that the space of the old content remains available to restore it.
 * @type {(path: string, bytes: Buffer) => void}
 */
function overwrite(path, bytes) {
  const old = readFileSync(path);
  const fd = openSync(path, 'r+');
  try {
    try {
      writeAll(fd, bytes);
      fsyncSync(fd);
    } catch (error) {
      writeAll(fd, old);
      throw error;
    }
  } finally {
    closeSync(fd);
  }
}

/** @type {(fd: number, bytes: Buffer) => void} */
function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
  ftruncateSync(fd, bytes.length);
}

/**
 * Appends to a device, a FIFO or an open stream, opened once: the reader of a FIFO sees the end at a close.
 * @type {(target: ReplacedFile) => PendingFile}
 */
function directly({ path, stats }) {
  /** @type {number | null} */
  let fd = null;
  const close = () => {
    if (fd !== null) closeSync(fd);
    fd = null;
  };
  return {
    append(text) {
      fd ??= stats?.isFIFO() ? openFifo(path) : openSync(path, 'a');
      writeFileSync(fd, text);
    },
    commit: close,
    discard: close,
  };
}

/** Does not wait for a reader, which would block the thread and all signals. @type {(path: string) => number} */
function openFifo(path) {
  const probe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    return openSync(path, 'a');
  } finally {
    closeSync(probe);
  }
}

/** @type {(error: unknown) => boolean} */
function isFolderError(error) {
  return FOLDER_ERRORS.includes(codeOf(error));
}

/** @type {(error: unknown) => string} */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code ?? '';
}
