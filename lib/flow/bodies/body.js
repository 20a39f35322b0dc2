import { textContent } from './text-content.js';

/** @import { BodyEntry } from './types.js' */

/** @type {BodyEntry} */
export default {
  name: 'body',
  about: 'request body: text, or a Buffer',
  type: 'string | Uint8Array',
  check: (value) => typeof value === 'string' || value instanceof Uint8Array,
  expected: 'a string or a Buffer (for an object use json)',
  schema: { type: 'string' },

  compile(value, { mark }) {
    const content = typeof value === 'string' ? textContent(mark(value, 'body')) : Buffer.from(value);
    return { contentType: null, content };
  },
};
