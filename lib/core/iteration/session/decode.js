import zlib from 'node:zlib';

import { makeError } from '../../ground/errors.js';
import { JoinedBytes, UNCOUNTED } from '../../process/body-memory.js';
import { listOf } from '../../text/format-value.js';

/** @import { Transform } from 'node:stream' */
/** @import { Response } from '../../contracts/response.js' */
/** @import { BodyAccount } from '../../process/body-memory.js' */
/** @import { Middleware } from './index.js' */

/**
 * @typedef {object} Decoder
 * @property {(body: Buffer) => Transform} create
 * @property {(beginning: Buffer, maxOutputLength: number) => Buffer} decodeBeginning
 * @property {(body: Buffer) => boolean} [isCut] reports what `create` does not: the body ends before its end
 */

const MAX_CODINGS = 5;
/** Bytes; decoding them takes about 1 ms. */
const MAX_EXCERPT = 1024 * 1024;

const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH } = zlib.constants;

/** @type {Decoder} */
const GZIP = {
  create: () => zlib.createGunzip(),
  decodeBeginning: (bytes, maxOutputLength) => zlib.gunzipSync(bytes, { finishFlush: Z_SYNC_FLUSH, maxOutputLength }),
};

/** By the name of the coding. @type {Record<string, Decoder>} */
const DECODERS = {
  gzip: GZIP,
  'x-gzip': GZIP,
  deflate: {
    create: (body) => (isZlib(body) ? zlib.createInflate() : zlib.createInflateRaw()),
    decodeBeginning: (bytes, maxOutputLength) =>
      (isZlib(bytes) ? zlib.inflateSync : zlib.inflateRawSync)(bytes, { finishFlush: Z_SYNC_FLUSH, maxOutputLength }),
  },
  br: {
    create: () => zlib.createBrotliDecompress(),
    decodeBeginning: (bytes, maxOutputLength) =>
      zlib.brotliDecompressSync(bytes, { finishFlush: BROTLI_OPERATION_FLUSH, maxOutputLength }),
  },
  ...zstd(/** @type {any} */ (zlib)),
};

/** @type {Middleware} */
export default {
  name: 'decode',
  about: 'Decodes the body of a response by its Content-Encoding (RFC 9110 8.4)',
  needed: (rules) => rules.decodes,

  after(request, response, { next, run, bodies }) {
    // What a reader has read was decoded as it arrived.
    if (next || !response.body || !response.contentEncoding || response.reading) return undefined;
    // A range is one of the encoded bytes (RFC 9110 14.2): without their beginning or end they cannot be decoded.
    if (response.statusCode === 206 && !isWhole(response)) return undefined;
    return replaceBody(response, run.maxBodySize, bodies);
  },
};

/** Reports whether the range of a 206 is the whole body. @type {(response: Response) => boolean} */
function isWhole({ headers }) {
  const [, last, size] = /^bytes 0-(\d+)\/(\d+)$/i.exec(String(headers['content-range'])) ?? [];
  return last !== undefined && Number(last) === Number(size) - 1;
}

/** @type {(response: Response, limit: number, bodies: BodyAccount) => Promise<void>} */
async function replaceBody(response, limit, bodies) {
  const { body, contentEncoding } = response;
  response.body = await decode(/** @type {Buffer} */ (body), /** @type {string} */ (contentEncoding), limit, bodies);
}

/**
 * Decodes a body by the Content-Encoding field, the coding that was applied last first. The body stays as it is from an
 * unknown coding on. Both limits are checked while the decoded body grows. The account has counted `body`, and counts
 * the decoded body instead.
 * @throws {Error} E_DECODE, E_DECODED_TOO_LARGE, E_ENCODING_CHAIN, E_BODY_MEMORY
 * @type {(body: Buffer, coding: string, limit: number, account?: BodyAccount) => Promise<Buffer>}
 */
export async function decode(body, coding, limit, account = UNCOUNTED) {
  if (body.length === 0) return body;
  const codings = codingsOf(coding);
  if (codings.length > MAX_CODINGS) {
    throw makeError('E_ENCODING_CHAIN', { coding: listOf(codings, MAX_CODINGS), limit: MAX_CODINGS });
  }
  let decoded = body;
  for (const name of codings.toReversed()) {
    const decoder = decoderOf(name);
    if (!decoder) return decoded;
    const encoded = decoded;
    if (decoder.isCut?.(encoded)) throw decodeError(name, new Error('unexpected end of file'));
    decoded = await runDecoder(decoder.create(encoded), encoded, { name, limit, account });
    account.free(encoded.length);
  }
  return decoded;
}

