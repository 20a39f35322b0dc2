import { count, decimal, ms } from '../ground/decimal.js';

export { count, counted, ms } from '../ground/decimal.js';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/**
 * A number of any kind: whole ones with thousands separators, others as {@link ms} has them.
 * @param {number | null} value
 */
export function number(value) {
  return value === null || Number.isInteger(value) ? count(value) : ms(value);
}

/** A rate: whole from 1,000 on, with two decimals below 10. @param {number | null} value */
export function rate(value) {
  if (value === null) return '-';
  // The rounded value decides, as above.
  const digits = Number(value.toFixed(2)) < 10 ? 2 : Number(value.toFixed(1)) < 1000 ? 1 : 0;
  return decimal(value, digits);
}

/** A long time in seconds: `0.43 s`, `60.1 s`. @param {number} value ms */
export function seconds(value) {
  return `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} s`;
}

/** Bytes with a decimal unit: `1.5 MB`. @param {number} value */
export function bytes(value) {
  const step = UNITS.findIndex((_, i) => Number((value / 1000 ** i).toFixed(1)) < 1000 || i === UNITS.length - 1);
  return step === 0 ? `${Math.round(value)} B` : `${(value / 1000 ** step).toFixed(1)} ${UNITS[step]}`;
}

/** A share as a percentage: `0.5 %`; 0 % and 100 % only if it is none and the whole. @param {number} share */
export function percent(share) {
  const value = share * 100;
  if (value > 0 && value < 0.1) return '< 0.1 %';
  if (value > 99.9 && value < 100) return '> 99.9 %';
  const isNearEnd = (value > 0 && Number(value.toFixed(1)) < 10) || (value >= 99.5 && value < 100);
  return `${value.toFixed(isNearEnd ? 1 : 0)} %`;
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
 * @param {number | null} low
 * @param {number | null} high
 */
export function interval(low, high) {
  return low === null || high === null ? '' : `${signed(low)} to ${signed(high)}`;
}

/**
 * The measured value of a threshold with its unit: `99.0 ms`, `8.00 %` of a share.
 * @param {{ actual: number | null, unit: string }} threshold one that was measured
 */
export function measured({ actual, unit }) {
  if (unit === 'ratio') return `${rate((actual ?? 0) * 100)} %`;
  if (unit === '' && Number.isInteger(actual)) return count(actual);
  return `${unit === 'ms' ? ms(actual) : rate(actual ?? 0)} ${unit}`.trim();
}
