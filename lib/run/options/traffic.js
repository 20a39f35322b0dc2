import { basename } from 'node:path';

import { FileRefusal, readRegularFile } from '../../process/read-file.js';

/** @import { Stage } from '../../contracts/schedule.js' */

const MAX_BYTES = 16 * 1024 * 1024;
/** Rows of a file: a week by minutes. */
const MOST_ROWS = 10_080;
const TIMES = ['time', 'timestamp', 'date', 'at', 'seconds', 't'];
const RATES = ['rate', 'rps', 'per_second', 'requests_per_second'];
const COUNTS = ['count', 'requests', 'hits', 'iterations'];
/** Later times in seconds are in milliseconds. */
const LATEST_S = 1e11;

/**
 * Reads a recorded curve: a CSV file whose rows have a time, and the rate from then on or the number of requests until
 * the next row. Each row becomes a stage of a constant rate; the last one is as long as the one before.
 *
 *     time,rate         time,count                     12:00,40
 *     0,20              2026-11-26T12:00:00Z,1200      12:01,55
 *     60,35             2026-11-26T12:01:00Z,2100
 * @type {(path: string) => Stage[] | string} a text: why it cannot be read
 */
export function readTraffic(path) {
  const name = basename(path);
  let text;
  try {
    text = readRegularFile(path, { maxBytes: MAX_BYTES }).toString('utf8');
  } catch (error) {
    if (error instanceof FileRefusal) return error.message;
    const isMissing = /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT';
    return isMissing ? `${path} does not exist: check the path` : `${path}: ${/** @type {Error} */ (error).message}`;
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const [head, ...records] = lines
    .map((line, i) => ({ place: `${name}:${i + 1}`, line: line.trim() }))
    .filter(({ line }) => /[^\s,;]/.test(line) && !line.startsWith('#'));
  if (head === undefined) return `${name} has no rows: a curve needs two or more`;
  const delimiter = ['\t', ';'].find((one) => head.line.includes(one)) ?? ',';
  const header = cellsOf(head.line, delimiter).map((cell) => cell.toLowerCase());
  const columns = columnsOf(header);
  if (typeof columns === 'string') return `${head.place}: ${columns}`;
  const rows = records.map(({ place, line }) => ({ place, cells: cellsOf(line, delimiter) }));
  if (rows.length < 2) return `${name} has ${rows.length === 1 ? 'one row' : 'no rows'}: a curve needs two or more`;
  if (rows.length > MOST_ROWS)
    return `${name} has ${rows.length} rows: use at most ${MOST_ROWS}, such as one for each minute`;
  return stagesOf(rows, columns);
}

/** @typedef {{ time: number, value: number, isCount: boolean }} Columns */

/** Splits a row; a cell may be quoted. @type {(line: string, delimiter: string) => string[]} */
function cellsOf(line, delimiter) {
  const cells = line.matchAll(new RegExp(`\\s*(?:"((?:[^"]|"")*)"\\s*|([^${delimiter}]*))(?:${delimiter}|$)`, 'g'));
  return [...cells].map(([, quoted, plain]) => (quoted ?? plain ?? '').trim());
}

/** @type {(header: string[]) => Columns | string} a text: why they cannot be used */
function columnsOf(header) {
  if (!Number.isNaN(secondsOf(header[0])))
    return 'has no header: write the names of the columns in the first row, such as time,rate or time,count';
  const find = (/** @type {string[]} */ names) => header.findIndex((cell) => names.includes(cell));
  const [time, rate, count] = [TIMES, RATES, COUNTS].map(find);
  if (rate >= 0 && count >= 0)
    return `has both ${header[rate]} (per second) and ${header[count]} (of an interval): remove one of the columns`;
  const value = rate >= 0 ? rate : count;
  if (time < 0 || value < 0) return `expected the columns time, and rate or count, got ${header.join(', ')}`;
  return { time, value, isCount: rate < 0 };
}

/** @type {(rows: { place: string, cells: string[] }[], columns: Columns) => Stage[] | string} */
function stagesOf(rows, { time, value, isCount }) {
  /** @type {{ at: number, amount: number }[]} */
  const points = [];
  let days = 0;
  for (const { place, cells } of rows) {
    const last = points.at(-1)?.at ?? 0;
    // After 23:59 comes 00:00 of the next day.
    const isNextDay = CLOCK.test(cells[time] ?? '') && last - days - secondsOf(cells[time]) > DAY_S / 2;
    if (isNextDay) days += DAY_S;
    const at = secondsOf(cells[time]) + (CLOCK.test(cells[time] ?? '') ? days : 0);
    const amount = amountOf(cells[value]);
    if (Number.isNaN(at))
      return `${place}: expected a time in seconds, a date or 12:30, got ${cells[time] || 'nothing'}`;
    if (Number.isNaN(amount)) return `${place}: expected a number from 0, got ${cells[value] || 'nothing'}`;
    if (points.length > 0 && at <= last) return `${place}: its time is not after that of the row before`;
    points.push({ at, amount });
  }
  return points.map(({ at, amount }, i) => {
    const next = points[i + 1]?.at ?? 2 * at - points[i - 1].at;
    // Differences of times such as 0.4 s have errors in their last digits.
    const duration = Math.round((next - at) * 1e6) / 1000;
    const seconds = duration / 1000;
    return { duration, rate: isCount ? amount / seconds : amount, ramp: false };
  });
}

/** A number from 0, perhaps in groups of digits: `1,200`. @type {(text?: string) => number} NaN: it is another text */
function amountOf(text = '') {
  const digits = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
  return /^\d+(\.\d+)?(e\d+)?$/i.test(digits) ? Number(digits) : NaN;
}

const DAY_S = 86_400;
const CLOCK = /^(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d+)?))?$/;

/** @type {(text?: string) => number} NaN: it is no time */
function secondsOf(text = '') {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) < LATEST_S ? Number(text) : Number(text) / 1000;
  const [, hours, minutes, seconds = '0'] = CLOCK.exec(text) ?? [];
  if (hours !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return /^\d{4}-\d\d/.test(text) ? Date.parse(text) / 1000 : NaN;
}
