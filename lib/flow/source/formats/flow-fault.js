/**
 * Names the type of a value that cannot be a flow: `a number`, `undefined`, `an instance of Map`.
 *
 * @param {unknown} value
 * @returns {string | undefined} undefined for a string, an array or a plain object
 */
export function flowFault(value) {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'function') return isClass(value) ? 'a class' : 'a function';
  if (typeof value === 'string' || Array.isArray(value)) return undefined;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  return `an instance of ${prototype.constructor?.name || 'a class'}`;
}

/** @type {(value: unknown) => boolean} */
export function isClass(value) {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}
