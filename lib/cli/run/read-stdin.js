import { createReadStream, statSync } from 'node:fs';

import { usageError } from '../usage-error.js';

/** @import { Io } from '../main.js' */

const STDIN = ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'];
/** what a shell passes for <(…) */
const DESCRIPTOR = /^\/(dev|proc\/self)\/fd\/\d+$/;
const MIB = 2 ** 20;
const MOST_BYTES = 64 * MIB;

/**
 * Reports whether an argument is standard input, or another stream that a shell has opened. It can be read once, so the
 * command reads it for all threads.
 *
 * @param {string} argument
 * @returns {boolean}
 */
export function isStream(argument) {
  if (STDIN.includes(argument)) return true;
  return DESCRIPTOR.test(argument) && statSync(argument, { throwIfNoEntry: false })?.isFIFO() === true;
}

/**
 * Reads a stream to its end.
 *
 * @param {string} argument for which {@link isStream} holds
 * @param {Pick<Io, 'stdin'>} io
 * @param {number} [most] bytes
 * @returns {Promise<{ bytes: Uint8Array, from: string }>}
 * @throws {Error} E_USAGE if it is a terminal, or too long
 */
export async function readStream(argument, io, most = MOST_BYTES) {
  const isStdin = STDIN.includes(argument);
  if (isStdin && io.stdin.isTTY)
    throw usageError(
      'standard input is a terminal: pipe a flow into it, as in  cat flow.yaml | bench-rest -  or name a file',
    );
  const from = isStdin ? 'standard input' : argument;
  const chunks = [];
  let length = 0;
  for await (const chunk of isStdin ? io.stdin : createReadStream(argument)) {
    length += chunk.length;
    if (length > most)
      throw usageError(`${from} has more than ${most / MIB} MiB: save it to a file, and pass its path`);
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), from };
}
