/**
 * Reports whether a value is equal to one of the flow, as JSON: the order of properties does not matter. Recursion ends where
 * the flow's own value ends.
 *
 * @param {any} value
 * @param {any} wanted
 * @returns {boolean}
 */
export function isSame(value, wanted) {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(wanted)) return false;
  const keys = Object.keys(wanted);
  return (
    keys.length === Object.keys(value).length &&
    keys.every((key) => Object.hasOwn(value, key) && isSame(value[key], wanted[key]))
  );
}

/**
 * The first item of an array that is equal to an earlier one, in linear time.
 *
 * @param {unknown[]} items
 * @returns {number} its position; -1 if all differ
 */
export function firstDuplicate(items) {
  const simple = new Set();
  const texts = new Set();
  return items.findIndex((item) => {
    const isSimple = typeof item !== 'object' || item === null;
    const seen = isSimple ? simple : texts;
    const key = isSimple ? item : canonical(item);
    const isKnown = seen.has(key);
    seen.add(key);
    return isKnown;
  });
}

/** Equal values have equal texts. @type {(value: any) => string} */
function canonical(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const properties = Object.keys(value).sort();
  return `{${properties.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}
