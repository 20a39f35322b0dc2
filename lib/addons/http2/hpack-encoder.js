import { isSecretField } from '../../core/text/mask.js';
import { DEFAULT_TABLE_SIZE, STATIC_TABLE, encodeHuffman, huffmanLength, sizeOf } from './hpack-table.js';

/** What begins with an integer (RFC 7541 5, 6): in the first octet, the bits of the kind, and those of the integer. */
const WHOLE_FIELD = { first: 0x80, mask: 0x7f };
const INDEXED_LITERAL = { first: 0x40, mask: 0x3f };
const LITERAL = { first: 0x00, mask: 0x0f };
const NEVER_INDEXED_LITERAL = { first: 0x10, mask: 0x0f };
const TABLE_SIZE = { first: 0x20, mask: 0x1f };
const TEXT = { first: 0x00, mask: 0x7f };
const HUFFMAN_TEXT = { first: 0x80, mask: 0x7f };

const PATH_INDEX = STATIC_TABLE.findIndex(({ name }) => name === ':path') + 1;
/** Indexes in the static table, by name, and by name and value. @type {Map<string, number>} */
const STATIC_NAMES = new Map();
/** @type {Map<string, number>} */
const STATIC_FIELDS = new Map();
STATIC_TABLE.forEach(({ name, value }, i) => {
  if (!STATIC_NAMES.has(name)) STATIC_NAMES.set(name, i + 1);
  if (value !== '') STATIC_FIELDS.set(keyOf(name, value), i + 1);
});

/** Names of fields that only one request has, by the name as it was written. @type {Map<string, Name>} */
const NAMES = new Map();
const MAX_NAMES = 1000;
/** The most octets of an integer of 32 bits. */
const MAX_INTEGER = 6;
/** The most octets before a text: those of an index, and of its length. */
const MAX_PREFIX = 2 * MAX_INTEGER;
/** From here on a native call is faster than a loop. */
const LONG_TEXT = 100;

/** @typedef {{ text: string, index: number }} Name text: in lower case; index: in the static table, 0: not there */

/**
 * @typedef {object} HeadParts
 * @property {string} method
 * @property {string} scheme
 * @property {string} authority
 * @property {string[]} fields names and values in turn, the same for all requests
 */

/**
 * The encoder of one connection (RFC 7541). Only fields that all requests of an operation share enter the table, while
 * there is room for them: nothing is evicted, so their indexes stay the same.
 */
export class HpackEncoder {
  /** Numbers of the entries of the peer's table, by name and value, from 1. @type {Map<string, number>} */
  #numbers = new Map();
  #size = 0;
  #maxSize = DEFAULT_TABLE_SIZE;
  /** The next block has to tell the new size. */
  #hasResized = false;
  /** Changes with the table. */
  version = 0;

