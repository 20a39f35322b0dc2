import { LOG_COLUMNS } from './log-columns.js';

/**
 * @typedef {object} LogFormat
 * @property {string} extension
 * @property {string} header first line of the file
 * @property {Uint8Array[]} before what precedes the value of each column
 * @property {Uint8Array} end of a line
 * @property {Uint8Array} none a value that there is not
 * @property {(text: string) => string} quote
 */

const encoder = new TextEncoder();

/** Both formats have the same columns; a data frame reads either of them without options. @type {LogFormat[]} */
export const LOG_FORMATS = [
  {
    extension: '.ndjson',
    header: '',
    before: LOG_COLUMNS.map(({ name }, i) => encoder.encode(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`)),
    end: encoder.encode('}\n'),
    none: encoder.encode('null'),
    quote: (text) => JSON.stringify(text),
  },
  {
    extension: '.csv',
    header: `${LOG_COLUMNS.map(({ name }) => name).join(',')}\n`,
    before: LOG_COLUMNS.map((_, i) => encoder.encode(i === 0 ? '' : ',')),
    end: encoder.encode('\n'),
    none: new Uint8Array(),
    quote: quoteCsv,
  },
];

/** RFC 4180; a request has one line, even if the name of its operation has several. @type {(text: string) => string} */
function quoteCsv(text) {
  const line = text.replace(/[\r\n]+/g, ' ');
  return /[",]/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}

/** How every file of a format begins, so that a file of someone else is never replaced. @type {(format: LogFormat) => string} */
export function beginningOf({ header }) {
  return header === '' ? '{"time":' : header;
}

/**
 * @param {string} path
 * @returns {LogFormat | undefined} by its extension
 */
export function logFormatOf(path) {
  return LOG_FORMATS.find(({ extension }) => path.toLowerCase().endsWith(extension));
}
