/**
 * Reads a count: `1000`, `10k`, `1.5m`, `1e3`.
 *
 * @param {string | number} text
 * @returns {number} a whole number from 0 to 2^53 - 1, NaN for anything else
 */
export function readCount(text) {
  const match = /^\s*(\d+(?:\.\d+)?(?:e\d+)?)([km]?)\s*$/i.exec(String(text));
  if (!match) return NaN;
  const value = Number(match[1]) * COUNT[match[2].toLowerCase()];
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-6 && Number.isSafeInteger(whole) ? whole : NaN;
}

/** @type {Record<string, number>} */
const COUNT = { '': 1, k: 1e3, m: 1e6 };

/**
 * Reads a length of time: `500` and `500ms` are milliseconds, `30s`, `2m`, `1h`.
 *
 * @param {string | number} text
 * @returns {number} milliseconds, NaN for anything else
 */
export function readMs(text) {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h)?\s*$/.exec(String(text));
  return match ? Number(match[1]) * MS[match[2] ?? 'ms'] : NaN;
}

/** @type {Record<string, number>} */
const MS = { ms: 1, s: 1e3, m: 6e4, h: 3.6e6 };
