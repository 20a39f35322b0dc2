import { readCount, readMs, readRate } from '../../ground/units.js';
import { formatValue, typeName } from '../../text/format-value.js';
import { isSecretName } from '../../text/mask.js';

/**
 * One run option. Its types, schema, flags and documents are generated from this row.
 *
 * @typedef {object} RunOption
 * @property {string} name
 * @property {string} about help text: a lower-case phrase without a full stop
 * @property {string} type TypeScript type of what a program or a flow may give
 * @property {string} [parsed] type of the value that the run works with, if it differs
 * @property {Record<string, unknown> | null} schema JSON Schema; null if JSON cannot express it
 * @property {(value: any) => boolean} check
 * @property {string} expected completes "expected …, got …"
 * @property {(value: any) => string | undefined} [refuse] why a value cannot be used, in more words than `expected`
 * @property {(given: any) => any} [read] turns the text of a flag, or a text in a flow, into the value
 * @property {boolean} [readsAny] `read` accepts values of every type
 * @property {string} [flag] of the command, as commander writes it
 * @property {(text: string) => string | undefined} [refuseText] why the command does not take a text for its flag that
 *   could be read, but is likely to mean something else; a sentence without its full stop
 * @property {boolean} [repeatable] the flag may be given several times: the value is an array
 * @property {string} [env] environment variable that the command reads
 * @property {(value: any) => boolean} [needsCapability] whether this value needs an HTTP client with a capability of
 *   this name
 * @property {boolean} [isSecret] results do not show it
 * @property {(given: any) => unknown} [masked] the value as people and results see it, without the secrets in it
 * @property {string} [refusedInJob] why a job of Kubernetes cannot have it: completes "--start …"
 * @property {string} [refusedByAgents] why it cannot be sent to agents
 * @property {(weaker: any, stronger: any) => any} [merge] combines the values of two layers; default: the stronger one
 * @property {any} [default]
 * @property {any} [commandDefault] default of the command, if it differs
 */

/**
 * Explains why the option cannot have this value: `expected a whole number, got "x"`.
 * @type {(row: RunOption, given: unknown) => string}
 */
export function refusalOf({ name, expected, isSecret, refuse }, given) {
  const reason = refuse?.(given);
  if (reason) return reason;
  return `expected ${expected}, got ${isSecret || isSecretName(name) ? typeName(given) : formatValue(given)}`;
}

/**
 * Returns the flag for the other value of an option that is true or false (`--no-insecure` for `--insecure`,
 * `--keep-alive` for `--no-keep-alive`): the command line switches off options that a configuration file turns on.
 * Undefined for options of other types, or without a flag.
 * @type {(row: RunOption) => string | undefined}
 */
export function oppositeFlag({ type, flag }) {
  if (type !== 'boolean' || flag === undefined) return undefined;
  return flag.startsWith('--no-') ? flag.replace('--no-', '--') : flag.replace('--', '--no-');
}

/** Reads the value that the run works with; it is not checked yet. @type {(row: RunOption, given: any) => any} */
export function readOption({ read, readsAny }, given) {
  return read && (readsAny || typeof given === 'string' || Array.isArray(given)) ? read(given) : given;
}

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

/** Paths of files: one, or several. @satisfies {Partial<RunOption>} */
export const paths = {
  repeatable: true,
  type: 'string | string[]',
  parsed: 'string[]',
  schema: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  read: (/** @type {unknown} */ given) => [given].flat(),
  readsAny: true,
  check: (/** @type {unknown[]} */ v) => v.every((path) => typeof path === 'string' && path !== ''),
};
