import { basename, dirname, extname, join } from 'node:path';

import { csvText } from '../../core/text/safe.js';

/** @import { RunOptions } from '../../core/contracts/run-options.js' */

/**
 * The columns of a log of requests, in their order. Times are milliseconds since the start of the measured iterations.
 *
 * @typedef {object} LogColumn
 * @property {string} name
 * @property {string} about
 *
 * @typedef {object} LogFormat
 * @property {string} extension
 * @property {string} header first line of the file
 * @property {string} beginning of each file
 * @property {(line: string) => boolean} isFirstLine of a file, without its end; no other file begins so
 * @property {Uint8Array[]} before what precedes the value of each column
 * @property {Uint8Array} end of a line
 * @property {Uint8Array} none a value that there is not
 * @property {(text: string) => string} quote
 */

/** @type {LogColumn[]} */
export const LOG_COLUMNS = [
  { name: 'time', about: 'wall clock at the end of the request, in ms since 1970 (Unix epoch)' },
  { name: 'due', about: 'when its iteration was due; only in runs with an arrival rate' },
  {
    name: 'started',
    about: 'when a connection was asked for; on a connection that was open, when the request was written',
  },
  { name: 'connected', about: 'when its connection was opened; empty on a connection that was open' },
  { name: 'sent', about: 'when it was written; empty if there was no connection' },
  { name: 'firstByte', about: 'when the first byte of the response arrived' },
  { name: 'end', about: 'when the last byte of the response arrived, or the request failed' },
  { name: 'status', about: 'of the response; empty if there is none' },
  {
    name: 'bytesOut',
    about:
      'bytes of the request, head and body, before encryption; with HTTP/2 the whole body, although the server may have refused a part, without the 9 bytes in front of each frame of it',
  },
  { name: 'bytesIn', about: 'bytes of the response, head and body as they were received, after decryption' },
  { name: 'iteration', about: 'index of the iteration; empty in `before` and `after`' },
  { name: 'phase', about: '`before`, `beforeMain`, `main`, `afterMain` or `after`' },
  {
    name: 'operation',
    about: 'name of the operation, as in the result; in CSV after an apostrophe, if it begins with =, +, - or @',
  },
  {
    name: 'kind',
    about:
      '`request`, `retry`, `redirect`, `challenge` (sent again with credentials), or `throttled` (sent again after a wait)',
  },
  { name: 'virtualUser', about: 'number of the virtual user, from 0; empty in `before` and `after`' },
  { name: 'connection', about: 'number of the connection, from 1, each once in all files of a run' },
  { name: 'address', about: 'where the connection leads: `10.0.0.7:80`; of the proxy, if there is one' },
  { name: 'error', about: 'code of the error, such as `ECONNREFUSED`, if there is no complete response' },
  { name: 'weight', about: 'how many requests the line stands for: 1, and more if lines were left out' },
];

const NAMES = LOG_COLUMNS.map(({ name }) => name);
const HEADER = NAMES.join(',');
const JSON_BEGINNING = '{"time":';
const encoder = new TextEncoder();

/** Both formats have the same columns; a data frame reads either of them without options. @type {LogFormat[]} */
export const LOG_FORMATS = [
  {
    extension: '.ndjson',
    header: '',
    beginning: JSON_BEGINNING,
    isFirstLine: hasAllKeys,
    before: LOG_COLUMNS.map(({ name }, i) => encoder.encode(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`)),
    end: encoder.encode('}\n'),
    none: encoder.encode('null'),
    quote: (text) => JSON.stringify(text),
  },
  {
    extension: '.csv',
    header: `${HEADER}\n`,
    beginning: HEADER,
    isFirstLine: (line) => line === HEADER,
    before: LOG_COLUMNS.map((_, i) => encoder.encode(i === 0 ? '' : ',')),
    end: encoder.encode('\n'),
    none: new Uint8Array(),
    quote: quoteCsv,
  },
];

/** Line ends become spaces, as a request has one line. @type {(text: string) => string} */
function quoteCsv(text) {
  return csvText(text.replace(/[\r\n]+/g, ' '));
}

/** Reports whether a line has all keys: other logs begin with `{"time":`, too. @type {(line: string) => boolean} */
function hasAllKeys(line) {
  if (!line.startsWith(JSON_BEGINNING)) return false;
  try {
    return Object.keys(JSON.parse(line)).join() === HEADER;
  } catch {
    return false;
  }
}

/** Finds the format of a file by its extension. @type {(path: string) => LogFormat | undefined} */
export function logFormatOf(path) {
  return LOG_FORMATS.find(({ extension }) => path.toLowerCase().endsWith(extension));
}

/**
 * Lists the files of all parts of a run.
 * @type {(options: Pick<RunOptions, 'log' | 'shard' | 'workers'>) => string[]}
 */
export function logNames({ log = '', shard, workers = 0 }) {
  return Array.from({ length: workers + 1 }, (_, worker) => logName(log, shard ?? null, worker));
}

/**
 * Names the file of a part of a run. Shards have the number of the shard in its name, workers (from 1) their own:
 * `requests.shard2.1.csv`. The requests of `before` and `after`, and of a run without workers (0 or null), are in the
 * file of the main thread, without a number.
 * @type {(path: string, shard: { number: number } | null, worker: number | null) => string}
 */
export function logName(path, shard, worker) {
  return withParts(path, ...(shard ? [`shard${shard.number}`] : []), ...(worker ? [worker] : []));
}

/** Inserts a name: `requests.A1.csv`. @type {(path: string, ...parts: (string | number)[]) => string} */
export function withParts(path, ...parts) {
  const extension = extname(path);
  const name = `${[basename(path, extension), ...parts].join('.')}${extension}`;
  return path === basename(path) ? name : join(dirname(path), name);
}
