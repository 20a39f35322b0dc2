import { basename } from 'node:path';

import { readCount, readDate, readMs, readRate } from '../../ground/units.js';
import { FileRefusal, readRegularFile } from '../../process/read-file.js';
import { MOST_RATE, MOST_USERS } from './row.js';

/** @import { PlannedStage } from '../../contracts/schedule.js' */

/**
 * Reads stages: objects with `duration` and `rate` or `limit`, or texts: `30s:100` ends at 100 iterations per second,
 * `30s:50c` at 50 virtual users, `30s:=100` is at 100 from its beginning, and `30s:100 in 5 steps` rises in steps;
 * `@traffic.csv` and `{ file }` are recorded curves. Null if they are refused, alone or together.
 * @type {(given: unknown) => PlannedStage[] | null}
 */
export function readStages(given) {
  const stages = readStageParts(given);
  return stages === null || reasonAgainst(stages) !== undefined ? null : inSteps(stages);
}

/** Explains why the numbers of valid stages are refused. @type {(stages: PlannedStage[]) => string | undefined} */
function reasonAgainst(stages) {
  if (stages.every(({ rate = 0, limit = 0 }) => rate === 0 && limit === 0))
    return 'are 0 all the time, so no iteration would start';
  const high = stages.find(({ rate = 0, limit = 0 }) => rate > MOST_RATE || limit > MOST_USERS);
  return (
    high && `go to ${high.rate ?? high.limit}: use at most ${MOST_USERS} virtual users, or ${MOST_RATE} per second`
  );
}

/**
 * Reads stages, of which those in steps are not divided yet: that depends on the stage before.
 * @type {(given: unknown) => (PlannedStage & { steps?: number })[] | null}
 */
export function readStageParts(given) {
  const all = listOf(given);
  if (!Array.isArray(all) || all.length === 0) return null;
  const read = all.flatMap(eachOf).map(readOneStage);
  if (!read.every((stages) => Array.isArray(stages))) return null;
  const stages = read.flat();
  return ['rate', 'limit'].filter((key) => stages.some((stage) => key in stage)).length === 1 ? stages : null;
}

/** One text is a list, too. @type {(given: unknown) => unknown} */
function listOf(given) {
  return typeof given === 'string' || fileOf(given) !== null ? [given] : given;
}

/** Splits the list of stages that k6 has in one flag: `30s:20,1m30s:10`. @type {(given: unknown) => unknown[]} */
function eachOf(given) {
  return typeof given === 'string' && fileOf(given) === null ? given.split(',') : [given];
}

/**
 * @type {(given: unknown) => (PlannedStage & { steps?: number })[] | string | null} null: it is no stage; a text: why
 *   its file
 *   is refused
 */
function readOneStage(given) {
  const file = fileOf(given);
  if (file !== null) return readTraffic(file);
  const stage = typeof given === 'string' ? readStageText(given) : readStage(given);
  return stage && [stage];
}

/** Returns the file of a recorded curve; null: it is none. @type {(given: any) => string | null} */
function fileOf(given) {
  if (typeof given === 'string') return /^@./.test(given) ? given.slice(1) : null;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  const { file, ...others } = given;
  return typeof file === 'string' && Object.keys(others).length === 0 ? file : null;
}

/** Divides stages that rise in steps. @type {(stages: (PlannedStage & { steps?: number })[]) => PlannedStage[]} */
function inSteps(stages) {
  let last = 0;
  return stages.flatMap(({ steps, ...stage }) => {
    const from = last;
    const key = stage.rate === undefined ? 'limit' : 'rate';
    const to = /** @type {number} */ (stage[key]);
    last = to;
    if (steps === undefined) return [stage];
    return Array.from({ length: steps }, (_, i) => {
      const value = from + ((to - from) * (i + 1)) / steps;
      return { duration: stage.duration / steps, [key]: key === 'limit' ? Math.round(value) : value, ramp: false };
    });
  });
}

