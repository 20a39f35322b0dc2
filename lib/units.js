/**
 * Reads a count: `1000`, `10k`, `1.5m`, `1e3`.
 *
 * @param {string | number} text
 * @returns {number} a whole number from 0 to 2^53 - 1, NaN for anything else
 */
export function readCount(text) {
  const match = /^(\d+(?:\.\d+)?(?:e\d+)?)([km]?)$/i.exec(trimmed(text));
  if (!match) return NaN;
  const value = Number(match[1]) * COUNT[match[2].toLowerCase()];
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-6 && Number.isSafeInteger(whole) ? whole : NaN;
}

/** @type {Record<string, number>} */
const COUNT = { '': 1, k: 1e3, m: 1e6 };

/**
 * Reads a duration: `500` and `500ms` are milliseconds, `30s`, `2m`, `1h`.
 *
 * @param {string | number} text
 * @returns {number} milliseconds, NaN for anything else
 */
export function readMs(text) {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(trimmed(text));
  return match ? Number(match[1]) * MS[match[2] ?? 'ms'] : NaN;
}

/** @type {Record<string, number>} */
const MS = { ms: 1, s: 1e3, m: 6e4, h: 3.6e6 };

/**
 * Reads a duration, or a range of durations: `500`, `'2s'`, `[100, '1s']`, `'100,1s'`.
 *
 * @param {unknown} given
 * @returns {[from: number, to: number] | null} milliseconds; null for anything else
 */
export function readMsRange(given) {
  const bounds = typeof given === 'string' && given.includes(',') ? given.split(',') : given;
  const [from, to, ...others] = (Array.isArray(bounds) ? bounds : [bounds, bounds]).map((one) => readMs(one));
  return from <= to && others.length === 0 ? [from, to] : null;
}

/**
 * Formats a duration exactly, in the largest unit that fits: `500 ms`, `1.5 s`, `2 m`.
 *
 * @param {number} ms
 * @returns {string}
 */
export function writeMs(ms) {
  const unit = ['h', 'm', 's'].find((name) => ms >= MS[name] && Number.isInteger((ms * 10) / MS[name])) ?? 'ms';
  return `${ms / MS[unit]} ${unit}`;
}

/**
 * Reads a rate: `500` and `500/s` are per second, `30/m`, `1/h`.
 *
 * @param {string | number} text
 * @returns {number} per second, NaN for anything else
 */
export function readRate(text) {
  const match = /^(\d+(?:\.\d+)?(?:e\d+)?)([km]?)\s*(?:\/\s*(s|m|h))?$/i.exec(trimmed(text));
  return match ? (Number(match[1]) * COUNT[match[2].toLowerCase()] * 1000) / MS[match[3]?.toLowerCase() ?? 's'] : NaN;
}

/**
 * Events per second over a time in milliseconds; 0 over no time.
 *
 * @param {number} count
 * @param {number} ms
 */
export function perSecond(count, ms) {
  return ms > 0 ? (count * 1000) / ms : 0;
}

/**
 * Reads a number or a percentage: `10`, `5%`.
 *
 * @param {string | number} text
 * @returns {{ count: number } | { share: number } | null} share: 0 to 1
 */
export function readLimit(text) {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(trimmed(text));
  if (percent) return Number(percent[1]) <= 100 ? { share: Number(percent[1]) / 100 } : null;
  const count = readCount(text);
  return count > 0 ? { count } : null;
}

/** Returns '' for anything but a string or a number. @type {(given: unknown) => string} */
function trimmed(given) {
  return typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
}
