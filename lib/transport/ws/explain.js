import { errorOfClose, makeError } from '../../errors.js';
import { isResetCode } from '../../system-errors.js';
import { explainBind } from '../bind-error.js';

/**
 * Converts an error of a handshake.
 *
 * @param {any} error of ws, node:http or a socket
 * @param {{ wasSent: boolean, sawBytes: boolean }} progress
 * @param {{ maxHeaderSize: number }} limits
 * @returns {Error}
 */
export function explainHandshake(error, { wasSent, sawBytes }, { maxHeaderSize }) {
  const { code } = error;
  if (code === 'HPE_HEADER_OVERFLOW') return makeError('E_HEAD_TOO_LARGE', { limit: maxHeaderSize }, { cause: error });
  if (typeof code === 'string' && code.startsWith('HPE_'))
    return makeError('E_PROTOCOL', { reason: error.reason ?? error.message }, { cause: error });
  if (wasSent && isResetCode(code))
    return makeError(sawBytes ? 'E_RESET_IN_HEAD' : 'E_RESET_BEFORE_HEAD', {}, { cause: error });
  // checks of ws throw plain errors
  if (code === undefined) return makeError('E_WS_HANDSHAKE', { reason: lowerFirst(error.message) }, { cause: error });
  return explainBind(error);
}

/** Parts of a message, or pieces of a frame, that ws keeps until it is complete. Without a limit, parts of no bytes fill the memory. */
export const MAX_PARTS = 2 ** 18;

/**
 * Converts an error of an open connection: what the server sent is no valid frame or message.
 *
 * @param {any} error of ws
 * @param {{ maxBodySize: number }} limits
 * @returns {Error}
 */
export function explainFrame(error, { maxBodySize }) {
  if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
    return makeError('E_WS_MESSAGE_TOO_LARGE', { limit: maxBodySize }, { cause: error });
  if (error.code === 'WS_ERR_TOO_MANY_BUFFERED_PARTS')
    return makeError('E_WS_TOO_MANY_PARTS', { limit: MAX_PARTS }, { cause: error });
  const reason = error.message.replace(/^Invalid WebSocket frame: /, '');
  return makeError('E_WS_FRAME', { reason }, { cause: error });
}

/**
 * The error of a connection that ended without a close frame, if the server did not end it.
 *
 * @param {any} error of the socket
 * @returns {Error | null} null: the server closed or reset the connection
 */
export function brokenError(error) {
  return error === null || isResetCode(error.code) ? null : error;
}

/**
 * The error of a connection that the server closed.
 *
 * @param {number} code
 * @param {string} reason
 * @returns {Error}
 */
export function closedError(code, reason) {
  return makeError(errorOfClose(code), { code, reason: reason === '' ? '' : `: ${reason}` });
}

/** @type {(text: string) => string} */
function lowerFirst(text) {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
