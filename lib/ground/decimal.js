/** `Intl` and `toLocaleString` load the data of languages first: 30 ms of CPU in each thread, a tenth of a start. */
const EVERY_THREE = /\B(?=(\d{3})+$)/g;
/** From here on `toFixed` writes an exponent. */
const EXPONENT = 1e21;
const MOST_DECIMALS = 3;

/**
 * Formats a number with thousands separators and 0 to 100 decimals: `1,234.50`.
 * @type {(value: number, decimals: number) => string}
 */
export function decimal(value, decimals) {
  if (!Number.isFinite(value)) return String(value).replace('Infinity', '∞');
  const text = Math.abs(value) < EXPONENT ? value.toFixed(decimals) : `${BigInt(value)}.${'0'.repeat(decimals)}`;
  const [whole, fraction] = text.split('.');
  return whole.replace(EVERY_THREE, ',') + (fraction ? `.${fraction}` : '');
}

/**
 * Formats a number with thousands separators and as many decimals as it has, at most three: `1,234`, `0.5`.
 * @type {(value: number) => string}
 */
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

/** Formats milliseconds with three significant digits and no exponent. @param {number | null} value */
export function ms(value) {
  if (value === null) return '-';
  // The rounded value decides: 9.999 is 10.0, not 10.00
  const digits = [3, 2, 1].find((some) => Number(value.toFixed(some)) < 10 ** (3 - some)) ?? 0;
  return decimal(value, digits);
}
