import { maskText } from './mask.js';

/** @import { Reporter } from './types.js' */

/** @type {Reporter} */
export default {
  name: 'json',
  about: 'the stats as one JSON document',

  render(stats) {
    return `${JSON.stringify(stats, (_key, value) => (typeof value === 'string' ? maskText(value) : value), 2)}\n`;
  },
};
