import { makeError } from '../../ground/errors.js';
import { printable } from '../wire/octets.js';
import { NO_ERROR, nameOfCode } from './frames.js';

/** @typedef {{ code: number, reason: string }} GoAway why the server ends a connection (RFC 9113 6.8) */

/**
 * Reads the payload of GOAWAY, and truncates its debug data.
 * @type {(bytes: Buffer, from: number, to: number) => GoAway}
 */
export function goAwayOf(bytes, from, to) {
  const code = bytes.readUInt32BE(from + 4);
  const debugData = printable(bytes, from + 8, to);
  return { code, reason: debugData === '' ? nameOfCode(code) : `${nameOfCode(code)}, "${debugData}"` };
}

/**
 * Creates the error of a request on a connection that the server ends.
 * @type {(goAway: GoAway, when: string) => Error}
 */
export function goAwayError({ code, reason }, when) {
  const ownCode = code === NO_ERROR ? undefined : nameOfCode(code);
  return Object.assign(makeError('E_GOAWAY', { when, reason }), { ownCode });
}
