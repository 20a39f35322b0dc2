/**
 * @import { Feeder } from './feeder.js'
 * @import { Row, Table } from './types.js'
 */

/** The feeders of a flow. */
export class Feeders {
  /** @type {Map<string, Feeder>} */
  #byName = new Map();
  /** names of those that cannot be read, which is reported @type {string[]} */
  broken = [];

  /** @param {Feeder} feeder */
  add(feeder) {
    this.#byName.set(feeder.name, feeder);
  }

  /** @type {(name: string) => Feeder | undefined} */
  get(name) {
    return this.#byName.get(name);
  }

  /** @returns {Feeder[]} */
  all() {
    return [...this.#byName.values()];
  }

  /**
   * The rows of an iteration, for hooks and functions.
   *
   * @param {number | undefined} index
   * @returns {Record<string, Row>} by feeder; each is read when it is first used, and throws E_DATA if there is none
   */
  rowsOf(index) {
    const rows = Object.create(null);
    for (const feeder of this.#byName.values()) {
      /** @type {Row | null} */
      let row = null;
      const get = () => (row ??= index === undefined ? outsideOfIterations(feeder) : feeder.row(index));
      Object.defineProperty(rows, feeder.name, { get, enumerable: true });
    }
    return rows;
  }

  /** @returns {Record<string, Table>} the rows, in memory that threads share */
  tables() {
    return Object.fromEntries(this.all().map(({ name, table }) => [name, sharedTable(table)]));
  }
}

/** @type {(feeder: Feeder) => never} */
function outsideOfIterations(feeder) {
  throw feeder.refusal('has no row in before and after, which run once; read it in beforeMain or afterMain');
}

/**
 * @param {Table} table
 * @returns {Table} in memory that threads share
 */
export function sharedTable(table) {
  return { ...table, bytes: shared(table.bytes, Uint8Array), bounds: shared(table.bounds, Uint32Array) };
}

/**
 * @template {Uint8Array | Uint32Array} T
 * @param {T} array
 * @param {{ BYTES_PER_ELEMENT: number, new (memory: SharedArrayBuffer): any }} Kind
 * @returns {T}
 */
function shared(array, Kind) {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const copy = new Kind(new SharedArrayBuffer(array.length * Kind.BYTES_PER_ELEMENT));
  copy.set(array);
  return copy;
}
