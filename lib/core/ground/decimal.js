/**
 * The places of the separators. `Intl` and `toLocaleString` would load the data of languages first: 30 ms of CPU in
 * each thread, a tenth of a start.
 */
const EVERY_THREE = /\B(?=(\d{3})+$)/g;
/** From here on `toFixed` writes an exponent. */
const EXPONENT = 1e21;
const MOST_DECIMALS = 3;
/** Decimals of a rate below 0.01, at most. */
const MOST_DECIMALS_OF_SMALL_RATE = 6;

/** Formats a number with thousands separators and decimals. @type {(value: number, decimals: number) => string} */
export function decimal(value, decimals) {
  if (!Number.isFinite(value)) return String(value).replace('Infinity', '∞');
  const text = Math.abs(value) < EXPONENT ? value.toFixed(decimals) : `${BigInt(value)}.${'0'.repeat(decimals)}`;
  const [whole, fraction] = text.split('.');
  return whole.replace(EVERY_THREE, ',') + (fraction ? `.${fraction}` : '');
}

/** Formats a number with separators and at most three decimals: `1,234`, `0.5`. @type {(value: number) => string} */
export function grouped(value) {
  const text = decimal(value, Number.isInteger(value) ? 0 : MOST_DECIMALS);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Formats a whole number with thousands separators. @param {number | null} value */
export function count(value) {
  return value === null ? '-' : decimal(Math.round(value), 0);
}

/**
 * Formats a number of things: `1 error`, `2,000 errors`.
 * @param {number} value
 * @param {string} noun in the singular
 */
export function counted(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Writes `1 of 1 iteration` or `2 of 300 iterations`. @type {(some: number, all: number, noun: string) => string} */
export function countedOf(some, all, noun) {
  return `${count(some)} of ${counted(all, noun)}`;
}

/** Lets a format write null as `-`. @type {(format: (value: number) => string) => (value: number | null) => string} */
export function orDash(format) {
  return (value) => (value === null ? '-' : format(value));
}

/** Formats milliseconds with three significant digits and no exponent. @param {number | null} value */
export function ms(value) {
  if (value === null) return '-';
  // The rounded value decides: 9.999 is 10.0, not 10.00
  const digits = [3, 2, 1].find((some) => Math.abs(Number(value.toFixed(some))) < 10 ** (3 - some)) ?? 0;
  return decimal(value, digits);
}

/**
 * A rate: whole from 1,000 on, with two decimals below 10, and with two digits below 0.01: `0.00028` is one per hour.
 * @param {number | null} value
 */
export function rate(value) {
  if (value === null) return '-';
  if (value > 0 && value < 0.01)
    return decimal(value, Math.min(MOST_DECIMALS_OF_SMALL_RATE, 1 - Math.floor(Math.log10(value))));
  // The rounded value decides, as above.
  const digits = Number(value.toFixed(2)) < 10 ? 2 : Number(value.toFixed(1)) < 1000 ? 1 : 0;
  return decimal(value, digits);
}

/** A share as a percentage: `0.5 %`; 0 % and 100 % only if it is none and the whole. @param {number} share */
export function percent(share) {
  const value = share * 100;
  if (value > 0 && value < 0.1) return '< 0.1 %';
  if (value > 99.9 && value < 100) return '> 99.9 %';
  const isNearEnd = (value > 0 && Number(value.toFixed(1)) < 10) || (value >= 99.5 && value < 100);
  return `${value.toFixed(isNearEnd ? 1 : 0)} %`;
}

export const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Bytes with a decimal unit: `1.5 MB`. @param {number} value */
export function bytes(value) {
  const numbers = BYTE_UNITS.map((_, i) => (value / 1000 ** i).toFixed(i === 0 ? 0 : 1));
  // The rounded value decides, as above.
  const last = BYTE_UNITS.length - 1;
  const step = numbers.findIndex((number, i) => Number(number) < 1000 || i === last);
  return `${numbers[step]} ${BYTE_UNITS[step]}`;
}

/**
 * The measured value of a threshold with its unit: `99.0 ms`, `8.00 %` of a share.
 * @param {number} value
 * @param {string} unit
 */
export function valueWithUnit(value, unit) {
  if (unit === 'ratio') return `${rate(value * 100)} %`;
  if (unit === 'B') return bytes(value);
  if (unit === '' && Number.isInteger(value)) return count(value);
  return `${unit === 'ms' ? ms(value) : rate(value)} ${unit}`.trim();
}

/**
 * A range, its ends by the same format: `18.2–24.4`; `≤ 24.4` if nothing is known about its low end.
 * @type {(range: { low: number, high: number }, format: (value: number) => string) => string}
 */
export function rangeText({ low, high }, format) {
  const [from, to] = [format(low), format(high)];
  if (low === 0) return `≤ ${to}`;
  return from === to ? to : `${from}–${to}`;
}

/** A range with its unit: `18.2–24.4 ms`. @type {(range: { low: number, high: number }, unit: string) => string} */
export function rangeWithUnit(range, unit) {
  const end = valueWithUnit(range.high, unit);
  const [, suffix = ''] = end.split(' ');
  return `${rangeText(range, (value) => valueWithUnit(value, unit).split(' ')[0])} ${suffix}`.trim();
}

/** Whole numbers with thousands separators, others with three digits. @type {(value: number | null) => string} */
export function number(value) {
  return value === null || Number.isInteger(value) ? count(value) : ms(value);
}

/** A long time in seconds: `0.43 s`, `60.1 s`. @param {number} value ms */
export function seconds(value) {
  const text = (value / 1000).toFixed(2);
  // The rounded value decides, as above.
  return `${Number(text) < 10 ? text : (value / 1000).toFixed(1)} s`;
}

/** A change as a signed percentage: `+1.5 %`. @param {number | null} share */
export function signed(share) {
  if (share === null) return '-';
  const value = share * 100;
  const digits = Math.abs(Number(value.toFixed(1))) < 1000 ? 1 : 0;
  const text = decimal(value, digits).replace(/^-(0\.0)$/, '$1');
  return `${Number(value.toFixed(1)) > 0 ? '+' : ''}${text} %`;
}

/**
 * The confidence interval of a change: `+1.5 % to +3.0 %`; empty if there is none.
 * @param {{ low: number | null, high: number | null } | null} ends
 */
export function interval(ends) {
  return ends === null || ends.low === null || ends.high === null ? '' : `${signed(ends.low)} to ${signed(ends.high)}`;
}

/**
 * The half of the confidence interval of a figure, behind its text: ` ± 0.9` behind `37.0`; both ends, ` (12.0–95.0)`,
 * of one that would lead below zero.
 * @param {string} text of the figure
 * @param {number} actual
 * @param {{ low: number, high: number }} ends of the interval
 * @param {(value: number) => string} format that of the figure: it may scale the value, such as to seconds, and adds no
 *   unit
 */
export function margin(text, actual, { low, high }, format) {
  const half = Math.max(high - actual, actual - low);
  if (half > 0 && half >= actual) return ` (${rangeText({ low, high }, format)})`;
  const scaled = numberOf(format(half));
  const decimals = (/\.(\d+)/.exec(text)?.[1] ?? '').length;
  const shown = decimal(scaled, decimals);
  // Zero would claim certainty: one significant digit in place of it.
  return ` ± ${scaled > 0 && numberOf(shown) === 0 ? String(Number(scaled.toPrecision(1))) : shown}`;
}

/** @type {(text: string) => number} */
function numberOf(text) {
  return Number(text.replaceAll(',', ''));
}
