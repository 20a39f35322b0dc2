import { maskedJson } from './masked-json.js';

/** @import { Reporter } from '../types.js' */

/** @type {Reporter} */
export default {
  name: 'json',
  about: 'the result as one JSON document',
  extension: '.json',
  isJson: true,

  render(result) {
    return `${maskedJson(result, 2)}\n`;
  },
};
