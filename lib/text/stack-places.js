import { fileURLToPath } from 'node:url';

/** @typedef {{ file: string, line: number, column: number }} StackPlace */

/** characters of a stack: a program may have set it */
const LONGEST = 20_000;
const FRAME = /^\s+at (?:.* \()?(?:async )?((?:file:\/\/|\/|[a-z]:\\).*):(\d+):(\d+)\)?$/i;

/**
 * The places in files that a stack names, the innermost first.
 *
 * @param {unknown} stack of an error; anything else names none
 * @returns {StackPlace[]}
 */
export function placesIn(stack) {
  if (typeof stack !== 'string') return [];
  return stack
    .slice(0, LONGEST)
    .split('\n')
    .flatMap((text) => {
      const match = FRAME.exec(text);
      const file = match && pathOf(match[1]);
      return file ? [{ file, line: Number(match[2]), column: Number(match[3]) }] : [];
    });
}

/** @type {(name: string) => string | null} */
function pathOf(name) {
  if (!name.startsWith('file:')) return name;
  try {
    return fileURLToPath(name);
  } catch {
    // a program has written it
    return null;
  }
}
