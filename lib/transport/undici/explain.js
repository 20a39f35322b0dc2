import { makeError } from '../../errors.js';
import { SYSTEM_RESETS } from '../system-resets.js';

/** @import { UndiciConnection } from './connection.js' */

/**
 * undici's errors in our words: what the exchange had seen decides which kind of reset it was.
 *
 * @param {any} error
 * @param {UndiciConnection} exchange
 * @returns {Error}
 */
export function explain(error, exchange) {
  const { code } = error;
  // the bytes of the response, cookies and all, are to be in no error
  delete error.data;
  if (code === 'UND_ERR_SOCKET' || SYSTEM_RESETS.has(code)) {
    if (!exchange.wasSent && code !== 'UND_ERR_SOCKET') return error;
    const stage = exchange.sawHead ? 'E_BODY_SHORT' : exchange.sawBytes ? 'E_RESET_IN_HEAD' : 'E_RESET_BEFORE_HEAD';
    return makeError(stage, { received: `${exchange.bodyBytes} bytes` }, { cause: error });
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return makeError('E_HEAD_TOO_LARGE', { limit: exchange.maxHeaderSize }, { cause: error });
  // of a connection that was cut it says UND_ERR_SOCKET: a mismatch is a length that its parser reads in another way
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return makeError('E_PROTOCOL', { reason: error.message }, { cause: error });
  return error;
}
