import { maskedJson } from './masked-json.js';

/** @import { Reporter } from '../types.js' */

/** @type {Reporter} */
export default {
  name: 'ndjson',
  about: 'a line of JSON for each second, then one for the result',
  extension: '.ndjson',
  isJson: true,
  // the samples were written during the run
  render: (result) => line('result', result),
};

/**
 * A line of the format.
 *
 * @param {'sample' | 'result'} type
 * @param {object} value
 */
export function line(type, value) {
  return `${maskedJson({ type, ...value })}\n`;
}
