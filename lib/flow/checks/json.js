import { formatValue } from '../../text/format-value.js';
import { isSecretName, maskAll } from '../../text/mask.js';
import { isPlainObject } from '../nesting.js';
import { compileJsonPath } from '../json-path.js';
import { EQUAL, compileExpected, refuseExpected } from './expected.js';

/**
 * @import { Comparison } from '../comparisons.js'
 * @import { JsonPath } from '../json-path.js'
 * @import { Scope } from '../types.js'
 * @import { CheckEntry, Mismatch } from './types.js'
 */

/** @type {CheckEntry} */
export default {
  name: 'json',
  about:
    'values of the body by JSONPath (RFC 9535), each compared with a JSON value, with a regular expression, or by comparisons',
  reads: 'body',
  type: 'Record<string, unknown>',
  schema: {
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: '^\\$' },
    additionalProperties: {
      anyOf: [{ type: ['string', 'number', 'boolean', 'null', 'array'] }, { $ref: '#/$defs/comparisons' }],
    },
  },
  check: (value) => isPlainObject(value) && Object.keys(value).length > 0,
  expected: "an object such as { '$.id': 5 }",

  refuse: (values) =>
    Object.entries(values).flatMap(([path, given]) =>
      path.startsWith('$')
        ? refuseExpected(given, EQUAL, placeOf(path))
        : [{ at: placeOf(path), reason: `is no JSONPath, which begins with $: write $.${path}` }],
    ),

  compile: (values, { mark, complain }) =>
    Object.entries(values).flatMap(([text, given]) => {
      const at = placeOf(text);
      const path = pathOf(text, (reason) => complain(reason, at));
      if (path === null) return [];
      const show = (text.match(/[\w-]+/g) ?? []).some(isSecretName) ? maskAll : formatValue;
      const compare = compileExpected(given, { mark: (part, place) => mark(part, place, at), show }, EQUAL);
      return [
        {
          name: text,
          at,
          check({ json }, scope) {
            if (json.fault !== null) return { expected: 'JSON', received: json.fault };
            return path.isSingular
              ? compared(path.first(json.value), compare, scope, show)
              : allCompared(path.all(json.value), compare, scope, show);
          },
        },
      ];
    }),
};

/** @type {(path: string) => string} */
function placeOf(path) {
  return `[${JSON.stringify(path)}]`;
}

/** @type {(text: string, complain: (reason: string) => void) => JsonPath | null} */
function pathOf(text, complain) {
  try {
    return compileJsonPath(text);
  } catch (error) {
    complain(`the path ${/** @type {Error} */ (error).message}`);
    return null;
  }
}

/** @type {(value: unknown, compare: Comparison, scope: Scope, show: (value: unknown) => string) => Mismatch | null} */
function compared(value, compare, scope, show) {
  const expected = compare(value, scope);
  return expected === null ? null : { expected, received: value === undefined ? 'nothing' : show(value) };
}

/** All values that a path finds must pass, and there must be one. @type {(values: unknown[], compare: Comparison, scope: Scope, show: (value: unknown) => string) => Mismatch | null} */
function allCompared(values, compare, scope, show) {
  if (values.length === 0) return compared(undefined, compare, scope, show);
  for (const value of values) {
    const mismatch = compared(value, compare, scope, show);
    if (mismatch !== null) return mismatch;
  }
  return null;
}
