import { JsonRows, jsonReader } from './json-rows.js';

/** @import { FeederFormat } from './types.js' */

const LF = 10;

/** @type {FeederFormat} */
export default {
  name: 'ndjson',
  about: 'a JSON object per line',
  extensions: ['.ndjson', '.jsonl'],
  options: [],

  index(bytes) {
    const rows = new JsonRows(bytes);
    for (let from = 0; from < bytes.length;) {
      const end = bytes.indexOf(LF, from);
      const to = end < 0 ? bytes.length : end;
      if (!isBlank(bytes, from, to)) rows.add(from, to);
      from = to + 1;
    }
    return rows.toIndex();
  },

  reader: jsonReader,
};

/** @type {(bytes: Buffer, from: number, to: number) => boolean} */
function isBlank(bytes, from, to) {
  for (let at = from; at < to; at++) if (bytes[at] > 32) return false;
  return true;
}