/** Results have the names of files, not the folders above them. @type {(given: unknown) => unknown} */
export function withoutFolders(given) {
  const nameOf = (/** @type {unknown} */ one) => {
    const file = fileOf(one);
    return file === null ? one : `@${basename(file)}`;
  };
  return Array.isArray(given) ? given.map(nameOf) : nameOf(given);
}

/** Reports whether stages follow a recorded curve. @type {(given: unknown) => boolean} */
export function hasStageFile(given) {
  return [given].flat().some((one) => fileOf(one) !== null);
}

/** Explains why stages are refused. @type {(given: unknown) => string | undefined} */
export function refuseStages(given) {
  const all = listOf(given);
  const reason = Array.isArray(all) ? all.map(readOneStage).find((one) => typeof one === 'string') : undefined;
  return typeof reason === 'string' ? reason : refuseTogether(given);
}

/** Explains why stages are refused, if each of them is valid. @type {(given: unknown) => string | undefined} */
export function refuseTogether(given) {
  const stages = readStageParts(given);
  if (stages !== null) return reasonAgainst(stages);
  if (!Array.isArray(given) || given.length === 0 || given.some((one) => readStageParts([one]) === null))
    return undefined;
  return "mixes rates and virtual users: end all stages at a rate, such as '30s:100', or all at virtual users, such as '30s:50c'";
}

/** @type {(text: string) => PlannedStage & { steps?: number } | null} */
function readStageText(text) {
  // 30s, '', 100, '' and 5 of `30s:100 in 5 steps`; 30s, =, 50 and c of `30s:=50c`.
  const [, duration, isAtOnce, value, users, steps] =
    /^([^:]*):\s*(=?)\s*(\S*?)(c?)\s*(?:\bin\s+(\d+)\s+steps?\s*)?$/.exec(text) ?? [];
  if (duration === undefined) return null;
  return readStage({
    duration,
    [users === 'c' ? 'limit' : 'rate']: value,
    ...(isAtOnce === '=' && { ramp: false }),
    ...(steps !== undefined && { steps: Number(steps) }),
  });
}

/** More steps are as good as a ramp. */
const MOST_STEPS = 1000;

/** @type {(steps: unknown) => boolean} */
function isNumberOfSteps(steps) {
  return Number.isInteger(steps) && Number(steps) > 0 && Number(steps) <= MOST_STEPS;
}

/** @type {(stage: any) => PlannedStage & { steps?: number } | null} */
function readStage(stage) {
  if (typeof stage !== 'object' || stage === null) return null;
  const { duration, rate, limit, ramp = true, steps, ...unknown } = stage;
  const ms = readMs(duration);
  const value = rate === undefined ? readCount(limit) : readRate(rate);
  const hasSteps = steps === undefined || (ramp === true && isNumberOfSteps(steps));
  const isValid =
    ms > 0 &&
    value >= 0 &&
    typeof ramp === 'boolean' &&
    (rate === undefined) !== (limit === undefined) &&
    hasSteps &&
    Object.keys(unknown).length === 0;
  const key = rate === undefined ? 'limit' : 'rate';
  return isValid ? { duration: ms, [key]: value, ramp, ...(steps !== undefined && { steps }) } : null;
}

const MAX_BYTES = 16 * 1024 * 1024;
/** Rows of a file: a week by minutes. */
const MOST_ROWS = 10_080;
const TIMES = ['time', 'timestamp', 'date', 'at', 'seconds', 't'];
const RATES = ['rate', 'rps', 'per_second', 'requests_per_second'];
const COUNTS = ['count', 'requests', 'hits', 'iterations'];
/** A larger number is a time in milliseconds: as seconds, it would be in the year 5138. */
const LATEST_S = 1e11;

