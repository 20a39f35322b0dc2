import { grouped } from './decimal.js';

/** Reads a count from 0 to 2^53 - 1: `1000`, `10k`, `1.5m`, `1e3`; or NaN. @type {(text: string | number) => number} */
export function readCount(text) {
  const match = /^(\d+(?:\.\d+)?(?:e\d+)?)([km]?)$/.exec(trimmed(text).toLowerCase());
  const value = match ? timesTenTo(match[1], EXPONENTS[match[2]]) : NaN;
  return Number.isSafeInteger(value) ? value : NaN;
}

/** Powers of ten. @type {Record<string, number>} */
const EXPONENTS = { '': 0, k: 3, m: 6 };

/**
 * Reads a duration as ms: `500`, `500ms`, `30s`, `1h30m`, `1.5s`; or NaN. The units are those of Go and k6, in any
 * order, without spaces between them.
 * @type {(text: string | number) => number}
 */
export function readMs(text) {
  // The text of a small number has an exponent: 9e-7.
  const ms = typeof text === 'number' ? text : readWrittenMs(text);
  return ms >= 0 && ms < Infinity ? ms : NaN;
}

/** The source of a regular expression for a time with units, such as `30s` or `1h30m`. */
export const TIME_WITH_UNITS = String.raw`(?:\d+(?:\.\d+)?(?:us|ms|s|m|h|d))+`;
/** That of all texts that are times, for the JSON Schema, too. */
export const TIME_TEXT = String.raw`^\s*(?:\d+(?:\.\d+)?(?:\s*(?:us|ms|s|m|h|d))?|${TIME_WITH_UNITS})\s*$`;
const TIME = new RegExp(TIME_TEXT);

/** @type {(text: string) => number} */
function readWrittenMs(text) {
  if (!TIME.test(trimmed(text))) return NaN;
  // In millionths of ms, whole numbers, so that 2.01s is 2010 ms: 2.01 * 1000 is less.
  const parts = trimmed(text).matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/g);
  return [...parts].reduce((sum, [, number, unit]) => sum + nanoseconds(number, unit || 'ms'), 0) / 1e6;
}

/** @type {(number: string, unit: string) => number} */
function nanoseconds(number, unit) {
  return unit === 'us' ? timesTenTo(number, 3) : timesTenTo(number, 6) * MS[unit];
}

/** Reads a bound of times, which needs a unit, as ms: `500us`, `1m30s`; or NaN. @type {(text: string) => number} */
export function readTime(text) {
  return /[a-z]\s*$/.test(text) ? readMs(text) : NaN;
}

/** Reads the number of a percentage as a share: `0.57` is 0.0057. @type {(percent: string) => number} */
export function readPercent(percent) {
  return timesTenTo(percent, -2);
}

/**
 * Multiplies a written number by a power of ten without the error of a product or a quotient: 0.57 / 100 is less than
 * 57 / 10,000, so 57 errors of 10,000 would be more than 0.57 %.
 * @type {(written: string, exponent: number) => number}
 */
export function timesTenTo(written, exponent) {
  const [digits, own = '0'] = written.split('e');
  return Number(`${digits}e${Number(own) + exponent}`);
}

/** @type {Record<string, number>} */
const MS = { ms: 1, s: 1e3, m: 6e4, h: 3.6e6, d: 8.64e7 };
export const MINUTE_MS = MS.m;

/**
 * Refuses a time without a unit in flags, because it is seconds in other tools: returns the message, or undefined. Also
 * in ranges and slow tails: `500,2s`, `20ms,1%:500`.
 * @type {(text: string) => string | undefined}
 */
export function refuseBareTime(text) {
  return /^[^:%]*:/.test(text) ? undefined : refuseBareStage(text);
}

/** The same in a stage or a warm-up: `30s:100,60:200`, `5:2c`. @type {(text: string) => string | undefined} */
export function refuseBareStage(text) {
  return firstBareTime(text, Infinity);
}

/** Both, by which the options that are times are known. @type {Set<unknown>} */
export const BARE_TIME_REFUSALS = new Set([refuseBareTime, refuseBareStage]);

/** @type {(text: string, below: number) => string | undefined} */
function firstBareTime(text, below) {
  for (const part of text.split(',')) {
    const [, number, rest = ''] = BARE_TIME.exec(part.replace(TAIL, '$2')) ?? [];
    if (Number(number) > 0 && Number(number) < below)
      return `${number}s${rest} or ${number}ms${rest}? A time needs a unit`;
  }
  return undefined;
}

