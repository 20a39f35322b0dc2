import { nearestOrAll } from '../../../core/ground/problems.js';
import { formatValue } from '../../../core/text/format-value.js';
import { Placeholder } from '../../../core/flow/placeholder.js';
import { isObject } from '../../../core/flow/record.js';
import { hasToken } from '../../../core/flow/tokens/index.js';
import { fieldNamed, isMessage, nameOf } from './json-mapping.js';
import { wellKnown } from './well-known.js';

/** @import { Enum, Field, Type } from 'protobufjs' */
/** @import { Refusal } from '../../../core/flow/checks/types.js' */

/** Whole numbers of a size: 64 bits are safe as texts alone. */
const wholeOf = (/** @type {string} */ name) => {
  const isUnsigned = /^(?:u|fixed)/.test(name);
  const least = isUnsigned ? 0 : name.endsWith('32') ? -(2 ** 31) : Number.MIN_SAFE_INTEGER;
  const most = name.endsWith('32') ? (isUnsigned ? 2 ** 32 - 1 : 2 ** 31 - 1) : Number.MAX_SAFE_INTEGER;
  return {
    expected: name.endsWith('32')
      ? `a whole number from ${least} to ${most}`
      : 'a whole number, or its digits as a text',
    check: (/** @type {unknown} */ value) => isWhole(value, least, most),
  };
};
const NUMBER = { expected: 'a number', check: isNumber };

/** @typedef {{ expected: string, check: (value: any) => boolean }} Scalar */

/** The scalar types of Protocol Buffers. @type {Record<string, Scalar>} */
const SCALARS = {
  ...Object.fromEntries(
    ['int32', 'sint32', 'uint32', 'fixed32', 'sfixed32', 'int64', 'sint64', 'uint64', 'fixed64', 'sfixed64'].map(
      (name) => [name, wholeOf(name)],
    ),
  ),
  double: NUMBER,
  float: NUMBER,
  bool: { expected: 'true or false', check: (value) => typeof value === 'boolean' },
  string: { expected: 'a text', check: (value) => typeof value === 'string' },
  bytes: { expected: 'a Buffer, or a text in base64', check: isBytes },
};

/** Tokens and functions may have any value. @type {(value: unknown, type: Type, at?: string) => Refusal[]} */
export function refuseMessage(value, type, at = '') {
  if (isOpen(value)) return [];
  const special = wellKnown(type);
  if (special !== null && special.check(value)) return [];
  if (special !== null || !isObject(value) || Array.isArray(value))
    return [
      { at, reason: `expected ${special?.expected ?? 'an object'} (${nameOf(type)}), got ${formatValue(value)}` },
    ];
  return Object.entries(/** @type {object} */ (value)).flatMap(([name, given]) => {
    const field = fieldNamed(type, name);
    const place = `${at}.${name}`;
    if (field !== undefined) return given === null || given === undefined ? [] : refuseField(given, field, place);
    const names = type.fieldsArray.map((one) => /** @type {any} */ (one).protoName ?? one.name);
    const known = names.length === 0 ? ': it has no fields' : nearestOrAll(name, names);
    return [{ at: place, reason: `${nameOf(type)} has no such field${known}` }];
  });
}

/** @type {(value: any, field: Field, at: string) => Refusal[]} */
function refuseField(value, field, at) {
  if (isOpen(value)) return [];
  if (field.repeated) {
    if (!Array.isArray(value)) return [{ at, reason: `expected a list, got ${formatValue(value)}` }];
    return value.flatMap((one, i) => refuseOne(one, field, `${at}[${i}]`));
  }
  if (!field.map) return refuseOne(value, field, at);
  if (!isObject(value) || Array.isArray(value))
    return [{ at, reason: `expected an object, got ${formatValue(value)}` }];
  return Object.entries(value).flatMap(([key, one]) => refuseOne(one, field, `${at}.${key}`));
}

/** @type {(value: any, field: Field, at: string) => Refusal[]} */
function refuseOne(value, { resolvedType, type }, at) {
  if (isOpen(value)) return [];
  if (isMessage(resolvedType)) return refuseMessage(value, resolvedType, at);
  const { expected, check } = resolvedType === null ? SCALARS[type] : memberOf(resolvedType);
  return check(value) ? [] : [{ at, reason: `expected ${expected} (${type}), got ${formatValue(value)}` }];
}

/** @type {(type: Enum) => Scalar} */
function memberOf({ values }) {
  return {
    expected: `one of ${Object.keys(values).join(', ')}`,
    check: (value) => Number.isInteger(value) || Object.hasOwn(values, String(value)),
  };
}

/** Known only when it is sent. @type {(value: unknown) => boolean} */
function isOpen(value) {
  return value instanceof Placeholder || typeof value === 'function' || (typeof value === 'string' && hasToken(value));
}

/** @type {(value: unknown, least: number, most: number) => boolean} */
function isWhole(value, least, most) {
  if (typeof value === 'string')
    return /^-?\d{1,20}$/.test(value) && (most > 2 ** 32 || isWhole(Number(value), least, most));
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

/** @type {(value: unknown) => boolean} */
function isNumber(value) {
  return typeof value === 'number' || (typeof value === 'string' && value !== '' && !Number.isNaN(Number(value)));
}

/** @type {(value: unknown) => boolean} */
function isBytes(value) {
  // As it is, or as JSON has it
  const isBuffer = Buffer.isBuffer(value) || (isObject(value) && /** @type {any} */ (value).type === 'Buffer');
  return isBuffer || (typeof value === 'string' && /^[\w+/-]*={0,2}$/.test(value));
}
