import { counted } from '../../decimal.js';
import { listOf } from '../../text/format-value.js';
import { findRecords, splitRecord } from './csv-records.js';
import { RowFault } from './row-fault.js';

/**
 * @import { FeederFormat, Row } from './types.js'
 */

/** columns that a message lists */
const MAX_COLUMNS = 10;

/** @type {FeederFormat} */
export default {
  name: 'csv',
  about: 'comma-separated values (RFC 4180); the first line names the columns; .tsv: separated by tabs',
  extensions: ['.csv', '.tsv'],
  options: ['delimiter', 'columns'],

  index(bytes, { file = '', delimiter = file.toLowerCase().endsWith('.tsv') ? '\t' : ',', columns: given }) {
    const byte = delimiter.charCodeAt(0);
    const header = given === undefined ? findRecords(bytes, { delimiter: byte, most: 1 }) : null;
    const [from = 0, to = 0] = header?.bounds.toArray() ?? [];
    const columns = given ?? (to > from ? splitRecord(bytes.toString('utf8', from, to), delimiter) : []);
    checkColumns(columns, from);
    const ragged = { count: 0, values: 0, offset: 0 };
    const { bounds } = findRecords(bytes, {
      delimiter: byte,
      from: header?.end,
      onRecord(values, offset) {
        if (values === columns.length) return;
        if (ragged.count === 0) Object.assign(ragged, { values, offset });
        ragged.count++;
      },
    });
    if (ragged.count > 0) throw raggedRow(ragged, columns, delimiter);
    return { columns, bounds: bounds.toArray(), delimiter, lacking: {} };
  },

  reader({ columns, delimiter, bytes, bounds }) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const RowOfFile = rowClass();
    return (at) => {
      const values = splitRecord(text.toString('utf8', bounds[2 * at], bounds[2 * at + 1]), delimiter);
      const row = new RowOfFile();
      for (let i = 0; i < columns.length; i++) row[columns[i]] = values[i];
      return row;
    };
  },
};

/**
 * Rows have no prototype, so that a column can have any name, and a class of their own, which makes them 3 times as fast as
 * those of Object.create(null).
 *
 * @type {() => new () => Row}
 */
function rowClass() {
  const RowOfFile = function () {};
  RowOfFile.prototype = Object.create(null);
  return /** @type {any} */ (RowOfFile);
}

/** @type {(columns: string[], offset: number) => void} */
function checkColumns(columns, offset) {
  if (columns.length === 0) throw new RowFault('has no columns: name them in the first line', offset);
  const names = new Set();
  columns.forEach((name, i) => {
    if (name === '') throw new RowFault(`column ${i + 1} has no name`, offset);
    if (names.has(name)) throw new RowFault(`two columns are named ${name}: rename one of them`, offset);
    names.add(name);
  });
}

/** @type {(ragged: { count: number, values: number, offset: number }, columns: string[], delimiter: string) => RowFault} */
function raggedRow({ count, values, offset }, columns, delimiter) {
  const others = count > 1 ? `; ${counted(count - 1, 'other row')} ${count > 2 ? 'do' : 'does'} not fit, either` : '';
  return new RowFault(
    `has ${counted(values, 'value')}, but a row needs ${columns.length} ` +
      `(${listOf(columns, MAX_COLUMNS)})${others}: write values that contain ${JSON.stringify(delimiter)} or line ends in quotes`,
    offset,
  );
}
