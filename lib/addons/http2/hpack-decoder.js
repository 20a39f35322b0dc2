import { makeError } from '../../core/ground/errors.js';
import { latin1 } from '../../core/transport/wire/octets.js';
import { DEFAULT_TABLE_SIZE, ENTRY_OVERHEAD, STATIC_TABLE, decodeHuffman, entryOf, sizeOf } from './hpack-table.js';

/** @import { Entry } from './hpack-table.js' */

/** A decoded header block. Equal blocks share one object, so it must not be changed. */
export class HeaderBlock {
  /** Names and values in turn, as received. @type {string[]} */
  fields = [];
  /** The size of all fields (RFC 7541 4.1), including those that a limit left out. */
  size = 0;
  /** The limit that the block exceeds; `fields` then has the fields before it. @type {Refusal | null} */
  refusal = null;
  /** The head that the caller has created from it. @type {any} */
  head = null;
}

/** @typedef {'E_HEADERS_TOO_LARGE' | 'E_TOO_MANY_FIELDS'} Refusal */

/**
 * @typedef {object} KnownBlock
 * @property {Buffer} bytes
 * @property {HeaderBlock} block
 * @property {number} version of the dynamic table that the bytes refer to; or ANY_TABLE
 * @property {Entry[]} added to the table by them
 */

const MAX_KNOWN = 4;
/** In place of a version: the bytes do not refer to the dynamic table, so they always mean the same. */
const ANY_TABLE = -1;
const STATIC_LENGTH = STATIC_TABLE.length;
/** The shift of the last octet of an integer: no length or index needs more than its 28 bits. */
const MAX_SHIFT = 21;

/** Blocks that arrived before, with what they mean. Servers send the same one until the second in its Date changes. */
export class KnownBlocks {
  /** @type {KnownBlock[]} */
  #known = [];
  /** Where the next block is kept, in place of the oldest. */
  #next = 0;

  /** @type {(bytes: Buffer, from: number, to: number, version: number) => KnownBlock | null} */
  find(bytes, from, to, version) {
    const known = this.#known;
    for (let i = 0; i < known.length; i++) {
      const one = known[i];
      if (one.version !== version || one.bytes.length !== to - from) continue;
      let at = one.bytes.length - 1;
      while (at >= 0 && one.bytes[at] === bytes[from + at]) at--;
      if (at < 0) return one;
    }
    return null;
  }

  /** @type {(block: KnownBlock) => void} */
  keep(block) {
    this.#known[this.#next] = block;
    this.#next = (this.#next + 1) % MAX_KNOWN;
  }
}

/**
 * Decodes the header blocks of one connection, all of them in the order of their arrival (RFC 7541). A block that is
 * known is not decoded again: it only adds its entries to the dynamic table, when that is read.
 */
export class HpackDecoder {
  #maxTableSize;
  #maxListSize;
  #maxFields;
  #table;
  /** The blocks that do not refer to the dynamic table; other connections know them, too. */
  #shared;
  /** The blocks that refer to the table of this connection. */
  #own = new KnownBlocks();
  #at = 0;
  /** The current block refers to the dynamic table, or changes its size. */
  #usesTable = false;
  /** What the current block adds to the dynamic table. @type {Entry[]} */
  #added = [];

  /**
   * @param {object} limits
   * @param {number} [limits.maxTableSize] the announced SETTINGS_HEADER_TABLE_SIZE
   * @param {number} limits.maxListSize of the fields of a block (RFC 7541 4.1)
   * @param {number} limits.maxFields of a block
   * @param {KnownBlocks} [knownBlocks] of all connections to a server, which have the same limits
   */
  constructor({ maxTableSize = DEFAULT_TABLE_SIZE, maxListSize, maxFields }, knownBlocks = new KnownBlocks()) {
    this.#shared = knownBlocks;
    this.#maxTableSize = maxTableSize;
    this.#maxListSize = maxListSize;
    this.#maxFields = maxFields;
    this.#table = new DynamicTable(maxTableSize);
  }

