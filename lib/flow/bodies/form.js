import { encodePairs } from '../encode-pairs.js';
import { isRecord } from '../record.js';
import { textContent } from './text-content.js';

/** @import { BodyEntry } from './types.js' */

const TYPE = 'application/x-www-form-urlencoded';

/** @type {BodyEntry} */
export default {
  name: 'form',
  about: 'request body, sent as application/x-www-form-urlencoded',
  type: 'Computed<Record<string, unknown> | string>',
  check: (value) => isRecord(value) || typeof value === 'string',
  expected: 'a plain object or a string',
  blank: '',
  schema: { oneOf: [{ type: 'object' }, { type: 'string' }] },

  compile(value, { mark, givenType = '' }) {
    const marked = typeof value === 'string' ? mark(value, 'form') : encodePairs(value, 'form', mark);
    const isOfForm = givenType.toLowerCase().startsWith(TYPE);
    return { contentType: TYPE, overridesHeaders: !isOfForm, content: textContent(marked) };
  },
};
