import { TOKEN as FIELD_NAME } from '../../http/field-values.js';
import { formatValue } from '../../text/format-value.js';
import { isSecretName, maskAll } from '../../text/mask.js';
import { compileExpected, placeOf, refuseExpected } from '../comparisons.js';
import { isPlainObject } from '../record.js';
import { compileTemplate, renderTemplate } from '../template.js';

/** @import { Scope } from '../../contracts/step.js' */
/** @import { Compare } from '../types.js' */
/** @import { Literal, CheckEntry } from './types.js' */
/** @import { MarkPart } from './index.js' */

/** A text in which `*` stands for any characters. A missing field does not match, not even `*`. @type {Literal} */
const WILDCARDS = {
  check: (value) => typeof value === 'string' || Number.isFinite(value),
  expected: 'a text, a regular expression, or a comparison such as { exists: true }',
  compile(value, { mark, show }) {
    const compare = compileWildcards(String(value), mark);
    return (received, scope) => {
      const wanted = compare(typeof received === 'string' ? received : '', scope);
      return wanted === null && received !== undefined ? null : show(wanted ?? value);
    };
  },
};

/** @type {CheckEntry} */
export default {
  name: 'headers',
  about:
    'header fields by name, each a text in which * stands for any characters, a regular expression, or comparisons',
  reads: 'head',
  type: 'Record<string, string | number | RegExp | Comparisons>',
  schema: {
    type: 'object',
    minProperties: 1,
    additionalProperties: { anyOf: [{ type: ['string', 'number'] }, { $ref: '#/$defs/comparisons' }] },
  },
  check: (value) => isPlainObject(value) && Object.keys(value).length > 0,
  expected: "an object such as { location: '/items/*' }",

  refuse: (fields) =>
    Object.entries(fields).flatMap(([name, given]) =>
      FIELD_NAME.test(name)
        ? refuseExpected(given, WILDCARDS, placeOf(name))
        : [{ at: placeOf(name), reason: 'is not the name of a header field' }],
    ),

  compile: (fields, { mark }) =>
    Object.entries(fields).map(([name, given]) => {
      const at = placeOf(name);
      const field = name.toLowerCase();
      const show = isSecretName(field) ? maskAll : formatValue;
      const compare = compileExpected(
        given,
        { mark: (text, place) => mark(text, place, at), show, isText: true },
        WILDCARDS,
      );
      return {
        name: `header ${field}`,
        at,
        check({ headers }, scope) {
          const value = Object.hasOwn(headers, field) ? headers[field] : undefined;
          const expected = Array.isArray(value) ? compareSeveral(value, compare, scope) : compare(value, scope);
          if (expected === null) return null;
          return { expected, received: value === undefined ? 'no such field' : show(value) };
        },
      };
    }),
};

/** One of several fields must pass. @type {(values: string[], compare: Compare, scope: any) => string | null} */
function compareSeveral(values, compare, scope) {
  let first = null;
  for (const value of values) {
    const expected = compare(value, scope);
    if (expected === null) return null;
    first ??= expected;
  }
  return first;
}

/**
 * Compiles a text in which `*` stands for any characters. The values of its tokens are compared as they are. The check
 * returns null if a value matches, else the text with its tokens replaced.
 * @type {(text: string, mark: MarkPart) => (value: string, scope: Scope) => string | null}
 */
function compileWildcards(text, mark) {
  const pieces = mark(text).split('*').map(compileTemplate);
  return (value, scope) => {
    const parts = pieces.map((piece) => renderTemplate(piece, scope));
    return fits(value, parts) ? null : parts.join('*');
  };
}

/** Linear time: each part is searched after the one before it. @type {(value: string, parts: string[]) => boolean} */
function fits(value, parts) {
  const [first] = parts;
  if (parts.length === 1) return value === first;
  const last = parts[parts.length - 1];
  if (!value.startsWith(first) || !value.endsWith(last) || value.length < first.length + last.length) return false;
  const end = value.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = value.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
