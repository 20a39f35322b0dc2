import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { openFilesError } from '../ground/system-errors.js';
import { isClosedOff } from './confinement.js';

/** @import { Stats } from 'node:fs' */

const MOST_AT_ONCE = 64 * 1024;

/** The reads that {@link recordReads} collects. @type {Map<string, { isSecret: boolean }> | null} */
let reads = null;

/** Why a file that the user named is not read. `reason` follows its path: `is a directory`. */
export class FileRefusal extends Error {
  /** @param {string} path @param {{ reason: string, cure: string, code?: string, cause?: unknown }} details */
  constructor(path, { reason, cure, code = 'E_FILE', cause }) {
    super(`${path} ${reason}; ${cure}`, { cause });
    this.reason = reason;
    this.cure = cure;
    this.code = code;
  }

  get isMissing() {
    return this.code === 'ENOENT' || this.code === 'ENOTDIR';
  }
}

/**
 * Reads a file that the user named, if it is a regular file of bounded size. A FIFO blocks until it has a writer, and a
 * device may have no end, so neither is opened.
 * @param {string} path
 * @param {object} options
 * @param {number} options.maxBytes
 * @param {number} [options.start] the first byte to read
 * @param {number} [options.end] the last byte to read
 * @param {boolean} [options.isStable] refuse a file that is written while it is read
 * @param {boolean} [options.isShared] read it into memory that threads can share
 * @param {boolean} [options.isProgram] a module, or its package.json, which Node reads by itself if it is refused here
 * @param {boolean} [options.isSecret] it holds a private key, or passwords
 * @returns {Buffer}
 * @throws {FileRefusal}
 * @throws {Error} E_OPEN_FILES: no file can be opened any more
 */
export function readRegularFile(path, { isSecret = false, isProgram = false, ...options }) {
  if (!isProgram && isClosedOff(path)) throw outside(path);
  reads?.set(resolve(path), { isSecret });
  return readChecked(path, options);
}

/** Returns UTF-8 text without its byte order mark. @type {(...read: Parameters<typeof readRegularFile>) => string} */
export function readTextFile(...read) {
  return new TextDecoder().decode(readRegularFile(...read));
}

/**
 * Returns the result of `read`. If it refuses the file, `complain` gets the reason, and null is returned.
 * @type {<T>(read: () => T, complain: (reason: string) => void) => T | null}
 */
export function readOrComplain(read, complain) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    complain(error.message);
    return null;
  }
}

/** @type {(path: string, options: Parameters<typeof readRegularFile>[1]) => Buffer} */
function readChecked(path, { maxBytes, start = 0, end = Infinity, isStable = false, isShared = false }) {
  let descriptor;
  try {
    checkKind(path, statSync(path));
    // The file may have been replaced since the check: with O_NONBLOCK a FIFO does not block.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    checkKind(path, stats);
    const size = Math.max(0, Math.min(stats.size, end + 1) - start);
    if (size > maxBytes) throw tooLarge(path, `has ${size} bytes`, maxBytes);
    // All bytes of the range, or one more than allowed, by which a file that grows is recognized.
    const most = Math.max(0, Math.min(maxBytes, end - start) + 1);
    const whole = readAll(descriptor, { size, most, start, isShared });
    if (whole.length > maxBytes) throw tooLarge(path, 'is still growing', maxBytes);
    if (isStable && isChanged(stats, fstatSync(descriptor))) throw changing(path);
    return whole;
  } catch (error) {
    if (error instanceof FileRefusal) throw error;
    throw openFilesError(error) ?? unreadable(path, /** @type {NodeJS.ErrnoException} */ (error));
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Finds out which files (by absolute path) a synchronous function reads by {@link readRegularFile}, also those that it
 * could not read.
 * @type {<T>(work: () => T) => { result?: T, error?: unknown, files: Map<string, { isSecret: boolean }> }}
 */
export function recordReads(work) {
  const files = new Map();
  reads = files;
  try {
    return { result: work(), files };
  } catch (error) {
    return { error, files };
  } finally {
    reads = null;
  }
}

/** @type {(path: string, stats: Stats) => void} */
function checkKind(path, stats) {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new FileRefusal(path, { reason: 'is a directory', cure: 'use a file in it' });
  if (stats.isFIFO())
    throw new FileRefusal(path, { reason: 'is a FIFO, not a regular file', cure: 'save its content to a file first' });
  const kind = stats.isSocket() ? 'a socket' : 'a device';
  throw new FileRefusal(path, { reason: `is ${kind}, not a regular file`, cure: 'use a regular file' });
}

/** @type {(before: Stats, after: Stats) => boolean} */
function isChanged(before, after) {
  return before.size !== after.size || before.mtimeMs !== after.mtimeMs;
}

/**
 * Reads up to the end, not up to the size: files of /proc have a size of 0, others grow.
 * @type {(descriptor: number, options: { size: number, most: number, start: number, isShared: boolean }) => Buffer}
 */
function readAll(descriptor, { size, most, start, isShared }) {
  // One more than the size: the end of the file is found without a larger buffer.
  const first = Math.min(size + 1, most);
  let bytes = isShared ? Buffer.from(new SharedArrayBuffer(first)) : Buffer.allocUnsafe(first);
  let length = 0;
  while (length < most) {
    if (length === bytes.length)
      bytes = Buffer.concat([bytes, Buffer.allocUnsafe(Math.min(MOST_AT_ONCE, most - length))]);
    const count = readSync(descriptor, bytes, length, bytes.length - length, start + length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

/** @type {(path: string) => FileRefusal} */
function outside(path) {
  return new FileRefusal(path, {
    reason: 'is outside of the folder that the flow may read',
    cure: 'use a path inside of it',
  });
}

/** @type {(path: string, what: string, maxBytes: number) => FileRefusal} */
function tooLarge(path, what, maxBytes) {
  return new FileRefusal(path, {
    reason: `is too large: it ${what}, at most ${maxBytes} are read`,
    cure: 'make it smaller',
  });
}

/** @type {(path: string) => FileRefusal} */
function changing(path) {
  return new FileRefusal(path, { reason: 'was changed while it was read', cure: 'start again when it is complete' });
}

/** @type {(path: string, error: NodeJS.ErrnoException) => FileRefusal} */
function unreadable(path, cause) {
  const { code, message } = cause;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new FileRefusal(path, { reason: 'does not exist', cure: 'check the path', code, cause });
  if (code === 'EACCES' || code === 'EPERM')
    return new FileRefusal(path, {
      reason: 'cannot be read: no permission',
      cure: 'check its mode and that of its folder',
      code,
      cause,
    });
  return new FileRefusal(path, { reason: `cannot be read: ${message}`, cure: 'check the file', code, cause });
}
