import { makeError } from '../errors.js';
import { safeLines } from '../text/safe.js';

/**
 * @import { Writable } from 'node:stream'
 */

/**
 * Keeps errors of streams from ending the process: with `| head` stdout fails with EPIPE. `write()` reports all others.
 *
 * @param {...Writable} streams
 */
export function ignoreStreamErrors(...streams) {
  for (const stream of streams) stream.on('error', () => {});
}

/**
 * Writes a text and waits until the stream has flushed it. A stream that has failed and does not destroy itself would keep
 * the text and never call back.
 *
 * @param {Writable} stream
 * @param {string} text
 * @returns {Promise<NodeJS.ErrnoException | null>} the error, if any; a closed pipe (EPIPE) is not an error
 */
export async function write(stream, text) {
  /** @type {NodeJS.ErrnoException | null | undefined} */
  const error = stream.errored ?? (await new Promise((resolve) => void stream.write(text, resolve)));
  return !error || error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' ? null : error;
}

/**
 * Writes a text for people, without control characters and secrets.
 *
 * @param {Writable} stream
 * @param {string} text
 * @returns {Promise<unknown>}
 */
export function writeSafe(stream, text) {
  return write(stream, safeLines(text));
}

/**
 * Prints a message for people.
 *
 * @param {Writable} stream
 * @param {string} text
 * @returns {Promise<unknown>}
 */
export function printMessage(stream, text) {
  return writeSafe(stream, `bench-rest: ${text}\n`);
}

/**
 * Prints a result on stdout, or on stderr if stdout fails.
 *
 * @param {string} text
 * @param {{ stdout: Writable, stderr: Writable }} io
 * @returns {Promise<boolean>} false if stdout failed
 */
export async function print(text, { stdout, stderr }) {
  const error = await write(stdout, text);
  if (!error) return true;
  await write(stderr, `bench-rest: ${makeError('E_NOT_WRITTEN', { reason: error.message }).message}\n${text}`);
  return false;
}