/** A number without a unit, alone or as the time of a stage, in front of its rate or virtual users: `30:200`. */
const BARE_TIME = /^\s*(\d*\.?\d+)\s*(:.*)?$/;
/** A smaller number without a unit is likely meant as seconds. */
const LIKELY_SECONDS = 100;
/** The same for think times, which may be short. */
export const LIKELY_PAUSE = 10;

/**
 * Finds a time without a unit that is likely meant as seconds, outside of flags, where a number is one of milliseconds.
 * `below` is the first number of milliseconds that is believed.
 * @type {(given: unknown, below?: number) => string | undefined}
 */
export function findLikelySeconds(given, below = LIKELY_SECONDS) {
  for (const one of [given].flat()) {
    const question = ['number', 'string'].includes(typeof one) ? firstBareTime(String(one), below) : undefined;
    if (question !== undefined) return question;
  }
  return undefined;
}

/**
 * Reads a duration, or a range of durations, as ms: `500`, `'2s'`, `[100, '1s']`, `'100,1s'`. Null for anything else.
 * @type {(given: unknown) => [from: number, to: number] | null}
 */
export function readMsRange(given) {
  const bounds = typeof given === 'string' && given.includes(',') ? given.split(',') : given;
  const [from, to, ...others] = (Array.isArray(bounds) ? bounds : [bounds, bounds]).map((one) => readMs(one));
  return from <= to && others.length === 0 ? [from, to] : null;
}

/** Formats a duration in the largest unit with at most one decimal: `1.5 s`, `2 m`. @type {(ms: number) => string} */
export function writeMs(given) {
  // Divided times have errors in their last digits.
  const ms = given >= 1 ? Math.round(given * 1000) / 1000 : given;
  const unit = ['h', 'm', 's'].find((name) => ms >= MS[name] && Number.isInteger((ms * 10) / MS[name])) ?? 'ms';
  return `${ms / MS[unit]} ${unit}`;
}

/** Reads a rate per second: `10k`, `30/m`; NaN, also for `1m` (ambiguous). @type {(text: string | number) => number} */
export function readRate(text) {
  const match = /^(\d+(?:\.\d+)?(?:e\d+)?)(k?)\s*(?:\/\s*(s|m|h))?$/.exec(trimmed(text).toLowerCase());
  const rate = match ? (timesTenTo(match[1], EXPONENTS[match[2]]) * MS.s) / MS[match[3] ?? 's'] : NaN;
  return rate < Infinity ? rate : NaN;
}

/**
 * Formats a rate per second, with three decimals at most, or three digits below 1; a small one per minute or per hour:
 * `2,000/s`, `0.5/s`, `1/m`, `1/h`.
 * @type {(rate: number) => string}
 */
export function writeRate(rate) {
  const { value, unit } = inUnitOfRate(rate);
  return `${grouped(Number(value < 1 ? value.toPrecision(3) : value.toFixed(3)))}/${unit}`;
}

/**
 * Converts a rate per second into the shortest unit in which it is 0.1 or more: `s`, `m` or `h`.
 * @type {(rate: number) => { value: number, unit: string }}
 */
export function inUnitOfRate(rate) {
  const unit = ['s', 'm'].find((name) => rate === 0 || (rate * MS[name]) / MS.s >= LEAST_SHOWN) ?? 'h';
  return { value: (rate * MS[unit]) / MS.s, unit };
}

/** A smaller value is written in a longer unit. */
const LEAST_SHOWN = 0.1;

/**
 * Computes events per second over a time in milliseconds; 0 over no time.
 * @param {number} count
 * @param {number} ms
 */
export function perSecond(count, ms) {
  return ms > 0 ? (count * 1000) / ms : 0;
}

/**
 * Reads a count, or a percentage as a share from 0 to 1: `10`, `5%`; null for anything else.
 * @type {(text: string | number) => { count: number } | { share: number } | null}
 */
export function readLimit(text) {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(trimmed(text));
  if (percent) return Number(percent[1]) <= 100 ? { share: readPercent(percent[1]) } : null;
  const count = readCount(text);
  return count > 0 ? { count } : null;
}

/** Returns '' for anything but a string or a number. @type {(given: unknown) => string} */
function trimmed(given) {
  return typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
}

/**
 * @typedef {[from: number, to: number] | { mean: number, dev: number }} ThinkTimeMs ms: evenly distributed between two
 *   bounds, or normally distributed
 */

/** The think times of a flow, to complete "expected …". */
export const THINK_TIMES =
  "milliseconds, a time such as '2s', a range such as '50ms,150ms', or { mean: '2s', dev: '500ms' }";

/**
 * Reads a think time: `500`, `'2s'`, `[100, '1s']`, `'100,1s'`, `{ mean: '2s', dev: 500 }`. Null for anything else.
 * @type {(given: any) => ThinkTimeMs | null}
 */