  /**
   * Decodes a whole block. A block that exceeds a limit is decoded to its end, so the blocks after it can be decoded.
   *
   * Bytes that refer to the dynamic table mean the same only while the table does not change. Bytes that do not refer
   * to it always mean the same, even if they add to it: some servers send each field with indexing each time.
   * @throws {Error} E_HPACK: the connection cannot be used any more (COMPRESSION_ERROR)
   * @type {(bytes: Buffer, from: number, to: number) => HeaderBlock}
   */
  decode(bytes, from, to) {
    const table = this.#table;
    const known = this.#shared.find(bytes, from, to, ANY_TABLE) ?? this.#own.find(bytes, from, to, table.version);
    if (known !== null) {
      if (known.added.length > 0) table.repeat(known.added);
      return known.block;
    }
    table.settle();
    const { version } = table;
    this.#usesTable = false;
    this.#added = [];
    const block = this.#read(bytes, from, to);
    const isRepeatable = block.refusal === null && (!this.#usesTable || table.version === version);
    if (isRepeatable) {
      const kept = { bytes: Buffer.from(bytes.subarray(from, to)), block, added: this.#added };
      if (this.#usesTable) this.#own.keep({ ...kept, version });
      else this.#shared.keep({ ...kept, version: ANY_TABLE });
    }
    return block;
  }

  /**
   * Reads changes of the table size (octet 001xxxxx), then fields: an index (1xxxxxxx), or a literal (RFC 7541 6).
   * @type {(bytes: Buffer, from: number, to: number) => HeaderBlock}
   */
  #read(bytes, from, to) {
    const block = new HeaderBlock();
    this.#at = from;
    while (this.#at < to && (bytes[this.#at] & 0xe0) === 0x20) this.#resize(this.#integer(bytes, to, 0x1f));
    while (this.#at < to) {
      const first = bytes[this.#at];
      if (first & 0x80) {
        const { name, value } = this.#entry(this.#integer(bytes, to, 0x7f));
        this.#push(block, name, value);
      } else if ((first & 0xe0) === 0x20) throw malformed('a size update after a field');
      else this.#literal(bytes, to, block, (first & 0x40) !== 0);
    }
    return block;
  }

  /**
   * Reads a literal: with indexing (01xxxxxx), without it (0000xxxx), or never indexed (0001xxxx; RFC 7541 6.2).
   * @type {(bytes: Buffer, to: number, block: HeaderBlock, isAdded: boolean) => void}
   */
  #literal(bytes, to, block, isAdded) {
    const index = this.#integer(bytes, to, isAdded ? 0x3f : 0x0f);
    const name = index > 0 ? this.#entry(index).name : this.#text(bytes, to);
    const value = this.#text(bytes, to);
    if (isAdded) {
      const entry = entryOf(name, value);
      this.#added.push(entry);
      this.#table.add(entry);
    }
    this.#push(block, name, value);
  }

  /** @type {(block: HeaderBlock, name: string, value: string) => void} */
  #push(block, name, value) {
    block.size += sizeOf(name, value);
    if (block.size > this.#maxListSize) block.refusal ??= 'E_HEADERS_TOO_LARGE';
    else if (block.fields.length >= 2 * this.#maxFields) block.refusal ??= 'E_TOO_MANY_FIELDS';
    else block.fields.push(name, value);
  }

  /** @type {(index: number) => Entry} */
  #entry(index) {
    if (index > STATIC_LENGTH) this.#usesTable = true;
    const entry = index > STATIC_LENGTH ? this.#table.get(index - STATIC_LENGTH - 1) : STATIC_TABLE[index - 1];
    if (entry === undefined) throw malformed(`no entry has the index ${index}`);
    return entry;
  }

  /** @type {(size: number) => void} */
  #resize(size) {
    if (size > this.#maxTableSize) throw malformed(`a table of ${size} bytes, and ${this.#maxTableSize} are allowed`);
    this.#usesTable = true;
    this.#table.resize(size);
  }

  /** @type {(bytes: Buffer, to: number, mask: number) => number} */
  #integer(bytes, to, mask) {
    let value = bytes[this.#at++] & mask;
    if (value < mask) return value;
    for (let shift = 0; this.#at < to && shift <= MAX_SHIFT; shift += 7) {
      const octet = bytes[this.#at++];
      value += (octet & 0x7f) << shift;
      if (octet < 0x80) return value;
    }
    throw malformed(this.#at < to ? 'an integer is too large' : 'it ends within an integer');
  }

  /** @type {(bytes: Buffer, to: number) => string} */
  #text(bytes, to) {
    if (this.#at >= to) throw malformed('it ends within a field');
    const isHuffman = bytes[this.#at] >= 0x80;
    const length = this.#integer(bytes, to, 0x7f);
    const from = this.#at;
    if (length > to - from) throw malformed('it ends within a text');
    this.#at += length;
    const text = isHuffman ? decodeHuffman(bytes, from, this.#at) : latin1(bytes, from, this.#at);
    if (text === null) throw malformed('a text is not in the Huffman code');
    return text;
  }
}

/** The dynamic table (RFC 7541 2.3.2), as a ring. */
class DynamicTable {
  /** @type {Entry[]} */
  #ring;
  #mask;
  /** Entries that were ever added. */
  #added = 0;
  /** Entries that are in the table, and their size. */
  #count = 0;
  #size = 0;
  #maxSize;
  /** The entries of a repeated block. @type {Entry[]} */
  #repeated = [];
  /** How often they are still to be added. */
  #times = 0;
  /** Changes with the table. */
  version = 0;

  /** @param {number} maxSize */
  constructor(maxSize) {
    this.#maxSize = maxSize;
    let slots = 1;
    while (slots * ENTRY_OVERHEAD < maxSize) slots *= 2;
    this.#ring = new Array(slots);
    this.#mask = slots - 1;
  }

  /** @type {(place: number) => Entry | undefined} 0: the newest */
  get(place) {
    return place < this.#count ? this.#ring[(this.#added - 1 - place) & this.#mask] : undefined;
  }

  /** An entry that is larger than the table empties it (RFC 7541 4.4). @type {(entry: Entry) => void} */
  add(entry) {
    this.version++;
    this.#evict(this.#maxSize - entry.size);
    if (entry.size > this.#maxSize) return;
    this.#ring[this.#added++ & this.#mask] = entry;
    this.#count++;
    this.#size += entry.size;
  }

  /** Adds the entries of a block again, but only when `settle` is called. @type {(entries: Entry[]) => void} */
  repeat(entries) {
    if (entries !== this.#repeated) {
      this.settle();
      this.#repeated = entries;
    }
    this.#times++;
    this.version++;
  }

  /** Adds the entries of repeated blocks. Call it before the table is read. */
  settle() {
    if (this.#times === 0) return;
    const size = this.#repeated.reduce((sum, entry) => sum + entry.size, 0);
    // So many fill the table; more of them would evict each other.
    const times = Math.min(this.#times, Math.ceil(this.#maxSize / size));
    this.#times = 0;
    for (let i = 0; i < times; i++) for (const entry of this.#repeated) this.add(entry);
  }

  /** @type {(maxSize: number) => void} */
  resize(maxSize) {
    this.version++;
    this.#maxSize = maxSize;
    this.#evict(maxSize);
  }

  /** @type {(maxSize: number) => void} */
  #evict(maxSize) {
    while (this.#size > maxSize && this.#count > 0) {
      this.#size -= this.#ring[(this.#added - this.#count) & this.#mask].size;
      this.#count--;
    }
  }
}

/** @type {(reason: string) => Error} */
function malformed(reason) {
  return makeError('E_HPACK', { reason });
}
