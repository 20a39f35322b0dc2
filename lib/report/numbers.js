import { count, decimal, ms } from '../ground/decimal.js';

export { bytes, count, counted, decimal, measured, ms, percent, rate } from '../ground/decimal.js';

/** Whole ones with thousands separators, others as {@link ms} has them. @type {(value: number | null) => string} */
export function number(value) {
  return value === null || Number.isInteger(value) ? count(value) : ms(value);
}

/** A long time in seconds: `0.43 s`, `60.1 s`. @param {number} value ms */
export function seconds(value) {
  return `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} s`;
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
 * The half of the confidence interval of a figure, behind its text: ` ± 0.9` behind `37.0`.
 * @param {string} text of the figure
 * @param {number} actual
 * @param {{ low: number, high: number }} ends of the interval
 * @param {(value: number) => string} format
 */
export function margin(text, actual, { low, high }, format) {
  const half = Math.max(high - actual, actual - low);
  return ` ± ${marginText(half, { text, format })}`;
}

/**
 * With the decimals of the figure, or one significant digit.
 * @type {(half: number, figure: { text: string, format: (value: number) => string }) => string}
 */
function marginText(half, { text, format }) {
  const shown = format(half);
  const decimals = (/\.(\d+)/.exec(text)?.[1] ?? '').length;
  const scaled = Number(shown.replaceAll(',', ''));
  const own = decimal(scaled, decimals);
  return scaled > 0 && Number(own.replaceAll(',', '')) === 0 ? String(Number(scaled.toPrecision(1))) : own;
}
