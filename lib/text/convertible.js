/**
 * Lets all objects of a parsed document be written as text and compared with numbers, and returns the document. A
 * member named `toString` would be called in place of the method: `String(value)`, a template, `RegExp.test(value)`,
 * `<` and `-` throw a TypeError for `{ "toString": {} }`. With the method that is added here, which no copy has and no
 * reader of keys sees, such an object is converted as any other one.
 *
 * @type {<T>(document: T) => T}
 */
export function convertible(document) {
  /** @type {unknown[]} */
  const open = [document];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    if (Object.hasOwn(value, 'toString')) Object.defineProperty(value, Symbol.toPrimitive, { value: asText });
    for (const inner of Object.values(value)) if (typeof inner === 'object') open.push(inner);
  }
  return document;
}

/** A number is made of it, too, which is NaN. @type {() => string} */
function asText() {
  return '[object Object]';
}
