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
  const rows = lines
    .map((line, i) => ({ place: `${name}:${i + 1}`, cells: line.split(/[,;\t]/).map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== '') && !cells[0].startsWith('#'));
  const header = rows[0] && Number.isNaN(secondsOf(rows[0].cells[0])) ? rows.shift() : undefined;
  const columns = columnsOf(header?.cells.map((cell) => cell.toLowerCase()));
  if (columns === null)
    return `${header?.place}: expected the columns time, and rate or count, got ${header?.cells.join(', ')}`;
  if (rows.length < 2) return `${name} has ${rows.length === 1 ? 'one row' : 'no rows'}: a curve needs two or more`;
  if (rows.length > MOST_ROWS)
    return `${name} has ${rows.length} rows: use at most ${MOST_ROWS}, such as one for each minute`;
  return stagesOf(rows, columns);
}

/** @typedef {{ time: number, value: number, isCount: boolean }} Columns */

/** @type {(header: string[] | undefined) => Columns | null} */
function columnsOf(header) {
  if (header === undefined) return { time: 0, value: 1, isCount: false };
  const find = (/** @type {string[]} */ names) => header.findIndex((cell) => names.includes(cell));
  const [time, rate, count] = [TIMES, RATES, COUNTS].map(find);
  const value = rate >= 0 ? rate : count;
  return time < 0 || value < 0 ? null : { time, value, isCount: rate < 0 };
}

/** @type {(rows: { place: string, cells: string[] }[], columns: Columns) => Stage[] | string} */
function stagesOf(rows, { time, value, isCount }) {
  /** @type {{ at: number, amount: number }[]} */
  const points = [];
  for (const { place, cells } of rows) {
    const at = secondsOf(cells[time]);
    const amount = /^\d+(\.\d+)?(e\d+)?$/i.test(cells[value] ?? '') ? Number(cells[value]) : NaN;
    if (Number.isNaN(at))
      return `${place}: expected a time in seconds, a date or 12:30, got ${cells[time] || 'nothing'}`;
    if (Number.isNaN(amount)) return `${place}: expected a number from 0, got ${cells[value] || 'nothing'}`;
    if (points.length > 0 && at <= points[points.length - 1].at)
      return `${place}: its time is not after that of the row before`;
    points.push({ at, amount });
  }
  return points.map(({ at, amount }, i) => {
    const next = points[i + 1]?.at ?? 2 * at - points[i - 1].at;
    const seconds = next - at;
    return { duration: seconds * 1000, rate: isCount ? amount / seconds : amount, ramp: false };
  });
}

/** @type {(text?: string) => number} NaN: it is no time */
function secondsOf(text = '') {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) < LATEST_S ? Number(text) : Number(text) / 1000;
  const [, hours, minutes, seconds = '0'] = /^(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d+)?))?$/.exec(text) ?? [];
  if (hours !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return /^\d{4}-\d\d/.test(text) ? Date.parse(text) / 1000 : NaN;
}
