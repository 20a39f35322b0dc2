/**
 * The number of characters of a text, of which a pair of surrogates is one, or of items of an array.
 *
 * @param {unknown} value
 * @returns {number | undefined} undefined for another value
 */
export function lengthOf(value) {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'string') return undefined;
  let pairs = 0;
  for (let i = 1; i < value.length; i++) if (isPair(value.charCodeAt(i - 1), value.charCodeAt(i))) pairs++;
  return value.length - pairs;
}

/** @type {(first: number, second: number) => boolean} */
function isPair(first, second) {
  return (first & 0xfc00) === 0xd800 && (second & 0xfc00) === 0xdc00;
}
