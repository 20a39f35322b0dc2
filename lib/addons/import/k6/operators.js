import { isText, template } from './texts.js';
import { Fn, isPrimitive, Native, Sym, sym, unknown } from './values.js';

/** @import { Host } from './interpreter.js' */
/** @import { Node, Value } from './values.js' */

/** @type {Record<string, (a: any, b: any) => any>} */
export const BINARY = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
  '==': (a, b) => a == b, // eslint-disable-line eqeqeq -- as in the script
  '!=': (a, b) => a != b, // eslint-disable-line eqeqeq -- as in the script
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '|': (a, b) => a | b,
  '&': (a, b) => a & b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => a >>> b,
};

/** @type {Record<string, (a: any) => any>} */
const UNARY = {
  '!': (a) => !a,
  '-': (a) => -a,
  '+': (a) => (isPrimitive(a) ? Number(a) : NaN),
  '~': (a) => ~a,
  typeof: (a) => typeof a,
  void: () => undefined,
};

/** @type {(operator: string, left: Value, right: Value, node: Node) => Value} */
export function binary(operator, left, right, node) {
  if (operator === '+' && (isText(left) || isText(right))) return template([left, right], node);
  if (isPrimitive(left) && isPrimitive(right)) return BINARY[operator] ? BINARY[operator](left, right) : unknown(node);
  if (left instanceof Sym || right instanceof Sym) return sym('binary', { operator, left, right, node });
  if (/^[!=]==?$/.test(operator)) return (left === right) === operator.startsWith('=');
  return unknown(node);
}

/** @type {(operator: string, given: Value, node: Node, host: Host) => Value} */
export function unary(operator, given, node, host) {
  if (operator === 'typeof' && (given instanceof Fn || given instanceof Native)) return 'function';
  if (!(given instanceof Sym)) return UNARY[operator]?.(given);
  const known = operator === '!' ? truth(given, host) : undefined;
  return known === undefined ? sym('unary', { operator, argument: given, node }) : !known;
}

/**
 * Reports whether a condition holds; undefined: only a run knows.
 * @type {(value: Value, host: Host) => boolean | undefined}
 */
export function truth(value, host) {
  if (!(value instanceof Sym)) return (typeof value === 'object' && value !== null) || Boolean(value);
  const { type, operator, argument } = /** @type {any} */ (value);
  if (isUnset(value)) {
    host.unset(value, undefined);
    return false;
  }
  if (type === 'unary' && operator === '!') {
    const inner = truth(argument, host);
    return inner === undefined ? undefined : !inner;
  }
  if (type === 'template')
    return /** @type {any} */ (value).parts.some((/** @type {Value} */ one) => typeof one === 'string') || undefined;
  return type === 'binary' ? truthOfBinary(value, host) : ['response', 'row', 'rows'].includes(type) || undefined;
}

/** @type {(value: any, host: Host) => boolean | undefined} */
function truthOfBinary({ operator, left, right }, host) {
  const sides = [left, right].filter(isUnset);
  if (sides.length > 0) {
    const [a, b] = [left, right].map((one) => (isUnset(one) ? undefined : one));
    if ([a, b].some((one) => one instanceof Sym)) return undefined;
    host.unset(sides[0], undefined);
    return Boolean(BINARY[operator]?.(a, b));
  }
  // An expected status is known: with another one the iteration ends.
  const { draft, isGrpc } = left?.type === 'member' && left.key === 'status' ? (left.object ?? {}) : {};
  const status = isGrpc ? undefined : draft?.operation.expect?.status;
  return typeof status === 'number' && isPrimitive(right) ? Boolean(BINARY[operator]?.(status, right)) : undefined;
}

/** Reports whether a value is, or is made of, an unset environment variable. @type {(value: Value) => boolean} */
export function isUnset(value) {
  if (!(value instanceof Sym)) return false;
  const { type, args, argument, object: whole } = /** @type {any} */ (value);
  if (type === 'global')
    return /^(?:Number|parseInt|parseFloat|JSON\.parse)$/.test(/** @type {any} */ (value).name) && isUnset(args[0]);
  if (type === 'unary') return /** @type {any} */ (value).operator === '+' && isUnset(argument);
  if (type === 'parsed') return isUnset(/** @type {any} */ (value).value);
  return type === 'env' || (type === 'call' && isUnset(whole));
}
