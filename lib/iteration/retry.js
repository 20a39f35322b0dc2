/**
 * @import { Request } from '../flow/types.js'
 * @import { Connection } from '../transport/types.js'
 */

/** RFC 9110 9.2.2, except TRACE */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

/**
 * Decides whether a request that failed is sent once more, on a new connection: the server closed a kept-alive connection
 * before the first byte of a response, and the method is idempotent.
 *
 * @param {Pick<Request, 'method'>} request
 * @param {Pick<Connection, 'wasReused' | 'sawBytes'>} connection
 * @param {any} error
 * @returns {boolean}
 */
export function mayRetry({ method }, { wasReused, sawBytes }, error) {
  const isClosed = error?.code === 'E_RESET_BEFORE_HEAD' || error?.code === 'E_PIPELINE';
  return wasReused && !sawBytes && isClosed && IDEMPOTENT.has(method);
}
