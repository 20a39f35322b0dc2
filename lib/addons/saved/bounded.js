/** Bytes of the text of a result, and values in it: 1,000 operations with ten statuses each need a third of them. */
export const MAX_RESULT_BYTES = 64 * 1024 * 1024;
export const MAX_RESULT_VALUES = 500_000;

const [COMMA, BRACKET, BRACE] = [...',[{'].map((one) => one.charCodeAt(0));

/**
 * Parses JSON of another machine, whose values may take a hundred times the memory of its text: `[],` is an array of 16
 * bytes and more.
 * @throws {Error} it may have more values, or is not JSON
 * @type {(bytes: Buffer, mostValues: number) => unknown}
 */
export function parseBounded(bytes, mostValues) {
  if (hasMoreValues(bytes, mostValues)) throw new Error('it has too many values');
  return JSON.parse(bytes.toString());
}

/** Each follows one of three characters. @type {(bytes: Uint8Array, most: number) => boolean} */
export function hasMoreValues(bytes, most) {
  // A value and the character before it have two bytes.
  if (bytes.length <= 2 * most) return false;
  let left = most - 1;
  for (let i = 0; i < bytes.length && left >= 0; i++) {
    const byte = bytes[i];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) left--;
  }
  return left < 0;
}
