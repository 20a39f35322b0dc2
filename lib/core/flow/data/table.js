/** @import { Table } from './types.js' */

const LF = 10;
const CR = 13;

/** Where rows begin and end: a list of numbers that grows without a copy for each of them. */
export class RowBounds {
  #numbers = new Uint32Array(2048);
  #length = 0;

  /** Rows so far. */
  get count() {
    return this.#length / 2;
  }

  /** @type {(from: number, to: number) => void} */
  add(from, to) {
    if (this.#length === this.#numbers.length) {
      const numbers = new Uint32Array(2 * this.#length);
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers[this.#length++] = from;
    this.#numbers[this.#length++] = to;
  }

  /** Returns from and to of each row in turn. @type {() => Uint32Array} */
  toArray() {
    return this.#numbers.slice(0, this.#length);
  }
}

/** Why rows cannot be read: found at an offset of their bytes. */
export class RowFault extends Error {
  /**
   * @param {string} reason what is wrong and what to do
   * @param {number} offset
   */
  constructor(reason, offset) {
    super(reason);
    this.offset = offset;
  }
}

/** @type {(table: Pick<Table, 'format' | 'from' | 'bytes'>, offset: number) => string} */
export function placeOf({ format, from, bytes }, offset) {
  const line = lineAt(bytes, offset);
  return format === 'rows' ? `${from}[${line - 1}]` : `${from}:${line}`;
}

/** @type {(bytes: Uint8Array, offset: number) => number} */
function lineAt(bytes, offset) {
  let line = 1;
  for (let i = 0; i < offset; i++) if (bytes[i] === LF || (bytes[i] === CR && bytes[i + 1] !== LF)) line++;
  return line;
}
