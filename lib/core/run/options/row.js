import { readCount, readMs, readRate } from '../../ground/units.js';
import { formatValue, typeName } from '../../text/format-value.js';
import { isSecretName } from '../../text/mask.js';

/** @import { RunOption } from './types.js' */

/** Refuses a value: `expected a whole number, got "x"`. @type {(row: RunOption, given: unknown) => string} */
export function refusalOf({ name, expected, isSecret, refuse }, given) {
  const reason = refuse?.(given);
  if (reason) return reason;
  return `expected ${expected}, got ${isSecret || isSecretName(name) ? typeName(given) : formatValue(given)}`;
}

/**
 * Returns the flag for the other value of an option that is true or false (`--no-insecure` for `--insecure`,
 * `--keep-alive` for `--no-keep-alive`): the command line switches off options that a configuration file turns on.
 * Undefined for options of other types, or whose flag has a value, or without a flag.
 * @type {(row: Partial<RunOption>) => string | undefined}
 */
export function oppositeFlag({ type, flag }) {
  if (flag === undefined || / [<[]/.test(flag) || !/^boolean\b/.test(type ?? '')) return undefined;
  return flag.startsWith('--no-') ? flag.replace('--no-', '--') : flag.replace('--', '--no-');
}

/** Returns the flag alone: `--http2` of `--http2 [mode]`. @type {(flag: string | undefined) => string | undefined} */
export function withoutArgument(flag) {
  return flag?.replace(/ [<[].*/, '');
}

/** Returns the short and the long flag of an option. @type {(row: { flag?: string }) => string[]} */
export function flagsOf({ flag = '' }) {
  return flag.split(/[ ,]+/).filter((word) => word.startsWith('-'));
}

/** Returns the long flag of an option, such as `--http2`; without one its name. @type {(row: RunOption) => string} */
export function longFlag({ name, flag = '' }) {
  return /--[\w-]+/.exec(flag)?.[0] ?? name;
}

/** Reads the value that the run works with; it is not checked yet. @type {(row: RunOption, given: any) => any} */
export function readOption({ read, readsAny }, given) {
  return read && (readsAny || typeof given === 'string' || Array.isArray(given)) ? read(given) : given;
}

/** Returns the text of a text, a number or a boolean; else an empty one. @type {(given: unknown) => string} */
export function textOf(given) {
  return ['string', 'number', 'boolean'].includes(typeof given) ? String(given) : '';
}

/** What an option does that only people decide on, see `reaches` of a row. */
export const RUNS_COMMAND = 'runs a command';

// What rows share is below: their type, JSON Schema, reading of texts, and valid values.

export const count = {
  type: 'number | string',
  parsed: 'number',
  schema: { $ref: '#/$defs/count' },
  read: readCount,
  check: (/** @type {any} */ v) => Number.isSafeInteger(v) && v > 0,
  expected: 'a whole number from 1',
};

/** The most virtual users of a run, and iterations per second. */
export const MOST_USERS = 100_000;
export const MOST_RATE = 1e6;

export const rate = {
  type: 'number | string',
  parsed: 'number',
  schema: { $ref: '#/$defs/rate' },
  read: readRate,
  check: (/** @type {any} */ v) => typeof v === 'number' && v > 0 && v <= MOST_RATE,
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

/** The name of a file: other tools read a body from one, by flags that mean something else here. */
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

/** One text, or several. @satisfies {Partial<RunOption>} */
export const texts = {
  repeatable: true,
  type: 'string | string[]',
  parsed: 'string[]',
  schema: { oneOf: [{ type: 'string' }, { type: 'array', minItems: 1, items: { type: 'string' } }] },
  read: (/** @type {unknown} */ given) => [given].flat(),
  readsAny: true,
  check: (/** @type {unknown} */ v) => Array.isArray(v) && v.length > 0 && v.every((one) => typeof one === 'string'),
};

/** Paths of files: one, or several. @satisfies {Partial<RunOption>} */
export const paths = {
  ...texts,
  schema: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  check: (/** @type {unknown} */ v) => Array.isArray(v) && v.every((path) => typeof path === 'string' && path !== ''),
};
