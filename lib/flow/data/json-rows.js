import { MAX_DEPTH } from '../../text/max-depth.js';
import { parseJson } from '../../text/parse-json.js';
import { typeName } from '../../text/format-value.js';
import { isTooDeep } from '../nesting.js';
import { isObject } from '../record.js';
import { RowBounds } from './row-bounds.js';
import { RowFault } from './row-fault.js';

/** @import { Row, Table } from './types.js' */

/** columns that are remembered for messages: each row may have others */
const MOST_LACKING = 1000;

/** Collects rows of JSON, checks them, and finds the columns that all of them have. */
export class JsonRows {
  #bytes;
  #bounds = new RowBounds();
  /** @type {Set<string> | null} */
  #columns = null;
  /** offset of the first row */
  #first = 0;
  /** the offset of the first row without the column @type {Map<string, number>} */
  #lacking = new Map();

  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  /** What is known of the rows. */
  toIndex() {
    return {
      columns: [...(this.#columns ?? [])],
      lacking: Object.fromEntries(this.#lacking),
      bounds: this.#bounds.toArray(),
      delimiter: '',
    };
  }

  /**
   * @param {number} from
   * @param {number} to
   * @throws {RowFault} there is no row
   */
  add(from, to) {
    const text = this.#bytes.toString('utf8', from, to);
    const row = parsed(text, from);
    if (!isObject(row)) throw new RowFault(`expected an object, got ${typeName(row)}`, from);
    // a shorter text cannot be that deep
    if (text.length > MAX_DEPTH && isTooDeep(row)) throw new RowFault(`nested deeper than ${MAX_DEPTH} levels`, from);
    if (this.#columns === null) {
      this.#columns = new Set(Object.keys(row));
      this.#first = from;
    }
    for (const column of this.#columns) if (!Object.hasOwn(row, column)) this.#isLacking(column, from);
    for (const column in row) if (!this.#columns.has(column)) this.#isLacking(column, this.#first);
    this.#bounds.add(from, to);
  }

  /** @type {(column: string, offset: number) => void} */
  #isLacking(column, offset) {
    this.#columns?.delete(column);
    if (this.#lacking.size < MOST_LACKING && !this.#lacking.has(column)) this.#lacking.set(column, offset);
  }
}

/** @type {(text: string, offset: number) => any} */
function parsed(text, offset) {
  try {
    return JSON.parse(text);
  } catch {
    const { fault } = parseJson(text);
    throw new RowFault(`is not JSON: ${fault?.reason}`, offset + Buffer.byteLength(text.slice(0, fault?.offset)));
  }
}

/**
 * @param {Table} table
 * @returns {(at: number) => Row} a new object each time
 */
export function jsonReader({ bytes, bounds }) {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return (at) => JSON.parse(text.toString('utf8', bounds[2 * at], bounds[2 * at + 1]));
}
