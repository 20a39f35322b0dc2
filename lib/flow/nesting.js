/** levels at which the values of a flow may lie in each other: more, and the stack would not hold them */
export const DEEPEST = 500;

/**
 * Whether the arrays and objects of a value lie in each other too deep. One that leads back to itself does not.
 *
 * @param {unknown} value
 * @returns {boolean}
 */
export function isTooDeep(value) {
  /** @type {Set<unknown>} */
  const seen = new Set();
  /** @type {(value: any, level: number) => boolean} */
  const reaches = (value, level) => {
    if (!isPlain(value) || seen.has(value)) return false;
    seen.add(value);
    return level > DEEPEST || Object.values(value).some((inner) => reaches(inner, level + 1));
  };
  return reaches(value, 1);
}

/**
 * Whether a value leads back to itself. Bytes and streams are not looked into.
 *
 * @param {any} value
 * @param {Set<unknown>} [above] values that hold it
 * @param {Set<unknown>} [cleared] values that are known not to
 * @returns {boolean}
 */
export function isEndless(value, above = new Set(), cleared = new Set()) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || typeof value.pipe === 'function')
    return false;
  if (above.has(value) || cleared.has(value)) return above.has(value);
  above.add(value);
  const found = Object.values(value).some((inner) => isEndless(inner, above, cleared));
  above.delete(value);
  cleared.add(value);
  return found;
}

/** @type {(value: unknown) => boolean} */
function isPlain(value) {
  return (
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && [null, Object.prototype].includes(Object.getPrototypeOf(value)))
  );
}
