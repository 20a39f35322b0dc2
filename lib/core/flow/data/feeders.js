import { makeError } from '../../ground/errors.js';
import { nearest } from '../../ground/problems.js';
import { listOf } from '../../text/format-value.js';
import { lostDigitsText } from '../../text/lost-digits.js';
import { FEEDERS } from './index.js';
import { ORDERS } from './orders.js';
import { placeOf } from './table.js';

/** @import { Row } from '../../contracts/step.js' */
/** @import { Definition, FeederFormat, Table } from './types.js' */

/** The feeders of a flow, by name: `data.<name>`. */
export class Feeders {
  /** @type {Map<string, Feeder>} */
  #byName = new Map();
  /** Names of those that cannot be read, which is reported. @type {string[]} */
  broken = [];

  /** @type {(feeder: Feeder) => void} */
  add(feeder) {
    this.#byName.set(feeder.name, feeder);
  }

  /** @type {(name: string) => Feeder | undefined} */
  get(name) {
    return this.#byName.get(name);
  }

  /** @type {() => Feeder[]} */
  all() {
    return [...this.#byName.values()];
  }

  /**
   * Returns the rows of an iteration by feeder, for hooks and functions. Each is read at its first use, which throws
   * E_DATA if there is none.
   * @type {(index: number | undefined) => Record<string, Row>}
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

  /** Lists what is likely a mistake in the rows. @type {() => string[]} */
  notices() {
    return this.all().flatMap(({ table }) => {
      const { lost } = table;
      return lost === undefined ? [] : lostDigitsText(placeOf(table, lost.offset), lost);
    });
  }

  /** Returns the rows of all feeders, in memory that threads share. @type {() => Record<string, Table>} */
  tables() {
    return Object.fromEntries(this.all().map(({ name, table }) => [name, sharedTable(table)]));
  }
}

/** @type {(feeder: Feeder) => never} */
function outsideOfIterations(feeder) {
  throw feeder.refusal('has no row in before and after, which run once; read it in beforeMain or afterMain');
}

/** Copies a table to memory that threads share. @type {(table: Table) => Table} */
export function sharedTable(table) {
  return { ...table, bytes: shared(table.bytes, Uint8Array), bounds: shared(table.bounds, Uint32Array) };
}

/**
 * @type {<T extends Uint8Array | Uint32Array>(array: T, Kind: { BYTES_PER_ELEMENT: number, new (memory:
 *   SharedArrayBuffer): any }) => T}
 */
function shared(array, Kind) {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const copy = new Kind(new SharedArrayBuffer(array.length * Kind.BYTES_PER_ELEMENT));
  copy.set(array);
  return copy;
}

/** The most columns that a message lists. */
const MAX_COLUMNS = 20;

/** @typedef {(index: number) => number | null} RowAt the row of an iteration; null: it reads none */

/** The rows of `data.<name>`, and which of them each iteration gets. */
export class Feeder {
  #read;
  /** @type {RowAt} */
  #rowAt;
  /** The row that tokens read last: an operation may have several of its columns. */
  #last = { index: NaN, row: /** @type {Row} */ ({}) };
  /** The number of rows. */
  count;

  /**
   * @param {string} name
   * @param {Table} table
   * @param {{ definition: Pick<Definition, 'order' | 'whenEmpty'>, seed: number, loads?: number }} options loads: how
   *   many the run has
   */
  constructor(name, table, { definition, seed, loads = 1 }) {
    this.name = name;
    this.table = table;
    this.count = table.bounds.length / 2;
    this.#read = /** @type {FeederFormat} */ (FEEDERS.find((one) => one.name === table.format)).reader(table);
    const order = /** @type {typeof ORDERS[number]} */ (ORDERS.find((one) => one.name === definition.order));
    const rowAt = order.create(this.count, { seed, place: `flow.data.${name}` });
    this.isUnique = order.name === 'unique';
    // Each of several loads has every `loads`-th INDEX, and goes through all rows unless each is used once.
    const isByIndex = loads === 1 || this.isUnique;
    this.#rowAt = isByIndex ? rowAt : (index) => rowAt(Math.floor(index / loads));
    /** The run ends after its last row. */
    this.endsRun = this.isUnique && definition.whenEmpty === 'end';
  }

  /** Sets which row an iteration has. @type {(rowAt: RowAt) => void} */
  divide(rowAt) {
    this.#rowAt = rowAt;
    this.#last.index = NaN;
  }

  /** Reads the row of an iteration, a new object each time. @throws {Error} E_DATA @type {(index: number) => Row} */
  row(index) {
    const at = this.#rowAt(index);
    if (at !== null && at < this.count) return this.#read(at);
    if (at === null)
      throw this.refusal(
        `has no row for iteration ${index}: each row is used once, by the loads and scenarios whose operations name it; write #{${this.name}.${this.table.columns[0] ?? 'column'}} in an operation of this one`,
      );
    throw this.refusal(
      `has no row for iteration ${index}: each of its ${this.count} rows is used once; add rows, or use another order; with whenEmpty: 'end' the run ends after the last row`,
    );
  }

  /** Creates E_DATA. `reason` is what an iteration lacks, and what to do. @type {(reason: string) => Error} */
  refusal(reason) {
    const { from } = this.table;
    const place = `flow.data.${this.name}`;
    return makeError('E_DATA', { place: from === place ? place : `${place} (${from})`, reason });
  }

  /** Returns a row that hooks cannot change, as they get another object. @type {(index: number) => Row} */
  #rowForTokens(index) {
    if (this.#last.index !== index) this.#last = { index, row: this.row(index) };
    return this.#last.row;
  }

  /** Explains why a column cannot be used; undefined: all have it. @type {(column: string) => string | undefined} */
  refuse(column) {
    const { columns, lacking, from, delimiter, format } = this.table;
    const [first] = column.split('.');
    if (columns.includes(column)) return undefined;
    if (columns.includes(first))
      return format === 'csv'
        ? `is not a column of ${from}: ${first} is a text, which has no values within it`
        : undefined;
    const missing = [column, first].find((name) => Object.hasOwn(lacking, name));
    if (missing !== undefined) return `is not in every row: ${placeOf(this.table, lacking[missing])} has no ${missing}`;
    // A file that seems to have one column, whose name has a delimiter, probably has that delimiter.
    const [only] = columns;
    const other = columns.length === 1 ? /[;\t|,]/.exec(only)?.[0] : undefined;
    if (other && other !== delimiter)
      return `is not a column of ${from}, whose only column is ${only}: set delimiter: ${JSON.stringify(other)}`;
    const spaced = columns.find((name) => name.trim() === column);
    if (spaced !== undefined)
      return `is not a column of ${from}: that is ${JSON.stringify(spaced)}, remove the spaces from its first line`;
    const near = nearest(column, columns);
    if (near) return `is not a column of ${from}. Did you mean #{${this.name}.${near}}?`;
    return `is not a column of ${from}. Its columns are ${listOf(columns, MAX_COLUMNS)}`;
  }

  /**
   * Returns a reader of one value of a row, a column that {@link refuse} accepts, or with dots a value within it. The
   * reader throws E_DATA if the row has no such value.
   * @type {(column: string) => (index: number) => unknown}
   */
  reader(column) {
    const path = this.table.columns.includes(column) ? [column] : column.split('.');
    return (index) => {
      /** @type {any} */
      let value = this.#rowForTokens(index);
      for (const name of path) {
        if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
          throw this.refusal(`has no ${column} in the row of iteration ${index}; add it to every row`);
        value = value[name];
      }
      return value;
    };
  }
}
