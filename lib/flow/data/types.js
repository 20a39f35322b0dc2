/**
 * @typedef {Record<string, unknown>} Row
 *
 * @typedef {object} Table the rows of a feeder: plain data, which threads share
 * @property {string} format the name of its entry
 * @property {string} from what messages call it: `users.csv`
 * @property {string[]} columns that every row has
 * @property {Record<string, number>} lacking columns that only some rows have, with the offset of the first row without it
 * @property {string} delimiter between the values of a row, of CSV
 * @property {Uint8Array} bytes UTF-8
 * @property {Uint32Array} bounds where each row begins and ends in them
 *
 * @typedef {object} FeederFormat
 * @property {string} name
 * @property {string} about
 * @property {string[]} extensions of files; none: rows in the flow
 * @property {string[]} options properties of a definition that only this format has
 * @property {(bytes: Buffer, definition: Definition) => Pick<Table, 'columns' | 'bounds' | 'delimiter' | 'lacking'>} index
 *   finds the rows without keeping them
 * @property {(table: Table) => (at: number) => Row} reader of single rows
 *
 * @typedef {object} Definition of a feeder: a property of `data`
 * @property {string} [file]
 * @property {unknown[]} [rows]
 * @property {string} order
 * @property {string} whenEmpty
 * @property {string} [delimiter]
 * @property {string[]} [columns]
 */
export {};
