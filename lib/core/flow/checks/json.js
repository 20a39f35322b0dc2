import { createRequire } from 'node:module';

import { formatValue } from '../../text/format-value.js';
import { isSecretName, maskAll } from '../../text/mask.js';
import { EQUAL, compileExpected, placeOf, refuseExpected } from '../comparisons.js';
import { isPlainObject } from '../record.js';
import { hasTokenInPattern } from '../tokens/index.js';

/** @import { Mismatch } from '../../contracts/expectation.js' */
/** @import { Scope } from '../../contracts/step.js' */
/** @import { Compare } from '../types.js' */
/** @import { CheckEntry } from './types.js' */

const requireHere = createRequire(import.meta.url);

/** It is loaded when it is first used. @type {typeof import('../json-path.js').compileJsonPath} */
export const compileJsonPath = (path) => requireHere('../json-path.js').compileJsonPath(path);

/** @type {CheckEntry} */
export default {
  name: 'json',
  about:
    'values of the body by JSONPath (RFC 9535), each compared with a JSON value, with a regular expression, or by comparisons',
  reads: 'body',
  type: 'Record<string, string | number | boolean | null | unknown[] | RegExp | Comparisons>',
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
    Object.entries(values).flatMap(([path, given]) => {
      const reason = refusePath(path);
      return [...(reason ? [{ at: placeOf(path), reason }] : []), ...refuseExpected(given, EQUAL, placeOf(path))];
    }),

  compile: (values, { mark }) =>
    Object.entries(values).map(([text, given]) => {
      const at = placeOf(text);
      const path = compileJsonPath(text);
      const show = hasSecretName(text) ? maskAll : formatValue;
      const isAbsence = isPlainObject(given) && given.exists === false;
      const compare = compileExpected(given, { mark: (part, place) => mark(part, place, at), show }, EQUAL);
      return {
        name: text,
        at,
        check({ json }, scope) {
          if (json.fault !== null) return { expected: 'JSON', received: json.fault };
          return path.isSingular
            ? compared(path.first(json.value), compare, scope, show)
            : allCompared(path.all(json.value), compare, scope, { show, isAbsence });
        },
      };
    }),
};

/** @type {(path: string) => string | undefined} */
function refusePath(path) {
  if (hasTokenInPattern(path)) return 'has a token, and tokens are not replaced in a path';
  return pathFault(path);
}

/** Explains why a text cannot be used as a JSONPath. @type {(path: string) => string | undefined} */
export function pathFault(path) {
  try {
    compileJsonPath(path);
    return undefined;
  } catch (error) {
    return `the path ${/** @type {Error} */ (error).message}`;
  }
}

/** @type {(path: string) => boolean} */
export function hasSecretName(path) {
  return (path.match(/[\w-]+/g) ?? []).some(isSecretName);
}

/** @type {(value: unknown, compare: Compare, scope: Scope, show: (value: unknown) => string) => Mismatch | null} */
function compared(value, compare, scope, show) {
  const expected = compare(value, scope);
  return expected === null ? null : { expected, received: value === undefined ? 'nothing' : show(value) };
}

/**
 * All values that a path finds must pass, and it must find one, unless `exists: false` expects none.
 * @type {(values: unknown[], compare: Compare, scope: Scope, expected: { show: (value: unknown) => string,
 *   isAbsence: boolean }) => Mismatch | null}
 */
function allCompared(values, compare, scope, { show, isAbsence }) {
  if (values.length === 0) {
    const mismatch = compared(undefined, compare, scope, show);
    return mismatch ?? (isAbsence ? null : { expected: 'at least one value', received: 'nothing' });
  }
  for (const value of values) {
    const mismatch = compared(value, compare, scope, show);
    if (mismatch !== null) return mismatch;
  }
  return null;
}
