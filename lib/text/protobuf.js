/**
 * A field of a message: the number of a varint, or the bytes of anything with a length.
 *
 * @typedef {{ field: number, number: number, bytes: Uint8Array | null }} Field
 */

/** Types of fields on the wire: https://protobuf.dev/programming-guides/encoding. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

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
    if (at > bytes.length) throw new TypeError(`it is no ${what}, or was cut off`);
    yield { field, number, bytes: part };
  }
}

/**
 * Reads the numbers of a packed list.
 * @throws {TypeError} it was cut off
 * @type {(bytes: Uint8Array, what: string) => number[]}
 */
export function numbersIn(bytes, what) {
  /** @type {number[]} */
  const numbers = [];
  for (let at = 0; at < bytes.length;) at = readVarint(bytes, at, what, (value) => numbers.push(value));
  return numbers;
}

/**
 * Returns the place after a number. Those above 2^53 are rounded.
 * @type {(bytes: Uint8Array, at: number, what: string, found: (value: number) => void) => number}
 */
function readVarint(bytes, at, what, found) {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    if (at >= bytes.length || factor > 128 ** 9) throw new TypeError(`it is no ${what}, or was cut off`);
    const byte = bytes[at++];
    value += (byte & 127) * factor;
    if (byte < 128) break;
  }
  found(value);
  return at;
}
