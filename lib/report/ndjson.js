import { maskedJson } from './masked-json.js';

/** @import { Reporter } from './types.js' */

/** @type {Reporter} */
export default {
  name: 'ndjson',
  about: 'a line of JSON for each second, then one for the result',
  extension: '.ndjson',
  // samples come as they are made; what is left at the end is the result
  render: (result) => line('result', result),
};

/** @type {(type: 'sample' | 'result', value: object) => string} */
export function line(type, value) {
  return `${maskedJson({ type, ...value })}\n`;
}
