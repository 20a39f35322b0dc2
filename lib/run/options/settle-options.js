import { isEmpty } from '../../flow/empty.js';
import { RUN_OPTIONS } from './index.js';
import { readOption } from './row.js';

/** Options of 1.2.4 that are numbers. */
const NUMBERS = ['limit', 'iterations', 'prealloc', 'progress'];

/** Options of 1.2.4 for which 0 stands for nothing. */
const TEXTS = ['user', 'password'];

/**
 * Gives the options of a program the one meaning that they had for 1.2.4: values that stand for nothing are removed, numbers are
 * converted, and of more virtual users or rendered requests than iterations the others have nothing to do.
 *
 * @param {Record<string, any>} given
 * @returns {Record<string, any>}
 */
export function settleOptions(given) {
  /** @type {Record<string, any>} */
  const options = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, settledValue(name, value)]));
  const { limit, iterations } = options;
  const areNumbers = typeof limit === 'number' && typeof iterations === 'number';
  if (areNumbers && limit > MOST_USERS && iterations > 0 && iterations <= MOST_USERS)
    options.limit = Math.ceil(iterations);
  if (options.prealloc > iterations) options.prealloc = Math.ceil(iterations);
  return options;
}

/** Texts that are never empty. */
const ALSO_EMPTY = ['baseUrl', 'socketPath', 'thresholds'];

/** More are refused. */
const MOST_USERS = 100_000;

/** @type {(name: string, value: any) => unknown} */
function settledValue(name, value) {
  const row = RUN_OPTIONS.find((one) => one.name === name);
  if (NUMBERS.includes(name)) {
    const number = likeNumber(value);
    if (number !== null) return number;
  }
  if (TEXTS.includes(name) && typeof value === 'number' && !value) return undefined;
  const isNothing = value === 0 ? row?.type === 'boolean' : isEmpty(value);
  if (!row || !isNothing || (row.check(readOption(row, value)) && !ALSO_EMPTY.includes(name))) return value;
  return undefined;
}

/** What JavaScript converts to a whole number: `true`, `[3]`, `'0x3'`. Other texts have their own notation. @type {(value: unknown) => number | null} */
function likeNumber(value) {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const isConverted = only === true || /^\s*0[xob]/i.test(String(typeof only === 'string' ? only : ''));
  const isListed = only !== value && ['number', 'string'].includes(typeof only) && only !== '';
  return (isConverted || isListed) && Number.isSafeInteger(Number(only)) ? Number(only) : null;
}