/**
 * Decodes the beginning of a body by the Content-Encoding field, or less of it, for a message. Bytes that cannot be
 * decoded are returned themselves.
 * @type {(bytes: Buffer, coding: string) => Buffer}
 */
export function decodeBeginning(bytes, coding) {
  const decoders = codingsOf(coding).toReversed().map(decoderOf);
  if (decoders.length > MAX_CODINGS) return bytes;
  let decoded = bytes;
  try {
    for (const decoder of decoders) {
      if (!decoder) return decoded;
      decoded = decoder.decodeBeginning(decoded, MAX_EXCERPT);
      // Zstd decodes whole blocks of up to 128 KiB (RFC 8878)
      if (decoded.length === 0) return bytes;
    }
    return decoded;
  } catch {
    // The message is about another error.
    return bytes;
  }
}

/** Values that name no coding. Servers send `none` to keep proxies from compressing a stream. */
const PLAIN = ['', 'identity', 'none'];

/** The codings of a Content-Encoding field, in the order of encoding. @type {(field: string) => string[]} */
export function codingsOf(field) {
  return field
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !PLAIN.includes(name));
}

/** The decoder of a content coding; undefined: not known. @type {(name: string) => Decoder | undefined} */
export function decoderOf(name) {
  return Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
}

/**
 * @type {(decoder: Transform, encoded: Buffer, options: { name: string, limit: number, account: BodyAccount }) =>
 *   Promise<Buffer>}
 */
function runDecoder(decoder, encoded, { name, limit, account }) {
  return new Promise((resolve, reject) => {
    const joined = new JoinedBytes(account);
    let size = 0;
    /** @type {(error: Error) => void} */
    const fail = (error) => {
      decoder.removeAllListeners('data');
      decoder.destroy();
      joined.drop();
      reject(error);
    };
    decoder.on('data', (/** @type {Buffer} */ piece) => {
      size += piece.length;
      try {
        if (size > limit) throw makeError('E_DECODED_TOO_LARGE', { limit });
        joined.add(piece, 0, piece.length, limit);
      } catch (error) {
        fail(/** @type {Error} */ (error));
      }
    });
    decoder.on('error', (cause) => fail(decodeError(name, cause)));
    decoder.on('end', () => resolve(joined.take()));
    decoder.end(encoded);
  });
}

/** @type {(coding: string, cause: Error) => Error} */
export function decodeError(coding, cause) {
  return makeError('E_DECODE', { reason: `${coding}: ${cause.message}` }, { cause });
}

/** Node 22.15 and newer. The window is at most 8 MiB (RFC 9659). @type {(from: any) => Record<string, Decoder>} */
function zstd({ createZstdDecompress, zstdDecompressSync, constants }) {
  if (!createZstdDecompress) return {};
  const params = { [constants.ZSTD_d_windowLogMax]: 23 };
  return {
    zstd: {
      create: () => createZstdDecompress({ params }),
      isCut: isCutZstd,
      decodeBeginning: (bytes, maxOutputLength) =>
        zstdDecompressSync(bytes, { params, finishFlush: constants.ZSTD_e_flush, maxOutputLength }),
    },
  };
}

/**
 * Some servers send deflate without the zlib wrapper (RFC 9110 8.4.1.2). A zlib header is divisible by 31 (RFC 1950
 * 2.2).
 * @type {(body: Buffer) => boolean}
 */
function isZlib(body) {
  return body.length > 1 && (body[0] & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
}

/** The first bytes of a frame (RFC 8878 3.1.1). */
const ZSTD_FRAME = 0xfd2fb528;

/**
 * Reports whether the first frame of a body lacks its end (RFC 8878 3.1.1), of which Node 22 makes no error
 * (nodejs/node#64592). Other bytes are left to the decoder.
 * @type {(body: Buffer) => boolean}
 */
function isCutZstd(body) {
  const { length } = body;
  if (length < 5) return true;
  if (body.readUInt32LE(0) !== ZSTD_FRAME) return false;
  const flags = body[4];
  const isSingle = (flags & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3];
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6];
  let at = 5 + (isSingle ? 0 : 1) + dictionaryBytes + sizeBytes;
  for (let isLast = false; !isLast;) {
    if (at + 3 > length) return true;
    const block = body.readUIntLE(at, 3);
    isLast = (block & 1) !== 0;
    // A block of one byte that is repeated has that byte.
    at += 3 + (((block >> 1) & 3) === 1 ? 1 : block >> 3);
  }
  const checksumBytes = (flags & 4) === 0 ? 0 : 4;
  return at + checksumBytes > length;
}