/**
 * Reads a recorded curve: a CSV file whose rows have a time, and the rate from then on or the number of requests until
 * the next row. Each row becomes a stage of a constant rate; the last one is as long as the one before.
 *
 *     time,rate         time,count                     12:00,40
 *     0,20              2026-11-26T12:00:00Z,1200      12:01,55
 *     60,35             2026-11-26T12:01:00Z,2100
 * @type {(path: string) => PlannedStage[] | string} a text: why it cannot be read
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
    .map((line, i) => ({ place: `${name}:${i + 1}`, line }))
    .filter(({ line }) => /[^\s,;]/.test(line) && !line.trimStart().startsWith('#'));
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

/** Splits a row; a cell may be quoted: `12:00,"1,200"`. @type {(line: string, delimiter: string) => string[]} */
function cellsOf(line, delimiter) {
  const cells = line.matchAll(new RegExp(` *(?:"((?:[^"]|"")*)" *|([^${delimiter}]*))(?:${delimiter}|$)`, 'g'));
  const all = [...cells].map(([, quoted, plain]) => (quoted ?? plain ?? '').trim());
  // An empty match follows the last cell.
  return line.endsWith(delimiter) ? all : all.slice(0, -1);
}

/** @type {(header: string[]) => Columns | string} a text: why they cannot be used */
function columnsOf(header) {
  if (!Number.isNaN(timeOf(header[0]).seconds))
    return 'has no header: write the names of the columns in the first row, such as time,rate or time,count';
  const find = (/** @type {string[]} */ names) => header.findIndex((cell) => names.includes(cell));
  const [time, rate, count] = [TIMES, RATES, COUNTS].map(find);
  if (rate >= 0 && count >= 0)
    return `has both ${header[rate]} (per second) and ${header[count]} (of an interval): remove one of the columns`;
  const value = rate >= 0 ? rate : count;
  if (time < 0 || value < 0) return `expected the columns time, and rate or count, got ${header.join(', ')}`;
  return { time, value, isCount: rate < 0 };
}

/**
 * Makes a stage of each row.
 * @type {(rows: { place: string, cells: string[] }[], columns: Columns) => PlannedStage[] | string} a text: what is
 *   wrong
 */
function stagesOf(rows, { time, value, isCount }) {
  /** @type {{ at: number, amount: number }[]} */
  const points = [];
  /** Days of the curve before the day of the row, s. */
  let days = 0;
  /** The form of the first time: the distance to another form would be a guess. @type {string | undefined} */
  let first;
  for (const { place, cells } of rows) {
    const last = points.at(-1)?.at ?? 0;
    const { seconds, form } = timeOf(cells[time]);
    // After 23:59 comes 00:00 of the next day.
    if (form === FORMS.clock && last - days - seconds > DAY_S / 2) days += DAY_S;
    const at = seconds + days;
    const amount = amountOf(cells[value]);
    if (Number.isNaN(at))
      return `${place}: expected a time in seconds, a date or 12:30, got ${cells[time] || 'nothing'}`;
    first ??= form;
    if (form !== first) return `${place}: its time is ${form}, that of the first row ${first}: write all in one form`;
    if (!Number.isFinite(amount)) return `${place}: expected a number from 0, got ${cells[value] || 'nothing'}`;
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
/** A time of a day; hours may go on counting after 23. */
const CLOCK = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?$/;

/** Forms of times. */
const FORMS = {
  number: 'a number',
  clock: 'a time of day',
  zoned: 'a date with a zone',
  date: 'a date without a zone',
};

/**
 * Reads a time, in seconds (NaN: it is none), and its form. Only the distances of rows matter, so a date without a zone
 * is read as UTC: in the zone of this machine, an hour may be missing or occur twice.
 * @type {(text?: string) => { seconds: number, form: string }}
 */
function timeOf(text = '') {
  if (/^\d+(\.\d+)?$/.test(text))
    return { seconds: Number(text) < LATEST_S ? Number(text) : Number(text) / 1000, form: FORMS.number };
  const [, hours, minutes, seconds = '0'] = CLOCK.exec(text) ?? [];
  if (hours !== undefined)
    return { seconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds), form: FORMS.clock };
  const { ms, hasZone } = readDate(text);
  return { seconds: ms / 1000, form: hasZone ? FORMS.zoned : FORMS.date };
}
