/** @typedef {import('node:stream').Writable} Writable */

/**
 * A reader that leaves early (`| head`) is no fault: its EPIPE must not end the process.
 *
 * @param {...Writable} streams
 */
export function forgive(...streams) {
  for (const stream of streams) stream.on('error', () => {}); // write() tells of every other error
}

/** Whether colours may be written: on a terminal that has them, unless somebody minds. @type {(io: { stdout: { isTTY?: boolean }, env: NodeJS.ProcessEnv }) => boolean} */
export function hasColours({ stdout, env }) {
  return Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
}

/**
 * Writes and waits until it is out.
 *
 * @param {Writable} stream
 * @param {string} text
 * @returns {Promise<NodeJS.ErrnoException | null>} why it could not be written; a reader that left is no reason
 */
export function write(stream, text) {
  return new Promise((resolve) => {
    stream.write(text, (/** @type {NodeJS.ErrnoException | null | undefined} */ error) => {
      resolve(!error || error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' ? null : error);
    });
  });
}
