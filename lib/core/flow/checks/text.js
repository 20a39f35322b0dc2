import { formatValue } from '../../text/format-value.js';
import { compileComparisons, compileExpected, refuseExpected } from '../comparisons.js';

/** @import { Literal, CheckEntry } from './types.js' */

/** @type {Literal} */
const CONTAINED = {
  check: (value) => typeof value === 'string' && value !== '',
  expected: 'a text that the body contains, a regular expression, or a comparison such as { contains: … }',
  compile: (value, context) => compileComparisons({ contains: value }, context),
};

/** @type {CheckEntry} */
export default {
  name: 'text',
  about: 'the body as text: a text that it contains, a regular expression, or comparisons',
  reads: 'body',
  type: 'string | RegExp | Comparisons',
  schema: { anyOf: [{ type: 'string', minLength: 1 }, { $ref: '#/$defs/comparisons' }] },
  check: (value) => value !== undefined,
  refuse: (value) => refuseExpected(value, CONTAINED),
  expected: CONTAINED.expected,

  compile(given, { mark }) {
    const compare = compileExpected(given, { mark, show: formatValue, isText: true }, CONTAINED);
    return [
      {
        name: 'text',
        check({ text }, scope) {
          const expected = compare(text, scope);
          return expected === null ? null : { expected, received: formatValue(text) };
        },
      },
    ];
  },
};
