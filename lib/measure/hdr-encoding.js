import { deflateSync, inflateSync } from 'node:zlib';

import { HIGHEST_US, LOWEST_US, SLOTS } from './hdr-counts.js';

/** @import { HdrCounts } from './hdr-counts.js' */

/**
 * HdrHistogram's V2 compressed encoding in base64, which HdrHistogram tools in all languages read and write: a cookie and
 * a length, then a deflated header with the ZigZag LEB128 counts.
 */
const COOKIE = 0x1c849303 | 0x10;
const COMPRESSED_COOKIE = 0x1c849304 | 0x10;
const HEADER_BYTES = 40;
const COMPRESSED_HEADER_BYTES = 8;
const DIGITS = 3;
const LOWEST = BigInt(LOWEST_US);
const HIGHEST = BigInt(HIGHEST_US);
/** a count below 2^53 has 8 bytes */
const MOST_BYTES = HEADER_BYTES + 8 * SLOTS;

/**
 * @param {HdrCounts} counts of microseconds
 * @returns {string}
 */
export function encodeHdr(counts) {
  const payload = counts.toBytes();
  const plain = Buffer.alloc(HEADER_BYTES + payload.length);
  plain.writeUInt32BE(COOKIE, 0);
  plain.writeUInt32BE(payload.length, 4);
  plain.writeUInt32BE(0, 8); // normalizing index offset
  plain.writeUInt32BE(DIGITS, 12);
  plain.writeBigInt64BE(LOWEST, 16);
  plain.writeBigInt64BE(HIGHEST, 24);
  plain.writeDoubleBE(1, 32); // integer to double conversion ratio
  plain.set(payload, HEADER_BYTES);
  const deflated = deflateSync(plain);
  const head = Buffer.alloc(COMPRESSED_HEADER_BYTES);
  head.writeUInt32BE(COMPRESSED_COOKIE, 0);
  head.writeUInt32BE(deflated.length, 4);
  return Buffer.concat([head, deflated]).toString('base64');
}

/**
 * @param {string} text
 * @returns {Uint8Array} the counts, as {@link HdrCounts#toBytes} returns them
 * @throws {Error} the text is not such an encoding, or has other limits than ours
 */
export function decodeHdr(text) {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length < COMPRESSED_HEADER_BYTES || bytes.readUInt32BE(0) !== COMPRESSED_COOKIE)
    throw new Error('not an HdrHistogram in V2 compressed encoding');
  const plain = inflateSync(bytes.subarray(COMPRESSED_HEADER_BYTES), { maxOutputLength: MOST_BYTES });
  const isOurs =
    plain.length >= HEADER_BYTES &&
    plain.readUInt32BE(0) === COOKIE &&
    plain.readUInt32BE(12) === DIGITS &&
    plain.readBigInt64BE(16) === LOWEST;
  if (!isOurs) throw new Error('an HdrHistogram with other limits than three digits from 1 µs');
  return plain.subarray(HEADER_BYTES, HEADER_BYTES + plain.readUInt32BE(4));
}
