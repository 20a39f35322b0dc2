import { escapeJson } from './escape.js';
import { maskText } from './mask.js';

/** @import { Reporter } from './types.js' */

/** @type {Reporter} */
export default {
  name: 'json',
  about: 'the result as one JSON document',
  extension: '.json',

  render(result) {
    return `${escapeJson(JSON.stringify(result, (_key, value) => (typeof value === 'string' ? maskText(value) : value), 2))}\n`;
  },
};
