import { encodePairs } from '../encode-pairs.js';
import { isRecord } from '../record.js';
import { textContent } from './text-content.js';

/** @import { BodyEntry } from './types.js' */

/** @type {BodyEntry} */
export default {
  name: 'form',
  about: 'request body, sent as application/x-www-form-urlencoded',
  type: 'Computed<Record<string, unknown> | string>',
  check: (value) => isRecord(value) || typeof value === 'string',
  expected: 'a plain object or a string',
  blank: '',
  schema: { oneOf: [{ type: 'object' }, { type: 'string' }] },

  compile(value, { mark }) {
    const marked = typeof value === 'string' ? mark(value, 'form') : encodePairs(value, 'form', mark);
    return { contentType: 'application/x-www-form-urlencoded', content: textContent(marked) };
  },
};
