import { makeError } from '../../errors.js';
import { isResetCode } from '../../system-errors.js';
import { explainBind } from '../bind-error.js';

/** @import { UndiciConnection } from './connection.js' */

/**
 * Converts an error of undici to one of ours. The progress of the exchange decides which kind of reset it was.
 *
 * @param {any} error
 * @param {UndiciConnection} exchange
 * @returns {Error}
 */
export function explain(error, exchange) {
  const { code } = error;
  // it holds bytes of the response, such as cookies
  delete error.data;
  if (code === 'UND_ERR_SOCKET' || isResetCode(code)) {
    if (!exchange.wasSent && code !== 'UND_ERR_SOCKET') return error;
    const stage = exchange.sawHead ? 'E_BODY_SHORT' : exchange.sawBytes ? 'E_RESET_IN_HEAD' : 'E_RESET_BEFORE_HEAD';
    const { closer, bodyBytes } = exchange;
    return makeError(stage, { closer, received: `${bodyBytes} bytes` }, { cause: error });
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return makeError('E_HEAD_TOO_LARGE', { limit: exchange.maxHeaderSize }, { cause: error });
  // undici reports a cut connection as UND_ERR_SOCKET; a mismatch is a length that its parser reads differently
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return makeError('E_PROTOCOL', { reason: error.message }, { cause: error });
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED')
    return makeError(
      'E_REQUEST_FIELD',
      { place: 'the transport undici', reason: `cannot send this request (${error.message}): use the transport wire` },
      { cause: error },
    );
  return explainBind(error);
}
