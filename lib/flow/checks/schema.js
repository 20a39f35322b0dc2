import { resolve } from 'node:path';

import { FileRefusal, readRegularFile } from '../../read-file.js';
import { formatValue } from '../../text/format-value.js';
import { isSecretName } from '../../text/secret-names.js';
import { parseJson } from '../../text/parse-json.js';
import { isJson } from '../comparisons.js';
import { isPlainObject } from '../nesting.js';
import { hasTokenInPattern } from '../tokens/token-use.js';
import { compileSchema } from './json-schema.js';

/**
 * @import { CheckContext, CheckEntry, Mismatch } from './types.js'
 * @import { Violation } from './json-schema.js'
 */

const MOST_BYTES = 16 * 1024 * 1024;

/** @type {CheckEntry} */
export default {
  name: 'schema',
  about: 'a JSON Schema of the body, or the path of its file; draft 2020-12 unless its $schema names 2019-09, 7 or 6',
  reads: 'body',
  type: 'object | string',
  schema: { anyOf: [{ type: 'object' }, { type: 'string', minLength: 1 }] },
  check: (value) => (typeof value === 'string' && value !== '') || (isPlainObject(value) && isJson(value)),
  expected: 'a JSON Schema, or the path of its file',

  refuse: (given) =>
    isPlainObject(given) && hasTokenInPattern(JSON.stringify(given))
      ? [{ reason: 'has a token, and tokens are not replaced in a schema: use json' }]
      : [],

  compile(given, context) {
    const schema = typeof given === 'string' ? readSchema(given, context) : given;
    const violationOf = schema === null ? null : compiled(schema, context);
    if (violationOf === null) return [];
    return [
      {
        name: 'schema',
        check({ json }) {
          if (json.fault !== null) return { expected: 'JSON', received: json.fault };
          const violation = violationOf(json.value);
          return violation === null ? null : mismatchOf(violation);
        },
      },
    ];
  },
};

/** @type {(violation: Violation) => Mismatch} */
function mismatchOf({ path, rule, value }) {
  const last = path.split('/').at(-1) ?? '';
  const expected = path === '' ? `a body that ${rule}` : `${formatValue(path)} that ${rule}`;
  return { expected, received: isSecretName(last) ? '***' : formatValue(value) };
}

/** @type {(schema: object, context: CheckContext) => ((value: unknown) => Violation | null) | null} */
function compiled(schema, { complain }) {
  try {
    return compileSchema(schema);
  } catch (error) {
    complain(/** @type {Error} */ (error).message);
    return null;
  }
}

/** @type {(path: string, context: CheckContext) => object | null} */
function readSchema(path, { complain, folder = '' }) {
  let text;
  try {
    text = readRegularFile(resolve(folder, path), { maxBytes: MOST_BYTES }).toString();
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    complain(error.message);
    return null;
  }
  const { value, fault } = parseJson(text);
  if (fault) complain(`${path} is not JSON: ${fault.reason}`);
  else if (!isPlainObject(value)) complain(`${path} is not a JSON Schema: expected an object`);
  return fault || !isPlainObject(value) ? null : value;
}
