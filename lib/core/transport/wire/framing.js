import { makeError } from '../../ground/errors.js';
import { withoutSpace } from '../../http/field-values.js';

/**
 * @typedef {number | 'chunked' | 'close'} Framing how a body ends: after this many bytes, or by its last chunk, or with
 *   the connection
 */

/**
 * Determines how the body of a response ends (RFC 9112 6.3, steps 3 to 8). `contentLength` has all values of the field,
 * joined by commas.
 * @throws {Error} E_FRAMING, E_CONTENT_LENGTH
 * @type {(contentLength: string | null, transferEncoding: string | null) => Framing}
 */
export function readFraming(contentLength, transferEncoding) {
  if (transferEncoding !== null) {
    if (contentLength !== null)
      throw makeError('E_FRAMING', { reason: 'Transfer-Encoding and Content-Length together' });
    return readCodings(transferEncoding);
  }
  return contentLength === null ? 'close' : readLength(contentLength);
}

/** @type {(transferEncoding: string) => Framing} */
function readCodings(transferEncoding) {
  const codings = transferEncoding
    .toLowerCase()
    .split(',')
    .map(withoutSpace)
    .filter((coding) => coding !== '');
  const chunked = codings.filter((coding) => coding === 'chunked').length;
  if (chunked > 1) throw makeError('E_FRAMING', { reason: `Transfer-Encoding: ${JSON.stringify(transferEncoding)}` });
  return codings.at(-1) === 'chunked' ? 'chunked' : 'close';
}

/** Several equal values count as one (RFC 9110 8.6). @type {(contentLength: string) => number} */
function readLength(contentLength) {
  // The fast path: one short number.
  if (contentLength.length < 16 && /^\d+$/.test(contentLength)) return Number(contentLength);
  const values = contentLength.split(',').map(withoutSpace);
  const length = /^\d+$/.test(values[0]) ? Number(values[0]) : NaN;
  if (!Number.isSafeInteger(length) || values.some((value) => value !== values[0])) {
    throw makeError('E_CONTENT_LENGTH', { value: contentLength.slice(0, 40) || 'an empty field' });
  }
  return length;
}