export function readThinkTime(given) {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return readMsRange(given);
  const { mean, dev, ...others } = given;
  const [meanMs, devMs] = [readMs(mean), readMs(dev)];
  return meanMs >= 0 && devMs >= 0 && Object.keys(others).length === 0 ? { mean: meanMs, dev: devMs } : null;
}

/** `random` returns the next number in [0, 1). @type {(thinkTime: ThinkTimeMs, random: () => number) => number} */
export function drawMs(thinkTime, random) {
  if (Array.isArray(thinkTime)) {
    const [from, to] = thinkTime;
    return from + random() * (to - from);
  }
  const { mean, dev } = thinkTime;
  return Math.max(0, mean + dev * normal(random));
}

/** Draws a normal deviate (Box and Muller, 1958). @type {(random: () => number) => number} */
export function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/**
 * @typedef {object} Delay of responses
 * @property {[from: number, to: number]} range ms, evenly distributed
 * @property {{ share: number, range: [from: number, to: number] }[]} tails slower ranges and the share of responses,
 *   0 to 1, that have them
 */

const MAX_MS = 600_000;
const TAIL = /^\s*(\d+(?:\.\d+)?)%\s*:(.*)$/s;

/** The texts that {@link readDelay} reads, to complete "expected …". */
export const DELAYS =
  'a time such as 20ms, a range such as 10ms,50ms, or either with a slow tail such as 20ms,1%:500ms; at most 600000 ms';

/**
 * Reads the delay of responses: a time, a range of times, and slow tails: `20`, `'20ms'`, `[10, 50]`, `'10ms,50ms'`,
 * `'20ms,1%:500ms'`, `'10ms,50ms,5%:200ms,0.1%:1s,2s'`; null for anything else.
 * @type {(given: unknown) => Delay | null}
 */
export function readDelay(given) {
  const groups = typeof given === 'string' ? groupsOf(given) : [{ share: 1, times: given }];
  const [first, ...tails] = groups.map(({ share, times }) => ({ share, range: readMsRange(times) }));
  const isValid =
    [first, ...tails].every(({ range }) => range !== null && range[1] <= MAX_MS) &&
    tails.reduce((sum, { share }) => sum + share, 0) <= 1;
  return isValid ? /** @type {Delay} */ ({ range: first.range, tails }) : null;
}

/** Times before the first percentage have the share 1. @type {(text: string) => { share: number, times: string }[]} */
function groupsOf(text) {
  /** @type {{ share: number, times: string[] }[]} */
  const groups = [{ share: 1, times: [] }];
  for (const item of text.split(',')) {
    const [, percent, time = item] = TAIL.exec(item) ?? [];
    if (percent !== undefined) groups.push({ share: readPercent(percent), times: [] });
    groups[groups.length - 1].times.push(time);
  }
  return groups.map(({ share, times }) => ({ share, times: times.join(',') }));
}

/** A day, or a month, and a time of the day: `2026-10-25T02:58`, `2026-10-25 02:58:01.5 +0100`, `2026-10`. */
const DATE = /^(\d{4}-\d\d(?:-\d\d)?)(?:(?:t|\s)\s*(\d.*))?$/i;
/** `Z`, `UTC`, `EST`, `+01`, `+0100`, `+01:00` */
const DATE_ZONE = /(?:[a-z]|[+-]\d\d(?::?\d\d)?)$/i;

/**
 * Reads a date in ms since 1970, NaN if it is none. Without a zone it is read as UTC, so the distance of two dates does
 * not depend on the zone of this machine.
 * @type {(text: string) => { ms: number, hasZone: boolean }}
 */
export function readDate(text) {
  const [, day, time = ''] = DATE.exec(text.trim()) ?? [];
  const hasZone = DATE_ZONE.test(time) && !/[ap]m$/i.test(time);
  // With a blank, V8 reads zones in all these forms.
  return { ms: Date.parse(`${day} ${time.replace(',', '.')}${hasZone ? '' : ' UTC'}`), hasZone };
}

const BYTES = /** @type {Record<string, number>} */ ({
  '': 1,
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
});

/** Reads `500MB`, `2GiB` or a number without a unit. @type {(text: string) => number} */
export function readBytes(text) {
  const [, number = '', unit = ''] = /^([^A-Za-z]*)([A-Za-z]*)\s*$/.exec(text) ?? [];
  return (/^\s*\d+(\.\d+)?\s*$/.test(number) ? Number(number) : NaN) * (Object.hasOwn(BYTES, unit) ? BYTES[unit] : NaN);
}

/** Of TCP. */
export const HIGHEST_PORT = 65_535;
