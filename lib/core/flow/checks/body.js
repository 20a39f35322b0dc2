import { SHOWN_BYTES, formatValue } from '../../text/format-value.js';
import { compileTemplate, renderTemplate } from '../template.js';

/** @import { Mismatch } from '../../contracts/expectation.js' */
/** @import { CheckEntry } from './types.js' */

const EMPTY = Buffer.alloc(0);

/** @type {CheckEntry} */
export default {
  name: 'body',
  about: 'the whole body of the response, compared exactly',
  reads: 'body',
  type: 'string',
  schema: { type: 'string' },
  check: (value) => typeof value === 'string',
  expected: 'a string',

  compile(text, { mark }) {
    const template = compileTemplate(mark(text));
    const bytes = typeof template === 'string' ? Buffer.from(template) : null;
    return [
      {
        name: 'body',
        check({ body }, scope) {
          const expected = renderTemplate(template, scope);
          return (bytes ?? Buffer.from(expected)).equals(body ?? EMPTY) ? null : mismatch(expected, body);
        },
      },
    ];
  },
};

/** @type {(expected: string, body: Buffer | null) => Mismatch} */
function mismatch(expected, body) {
  const received = (body ?? EMPTY).toString('utf8', 0, SHOWN_BYTES);
  return { expected: formatValue(expected), received: formatValue(received) };
}
