/**
 * The value at a path, undefined if there is none.
 * @type {(object: object, path: string) => any}
 */
export function valueAt(object, path) {
  return path.split('.').reduce((/** @type {any} */ value, key) => value?.[key], object);
}

/**
 * Sets the value at a path.
 * @type {(object: object, path: string, value: unknown) => void}
 */
export function setAt(object, path, value) {
  const keys = path.split('.');
  const last = /** @type {string} */ (keys.pop());
  const parent = keys.reduce((/** @type {any} */ at, key) => (at[key] ??= {}), object);
  parent[last] = value;
}
