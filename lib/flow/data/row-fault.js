/** @import { Table } from './types.js' */

/** Why rows cannot be read: found at an offset of their bytes. */
export class RowFault extends Error {
  /**
   * @param {string} reason what is wrong and what to do
   * @param {number} offset
   */
  constructor(reason, offset) {
    super(reason);
    this.offset = offset;
  }
}

/**
 * @param {Pick<Table, 'format' | 'from' | 'bytes'>} table
 * @param {number} offset
 * @returns {string} the line of a file, or the row of the flow: `users.csv:17`, `flow.data.users[16]`
 */
export function placeOf({ format, from, bytes }, offset) {
  const line = lineAt(bytes, offset);
  return format === 'rows' ? `${from}[${line - 1}]` : `${from}:${line}`;
}

/** @type {(bytes: Uint8Array, offset: number) => number} */
function lineAt(bytes, offset) {
  let line = 1;
  for (let i = 0; i < offset; i++) if (bytes[i] === LF || (bytes[i] === CR && bytes[i + 1] !== LF)) line++;
  return line;
}

const LF = 10;
const CR = 13;
