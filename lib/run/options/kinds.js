import { readCount, readMs, readRate } from '../../units.js';

/** Parts that rows share: type, JSON Schema, reading of texts, valid values. */

export const count = {
  type: 'number | string',
  parsed: 'number',
  schema: { $ref: '#/$defs/count' },
  read: readCount,
  check: (/** @type {any} */ v) => Number.isSafeInteger(v) && v > 0,
  expected: 'a whole number from 1',
};

export const rate = {
  type: 'number | string',
  parsed: 'number',
  schema: { $ref: '#/$defs/rate' },
  read: readRate,
  check: (/** @type {any} */ v) => typeof v === 'number' && v > 0 && v <= 1e6,
  expected: 'a rate above 0, such as 500 or 30/m',
};

export const ms = {
  type: 'number | string',
  parsed: 'number',
  schema: { $ref: '#/$defs/time' },
  read: readMs,
  check: (/** @type {any} */ v) => typeof v === 'number' && Number.isFinite(v) && v >= 0,
  expected: 'milliseconds from 0',
};

/**
 * On the command line a time needs a unit: other tools mean seconds.
 *
 * @param {string} text
 * @returns {string | undefined} why it is refused
 */
export function refuseBareTime(text) {
  const [, number, rest = ''] = /^\s*(\d*\.?\d+)\s*(:.*)?$/.exec(text) ?? [];
  if (number === undefined || Number(number) === 0) return undefined;
  return `${number}s${rest} or ${number}ms${rest}? A time needs a unit`;
}

/**
 * A few milliseconds for a request are likely meant as seconds.
 *
 * @param {string} text
 * @returns {string | undefined} why it is refused
 */
export function refuseLikelySeconds(text) {
  return Number(text) < LIKELY_SECONDS ? refuseBareTime(text) : undefined;
}

const LIKELY_SECONDS = 100;

/** The body that other tools send, in a flag that means something else here. */
export const FILE_NAME = /\.(json|[mc]?js|txt|xml|ya?ml|html|csv|bin|dat)$/i;

export const flag = {
  type: 'boolean',
  schema: { type: 'boolean' },
  read: (/** @type {unknown} */ given) => (given === 'true' ? true : given === 'false' ? false : given),
  check: (/** @type {any} */ v) => typeof v === 'boolean',
  expected: 'true or false',
};

export const text = {
  type: 'string',
  schema: { type: 'string' },
  check: (/** @type {any} */ v) => typeof v === 'string',
  expected: 'a string',
};

/** Paths of files: one, or several. @satisfies {Partial<import('./row.js').RunOption>} */
export const paths = {
  repeatable: true,
  type: 'string | string[]',
  parsed: 'string[]',
  schema: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  read: (/** @type {unknown} */ given) => [given].flat(),
  readsAny: true,
  check: (/** @type {unknown[]} */ v) => v.every((path) => typeof path === 'string' && path !== ''),
};
