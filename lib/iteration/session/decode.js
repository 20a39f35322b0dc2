import { kMaxLength } from 'node:buffer';
import zlib from 'node:zlib';
import { promisify } from 'node:util';

import { makeError } from '../../errors.js';

/** @type {(body: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>} */
const inflate = promisify(/** @type {any} */ (zlib.inflate));
/** @type {(body: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>} */
const inflateRaw = promisify(/** @type {any} */ (zlib.inflateRaw));

/** @type {Record<string, (body: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>>} */
const DECODERS = {
  gzip: promisify(/** @type {any} */ (zlib.gunzip)),
  'x-gzip': promisify(/** @type {any} */ (zlib.gunzip)),
  deflate: (body, options) => (isZlib(body) ? inflate : inflateRaw)(body, options),
  br: promisify(/** @type {any} */ (zlib.brotliDecompress)),
  // Node has it from 22.15 on
  ...('zstdDecompress' in zlib && { zstd: promisify(/** @type {any} */ (zlib.zstdDecompress)) }),
};

/**
 * Undoes the content codings of a body (RFC 9110 8.4), the last applied first; an unknown one is left as it is.
 *
 * @param {Buffer} body
 * @param {string} coding the Content-Encoding field
 * @param {number} limit bytes of the decoded body
 * @returns {Promise<Buffer>}
 * @throws {Error} E_DECODE, E_DECODED_TOO_LARGE, E_ENCODING_CHAIN
 */
export async function decode(body, coding, limit) {
  if (body.length === 0) return body;
  const codings = coding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (codings.length > 5) throw makeError('E_ENCODING_CHAIN', { coding: `${codings.slice(0, 5).join(', ')}, …` });
  let decoded = body;
  for (const name of codings.reverse()) {
    const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (!decoder) return decoded;
    try {
      decoded = await decoder(decoded, { maxOutputLength: Math.min(limit, kMaxLength) });
    } catch (cause) {
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
      if (code === 'ERR_BUFFER_TOO_LARGE') throw makeError('E_DECODED_TOO_LARGE', { limit }, { cause });
      throw makeError('E_DECODE', { reason: `${name}: ${message}` }, { cause });
    }
  }
  return decoded;
}

/** Some servers send deflate without the wrapper it should have (RFC 9110 8.4.1.2); its header is divisible by 31 (RFC 1950 2.2). @type {(body: Buffer) => boolean} */
function isZlib(body) {
  return body.length > 1 && (body[0] & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
}
