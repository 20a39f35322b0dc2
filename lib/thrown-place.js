import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { codeFrame } from './text/code-frame.js';

const LIBRARY = new URL('.', import.meta.url).href;
/** `at report (file:///x/flow.mjs:3:7)` and `at /x/flow.cjs:3:7` */
const FRAME = /^\s+at (?:.*?\()?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;

/**
 * Finds where code of a flow threw an error: the first frame of its stack that is neither Node nor bench-rest nor a package.
 *
 * @param {unknown} thrown
 * @returns {string | null} `/x/flow.mjs:3:7`, and the line with a caret, if it can be read
 */
export function placeThrown(thrown) {
  const { stack } = /** @type {{ stack?: unknown }} */ (thrown ?? {});
  for (const line of typeof stack === 'string' ? stack.split('\n') : []) {
    const match = FRAME.exec(line);
    if (!match || !isOfUser(match[1])) continue;
    const [, name, row, column] = match;
    const file = name.startsWith('file:') ? fileURLToPath(name) : name;
    const code = lineOf(file, Number(row));
    return `${file}:${row}:${column}${code === null ? '' : `\n${codeFrame(code, Number(column))}`}`;
  }
  return null;
}

/** @type {(name: string) => boolean} */
function isOfUser(name) {
  const own = name.startsWith('file:') ? LIBRARY : fileURLToPath(LIBRARY);
  return !name.startsWith(own) && !/[\\/]node_modules[\\/]/.test(name);
}

/** @type {(file: string, row: number) => string | null} */
function lineOf(file, row) {
  try {
    return readFileSync(file, 'utf8').split(/\r\n|\n|\r/)[row - 1] ?? null;
  } catch {
    // the source is gone, or was never a file: the position remains
    return null;
  }
}