  /**
   * Follows SETTINGS_HEADER_TABLE_SIZE of the peer. The next block tells it the size 0 before the new one: that empties
   * its table, so this encoder need not compute what the peer evicts.
   * @type {(size: number) => void}
   */
  setMaxTableSize(size) {
    const maxSize = Math.min(size, DEFAULT_TABLE_SIZE);
    if (maxSize === this.#maxSize) return;
    this.#maxSize = maxSize;
    this.#numbers.clear();
    this.#size = 0;
    this.#hasResized = true;
    this.version++;
  }

  /** @type {(parts: HeadParts) => PreparedHead} */
  prepare(parts) {
    return new PreparedHead(this, parts);
  }

  /** Begins a block: with the change of the size, if there was one. @type {(octets: number[]) => void} */
  begin(octets) {
    if (!this.#hasResized) return;
    this.#hasResized = false;
    // These octets are for one block: PreparedHead must not keep them.
    this.version++;
    putInteger(octets, TABLE_SIZE, 0);
    if (this.#maxSize > 0) putInteger(octets, TABLE_SIZE, this.#maxSize);
  }

  /** Encodes a field that other requests share. @type {(octets: number[], name: string, value: string) => void} */
  put(octets, name, value) {
    const key = keyOf(name, value);
    const number = this.#numbers.get(key);
    // In the table of the peer, the newest entry has the first index after the static ones.
    const known = number === undefined ? STATIC_FIELDS.get(key) : STATIC_TABLE.length + 1 + this.#numbers.size - number;
    const isSecret = isSecretField(name, value);
    if (known !== undefined && !isSecret) {
      putInteger(octets, WHOLE_FIELD, known);
      return;
    }
    const size = sizeOf(name, value);
    const isAdded = !isSecret && this.#size + size <= this.#maxSize;
    putLiteral(octets, isSecret ? NEVER_INDEXED_LITERAL : isAdded ? INDEXED_LITERAL : LITERAL, name, value);
    if (!isAdded) return;
    this.#size += size;
    this.#numbers.set(key, this.#numbers.size + 1);
    this.version++;
  }
}

/**
 * The head of the requests of an operation, which differ in the path and in fields of their own. What they share is
 * encoded again only if the table has changed. For each request the writer calls `maxLength`, then `write`.
 */
export class PreparedHead {
  #encoder;
  #parts;
  /** Octets before the path, and after it. @type {number[]} */
  #before = [];
  /** @type {number[]} */
  #after = [];
  /** The version of the table for which these octets hold; -1: they hold for one block, as they change the table. */
  #version = -1;

  /** @param {HpackEncoder} encoder @param {HeadParts} parts */
  constructor(encoder, parts) {
    this.#encoder = encoder;
    this.#parts = parts;
  }

  /**
   * Encodes what the requests share, and returns the most octets that the block takes. It must be the next one of the
   * connection.
   * @type {(path: string, own: string[] | null) => number}
   */
  maxLength(path, own) {
    this.#encode();
    let length = this.#before.length + this.#after.length + path.length + MAX_PREFIX;
    if (own !== null) for (let i = 0; i < own.length; i++) length += own[i].length + MAX_PREFIX;
    return length;
  }

  /**
   * Writes the block that `maxLength` has encoded; it must be sent.
   * @param {Buffer} out
   * @param {number} start
   * @param {string} path
   * @param {string[] | null} own names and values in turn; never indexed, as most are credentials
   * @returns {number} its end
   */
  write(out, start, path, own) {
    // The path is before all fields: it is a part of the request line, and some servers insist on that order.
    let at = writeOctets(out, start, this.#before);
    at = writePath(out, at, path);
    at = writeOctets(out, at, this.#after);
    if (own !== null) for (let i = 0; i < own.length; i += 2) at = writeOwn(out, at, own[i], own[i + 1]);
    return at;
  }

  #encode() {
    const encoder = this.#encoder;
    const { version } = encoder;
    if (this.#version === version) return;
    const { method, scheme, authority, fields } = this.#parts;
    this.#before = [];
    this.#after = [];
    encoder.begin(this.#before);
    encoder.put(this.#before, ':method', method);
    encoder.put(this.#before, ':scheme', scheme);
    encoder.put(this.#before, ':authority', authority);
    for (let i = 0; i < fields.length; i += 2) encoder.put(this.#after, fields[i].toLowerCase(), fields[i + 1]);
    this.#version = encoder.version === version ? version : -1;
  }
}

/** @type {(out: Buffer, start: number, octets: number[]) => number} */
function writeOctets(out, start, octets) {
  for (let i = 0; i < octets.length; i++) out[start + i] = octets[i];
  return start + octets.length;
}

/** @type {(out: Buffer, at: number, path: string) => number} */
function writePath(out, at, path) {
  const known = path === '/' || path === '/index.html' ? STATIC_FIELDS.get(keyOf(':path', path)) : undefined;
  if (known !== undefined) return writeInteger(out, at, WHOLE_FIELD, known);
  return writeText(out, writeInteger(out, at, LITERAL, PATH_INDEX), path);
}

/** @type {(out: Buffer, at: number, name: string, value: string) => number} */
function writeOwn(out, at, name, value) {
  const { text, index } = nameOf(name);
  const end = writeInteger(out, at, NEVER_INDEXED_LITERAL, index);
  return writeText(out, index > 0 ? end : writeText(out, end, text), value);
}

/** Lower case is required (RFC 9113 8.2). @type {(name: string) => Name} */
function nameOf(name) {
  const known = NAMES.get(name);
  if (known !== undefined) return known;
  if (NAMES.size >= MAX_NAMES) NAMES.clear();
  const text = name.toLowerCase();
  const made = { text, index: STATIC_NAMES.get(text) ?? 0 };
  NAMES.set(name, made);
  return made;
}

/** Writes a text without the slower Huffman code. @type {(out: Buffer, start: number, text: string) => number} */
function writeText(out, start, text) {
  const at = writeInteger(out, start, TEXT, text.length);
  if (text.length > LONG_TEXT) return at + out.write(text, at, 'latin1');
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
  return at + text.length;
}

/**
 * Writes an integer (RFC 7541 5.1): in the bits of `mask`, or all of these and the rest in octets of 7 bits.
 * @type {(out: Buffer, start: number, kind: { first: number, mask: number }, value: number) => number}
 */
function writeInteger(out, start, { first, mask }, value) {
  let at = start;
  if (value < mask) {
    out[at++] = first | value;
    return at;
  }
  out[at++] = first | mask;
  let rest = value - mask;
  for (; rest >= 0x80; rest >>>= 7) out[at++] = (rest & 0x7f) | 0x80;
  out[at++] = rest;
  return at;
}

// The functions with `put` add to a list of octets, which is kept; those with `write` write a request to a buffer.

/** @type {(octets: number[], kind: { first: number, mask: number }, name: string, value: string) => void} */
function putLiteral(octets, kind, name, value) {
  const index = STATIC_NAMES.get(name) ?? 0;
  putInteger(octets, kind, index);
  if (index === 0) putText(octets, name);
  putText(octets, value);
}

/** @type {(octets: number[], text: string) => void} */
function putText(octets, text) {
  const length = huffmanLength(text);
  const isShorter = length < text.length;
  putInteger(octets, isShorter ? HUFFMAN_TEXT : TEXT, isShorter ? length : text.length);
  octets.push(...(isShorter ? encodeHuffman(text) : Buffer.from(text, 'latin1')));
}

/** @type {(octets: number[], kind: { first: number, mask: number }, value: number) => void} */
function putInteger(octets, kind, value) {
  const bytes = Buffer.alloc(MAX_INTEGER);
  octets.push(...bytes.subarray(0, writeInteger(bytes, 0, kind, value)));
}

/** @type {(name: string, value: string) => string} */
function keyOf(name, value) {
  return `${name}\0${value}`;
}
