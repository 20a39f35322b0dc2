/**
 * Reports whether a value stands for nothing in programs: `user && { user }`, a field of a form left empty.
 *
 * @param {unknown} value
 * @returns {boolean}
 */
export function isEmpty(value) {
  return value === null || value === undefined || value === false || value === 0 || value === '' || Number.isNaN(value);
}
