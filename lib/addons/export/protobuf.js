/**
 * A field of a message. `number`: of a varint; the length of `bytes`; 0 of a field of 4 or 8 bytes, which no caller
 * reads. `bytes`: of anything with a length, else null.
 *
 * @typedef {{ field: number, number: number, bytes: Uint8Array | null }} Field
 */

/** Types of fields on the wire: https://protobuf.dev/programming-guides/encoding. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;
/** The factor of the tenth byte, the last one of a varint: it has 64 bits, in groups of 7. */
const LAST_FACTOR = 128 ** 9;

/**
 * Reads the fields of a message of protobuf, without its schema. `what` is what the bytes should be, for errors.
 * @throws {TypeError} it is no such message, or was cut off
 * @type {(bytes: Uint8Array, what?: string) => Generator<Field>}
 */
export function* fieldsOf(bytes, what = 'message of protobuf') {
  for (let at = 0; at < bytes.length;) {
    let key = 0;
    at = readVarint(bytes, at, what, (value) => (key = value));
    const field = Math.floor(key / 8);
    let number = 0;
    let part = null;
    if (key % 8 === VARINT) at = readVarint(bytes, at, what, (value) => (number = value));
    else if (key % 8 === LENGTH) {
      at = readVarint(bytes, at, what, (value) => (number = value));
      part = bytes.subarray(at, at + number);
      at += number;
    } else if (key % 8 === FIXED64) at += 8;
    else if (key % 8 === FIXED32) at += 4;
    else throw new TypeError(`it is no ${what}`);
    if (field === 0) throw new TypeError(`it is no ${what}`);
    // A negative length would lead back to fields that were read.
    const isBackward = part !== null && number < 0;
    if (at > bytes.length || isBackward) throw new TypeError(`it is no ${what}, or was cut off`);
    yield { field, number, bytes: part };
  }
}

/**
 * Returns the place after a number, which `found` gets: a pair would be an object for each number, and a profile has
 * millions. Numbers are signed (int64); those beyond 2^53 are rounded, and negative ones to a multiple of 2,048.
 * @type {(bytes: Uint8Array, at: number, what: string, found: (value: number) => void) => number}
 */
function readVarint(bytes, at, what, found) {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    if (at >= bytes.length || factor > LAST_FACTOR) throw new TypeError(`it is no ${what}, or was cut off`);
    const byte = bytes[at++];
    value += (byte & 127) * factor;
    if (byte < 128) break;
  }
  found(value < 2 ** 63 ? value : value - 2 ** 64);
  return at;
}
