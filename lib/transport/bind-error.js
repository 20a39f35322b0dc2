import { makeError } from '../errors.js';

/** The codes that `bind` fails with: not an address of this machine, or one of the other version of IP than that of the server. */
const CODES = new Set(['EADDRNOTAVAIL', 'EINVAL']);

/**
 * Explains why a connection cannot come from the `localAddress` of an operation. Without one, there is no `bind`.
 *
 * @param {any} error of a socket
 * @returns {Error} E_LOCAL_ADDRESS; any other error is unchanged
 */
export function explainBind(error) {
  if (error.syscall !== 'bind' || !CODES.has(error.code)) return error;
  return makeError('E_LOCAL_ADDRESS', { address: error.address, code: error.code }, { cause: error });
}
