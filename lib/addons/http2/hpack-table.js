import { latin1 } from '../../core/transport/wire/octets.js';

/**
 * A header field in a table of HPACK (RFC 7541 2.3).
 *
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} value
 * @property {number} size in the dynamic table and in a list of fields (RFC 7541 4.1)
 */

/** The size of an entry beyond its texts (RFC 7541 4.1). */
export const ENTRY_OVERHEAD = 32;

/** @type {(name: string, value: string) => Entry} */
export function entryOf(name, value) {
  return { name, value, size: sizeOf(name, value) };
}

/** Returns the size of a field (RFC 7541 4.1). @type {(name: string, value: string) => number} */
export function sizeOf(name, value) {
  return name.length + value.length + ENTRY_OVERHEAD;
}

/** The table size until SETTINGS_HEADER_TABLE_SIZE changes it (RFC 9113 6.5.2), and the largest one of this client. */
export const DEFAULT_TABLE_SIZE = 4096;

/** The static table (RFC 7541, appendix A); its first entry has the index 1. */
export const STATIC_TABLE = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  ...['200', '204', '206', '304', '400', '404', '500'].map((status) => [':status', status]),
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ...[
    ...['accept-language', 'accept-ranges', 'accept', 'access-control-allow-origin', 'age', 'allow', 'authorization'],
    ...['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'content-length'],
    ...['content-location', 'content-range', 'content-type', 'cookie', 'date', 'etag', 'expect', 'expires', 'from'],
    ...['host', 'if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'last-modified'],
    ...['link', 'location', 'max-forwards', 'proxy-authenticate', 'proxy-authorization', 'range', 'referer', 'refresh'],
    ...['retry-after', 'server', 'set-cookie', 'strict-transport-security', 'transfer-encoding', 'user-agent', 'vary'],
    ...['via', 'www-authenticate'],
  ].map((name) => [name, '']),
].map(([name, value]) => entryOf(name, value));

/**
 * The lengths in bits of the codes of all 256 octets and of EOS (RFC 7541, appendix B). The code is canonical: codes of
 * one length follow each other in the order of their octets, so the lengths determine it.
 */
const LENGTHS = [
  ...[13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28],
  ...[28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28],
  ...[6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6],
  ...[5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10],
  ...[13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7],
  ...[7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6],
  ...[15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5],
  ...[6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28],
  ...[20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23],
  ...[24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24],
  ...[22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23],
  ...[21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23],
  ...[26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25],
  ...[19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27],
  ...[20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23],
  ...[26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26],
  30,
];
const EOS = 256;
const CODES = codesOf(LENGTHS);

/**
 * The automaton that decodes four bits at a time: a state is an inner node of the tree of codes. A step has the next
 * state in its low octet, and, if it has the bit EMITS, the decoded octet above that: a code has at least five bits, so
 * four bits complete one at most. FAILS: they complete EOS, which no text may have.
 */
const EMITS = 0x10000;
const FAILS = 0x20000;
const { steps: STEPS, mayEnd: MAY_END } = automatonOf(CODES);

/** Reused: a decoded text is copied into a string at once. */
let scratch = Buffer.allocUnsafeSlow(1024);
const MAX_SCRATCH = 65536;

/**
 * Decodes a text. Returns null if it is malformed: the code of EOS, or padding that is not the beginning of it, or
 * longer than seven bits (RFC 7541 5.2).
 * @type {(bytes: Buffer, from: number, to: number) => string | null}
 */
export function decodeHuffman(bytes, from, to) {
  // The shortest codes have 5 bits, so 8 bits are at most 1.6 octets.
  const out = scratchOf(Math.ceil((to - from) * 1.6));
  let state = 0;
  let end = 0;
  for (let i = from; i < to; i++) {
    const octet = bytes[i];
    // A Buffer keeps the low octet of a number, so the bit EMITS is lost.
    const first = STEPS[(state << 4) | (octet >> 4)];
    if (first & EMITS) out[end++] = first >> 8;
    const second = STEPS[((first & 0xff) << 4) | (octet & 0x0f)];
    if (second & EMITS) out[end++] = second >> 8;
    if ((first | second) & FAILS) return null;
    state = second & 0xff;
  }
  return MAY_END[state] === 1 ? latin1(out, 0, end) : null;
}

/** @type {(length: number) => Buffer} */
function scratchOf(length) {
  if (length <= scratch.length) return scratch;
  const larger = Buffer.allocUnsafeSlow(length);
  if (length <= MAX_SCRATCH) scratch = larger;
  return larger;
}

/** Returns the number of octets of an encoded text. @type {(text: string) => number} */
export function huffmanLength(text) {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits += LENGTHS[text.charCodeAt(i) & 0xff];
  return (bits + 7) >> 3;
}

/** Encodes a text of latin1, padded with ones. @type {(text: string) => number[]} */
export function encodeHuffman(text) {
  const octets = [];
  let value = 0;
  let bits = 0;
  for (let i = 0; i < text.length; i++) {
    const octet = text.charCodeAt(i) & 0xff;
    let left = LENGTHS[octet];
    // At most 8 bits at a time: a code of 30 bits and the 7 bits before it do not fit into 32.
    while (left > 0) {
      const taken = Math.min(left, 8);
      left -= taken;
      value = (value << taken) | ((CODES[octet] >>> left) & ((1 << taken) - 1));
      bits += taken;
      if (bits >= 8) {
        bits -= 8;
        octets.push((value >>> bits) & 0xff);
        value &= (1 << bits) - 1;
      }
    }
  }
  if (bits > 0) octets.push(((value << (8 - bits)) | (0xff >> bits)) & 0xff);
  return octets;
}

/** @type {(lengths: number[]) => Uint32Array} */
function codesOf(lengths) {
  const codes = new Uint32Array(lengths.length);
  let next = 0;
  for (let length = 1; length <= 30; length++) {
    next *= 2;
    lengths.forEach((one, symbol) => {
      if (one === length) codes[symbol] = next++;
    });
  }
  return codes;
}

/** @type {(codes: Uint32Array) => { steps: Uint32Array, mayEnd: Uint8Array }} */
function automatonOf(codes) {
  const tree = treeOf(codes);
  const steps = new Uint32Array(tree.length * 16);
  for (let state = 0; state < tree.length; state++)
    for (let bits = 0; bits < 16; bits++) steps[state * 16 + bits] = stepOf(tree, state, bits);
  // Padding is the beginning of EOS, which has ones only, of at most seven bits.
  const mayEnd = new Uint8Array(tree.length);
  for (let depth = 0, node = 0; depth <= 7; depth++, node = tree[node][1]) mayEnd[node] = 1;
  return { steps, mayEnd };
}

/** Returns pairs of children: an inner node (0: none), or -1 - symbol. @type {(codes: Uint32Array) => number[][]} */
function treeOf(codes) {
  const tree = [[0, 0]];
  codes.forEach((code, symbol) => {
    let node = 0;
    for (let bit = LENGTHS[symbol] - 1; bit > 0; bit--) {
      const side = (code >>> bit) & 1;
      if (tree[node][side] === 0) tree[node][side] = tree.push([0, 0]) - 1;
      node = tree[node][side];
    }
    tree[node][code & 1] = -1 - symbol;
  });
  return tree;
}

/** @type {(tree: number[][], state: number, bits: number) => number} */
function stepOf(tree, state, bits) {
  let node = state;
  let emitted = 0;
  for (let bit = 3; bit >= 0; bit--) {
    node = tree[node][(bits >> bit) & 1];
    if (node >= 0) continue;
    const symbol = -1 - node;
    if (symbol === EOS) return FAILS;
    emitted = EMITS | (symbol << 8);
    node = 0;
  }
  return emitted | node;
}
