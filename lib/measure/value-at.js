/**
 * The value at a path, undefined if there is none.
 *
 * @param {object} object
 * @param {string} path
 * @returns {any}
 */
export function valueAt(object, path) {
  return path.split('.').reduce((/** @type {any} */ value, key) => value?.[key], object);
}

/**
 * Sets the value at a path.
 *
 * @param {object} object
 * @param {string} path
 * @param {unknown} value
 */
export function setAt(object, path, value) {
  const keys = path.split('.');
  const last = /** @type {string} */ (keys.pop());
  const parent = keys.reduce((/** @type {any} */ at, key) => (at[key] ??= {}), object);
  parent[last] = value;
}
