import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { readOrComplain, readTextFile } from '../../core/process/read-file.js';
import { formatValue } from '../../core/text/format-value.js';
import { MASK } from '../../core/text/mask.js';
import { parseJson } from '../../core/text/parse-json.js';
import { isJson, isSame } from '../../core/flow/comparisons.js';
import { compilePattern } from '../../core/flow/pattern.js';
import { isObject, isPlainObject } from '../../core/flow/record.js';
import { hasTokenInPattern } from '../../core/flow/tokens/index.js';
import { hasSecretName } from '../../core/flow/checks/json.js';

/** @import { Mismatch } from '../../core/contracts/expectation.js' */
/** @import { CheckContext, CheckEntry } from '../../core/flow/checks/types.js' */

/** Maximum size of the file of a schema. */
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
  const expected = path === '' ? `a body that ${rule}` : `${formatValue(path)} that ${rule}`;
  return { expected, received: hasSecretName(path) ? MASK : formatValue(value) };
}

/** @type {(schema: object, context: CheckContext) => ((value: unknown) => Violation | null) | null} */
function compiled(schema, { complain }) {
  try {
    return compileSchema(schema);
  } catch (error) {
    // A file of ajv is missing: the schema is not wrong.
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'MODULE_NOT_FOUND') throw error;
    complain(/** @type {Error} */ (error).message);
    return null;
  }
}

/** @type {(path: string, context: CheckContext) => object | null} */
function readSchema(path, { complain, folder = '' }) {
  const text = readOrComplain(() => readTextFile(resolve(folder, path), { maxBytes: MOST_BYTES }), complain);
  if (text === null) return null;
  const { value, fault } = parseJson(text);
  if (fault) complain(`${path} is not JSON: ${fault.reason}`);
  else if (!isPlainObject(value)) complain(`${path} is not a JSON Schema: expected an object`);
  return fault || !isPlainObject(value) ? null : value;
}

/**
 * @typedef {object} Violation the first rule of a schema that a value breaks
 * @property {string} path of the value, as a JSON pointer: `/items/0/id`; empty for the whole
 * @property {string} rule `must be integer`
 * @property {unknown} value
 */

/** Where ajv has each draft, and the only spelling of its address that ajv knows. @type {Record<string, string[]>} */
const DRAFTS = {
  '2020-12': ['ajv/dist/2020.js', 'https://json-schema.org/draft/2020-12/schema'],
  '2019-09': ['ajv/dist/2019.js', 'https://json-schema.org/draft/2019-09/schema'],
  '07': ['ajv', 'http://json-schema.org/draft-07/schema#'],
  '06': ['ajv', 'http://json-schema.org/draft-06/schema#'],
};
const DRAFT = /^https?:\/\/json-schema\.org\/draft(?:\/|-)(2020-12|2019-09|07|06)\/schema#?$/;

/**
 * Compiles a JSON Schema by ajv, which is loaded with the first one. `format` is not checked, as the drafts since
 * 2019-09 have it.
 * @throws {Error} whose message explains what is wrong with the schema
 * @type {(schema: Record<string, any>) => (value: unknown) => Violation | null}
 */
export function compileSchema(schema) {
  const { $schema = DRAFTS['2020-12'][1], $async } = schema;
  const draft = DRAFT.exec($schema)?.[1];
  if (!draft) throw new Error(`$schema: ${formatValue($schema)} is not supported: use draft 2020-12, 2019-09, 7 or 6`);
  // ajv would return a promise
  if ($async !== undefined) throw new Error('$async: is not a keyword of JSON Schema: remove it');
  if (hasPrototypeRule(schema))
    throw new Error("properties.__proto__: is not checked: use patternProperties with '^__proto__$'");
  const require = createRequire(import.meta.url);
  const [module, address] = DRAFTS[draft];
  const { default: Ajv } = require(module);
  const ajv = new Ajv({
    strict: false,
    validateFormats: false,
    verbose: true,
    logger: false,
    // Otherwise each object has the properties of its prototype, such as toString
    ownProperties: true,
    code: { regExp },
  });
  for (const entry of KEYWORDS) ajv.removeKeyword(String(entry.keyword)).addKeyword(entry);
  if (draft === '06') ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'));
  const validate = compiledByAjv(ajv, { ...schema, $schema: address });
  return (value) => {
    try {
      return validate(value) ? null : violationOf(decisiveOf(validate.errors));
    } catch (error) {
      // A schema that refers to itself visits each level of the value
      if (error instanceof RangeError) return { path: '', rule: 'is nested less deeply', value };
      throw error;
    }
  };
}

/** Reports whether a rule for `__proto__` exists, which ajv ignores. @type {(schema: object) => boolean} */
function hasPrototypeRule(schema) {
  let isFound = false;
  JSON.stringify(schema, (key, value) => {
    isFound ||= key === 'properties' && isObject(value) && Object.hasOwn(value, '__proto__');
    return value;
  });
  return isFound;
}

/** @type {(ajv: any, schema: object) => any} */
function compiledByAjv(ajv, schema) {
  try {
    return ajv.compile(schema);
  } catch (error) {
    if (error instanceof RangeError) throw new Error('is nested too deeply, or refers to itself without an end');
    throw new Error(/** @type {Error} */ (error).message.split('\n')[0]);
  }
}

/**
 * @typedef {{ keyword: string, instancePath: string, message: string, params: Record<string, unknown>, data: unknown }}
 *   AjvError
 */

/**
 * Returns the error that decides. ajv lists the errors of the branches of `anyOf` first, and that of `anyOf` itself
 * last, so the last one decides; but not that of `if` and `propertyNames`, where the one before says more.
 * @type {(errors: AjvError[]) => AjvError}
 */
function decisiveOf(errors) {
  const at = errors.findLastIndex(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames');
  return errors[Math.max(0, at)];
}

const DETAILS = ['allowedValues', 'allowedValue', 'additionalProperty', 'unevaluatedProperty'];

/** @type {(error: AjvError) => Violation} */
function violationOf({ instancePath: path, message, params, data: value }) {
  const name = DETAILS.find((one) => one in params);
  if (name === undefined) return { path, rule: message, value };
  return { path, rule: `${message}: ${hasSecretName(path) ? MASK : formatValue(params[name])}`, value };
}

/**
 * Patterns take linear time, as those of comparisons. ajv identifies them by their text.
 * @type {(source: string) => { test: (text: string) => boolean, toString: () => string }}
 */
function regExp(source) {
  const pattern = compilePattern(source);
  return { test: (text) => pattern.find(text) !== null, toString: () => source };
}
regExp.code = 'pattern';

/**
 * Keywords in place of those of ajv. Its `uniqueItems` compares all objects with each other: 20,000 take 9 s, 300,000
 * hours. Its `const` and `enum` call methods of the response: one with a property `valueOf` is an exception.
 * @type {import('ajv').FuncKeywordDefinition[]}
 */
const KEYWORDS = [
  checking('const', {}, (constant, value) =>
    isSame(value, constant) ? null : { message: 'must be equal to constant', params: { allowedValue: constant } },
  ),
  checking('enum', { schemaType: 'array' }, (allowedValues, value) =>
    allowedValues.some((/** @type {unknown} */ one) => isSame(value, one))
      ? null
      : { message: 'must be equal to one of the allowed values', params: { allowedValues } },
  ),
  checking('uniqueItems', { type: 'array', schemaType: 'boolean' }, (isWanted, items) => {
    const at = isWanted ? firstDuplicate(items) : -1;
    return at < 0 ? null : { message: `must NOT have duplicate items: item ${at} is one`, params: {} };
  }),
];

/**
 * Creates a keyword. `types` are those of the values that it checks, and of its own value.
 * @type {(keyword: string, types: { type?: 'array', schemaType?: 'array' | 'boolean' }, violationOf: (wanted: any,
 *   value: any) => { message: string, params: Record<string, unknown> } | null) => import('ajv').FuncKeywordDefinition}
 */
function checking(keyword, types, violationOf) {
  /** @type {import('ajv').SchemaValidateFunction} */
  const validate = (wanted, value) => {
    const violation = violationOf(wanted, value);
    validate.errors = violation === null ? [] : [{ keyword, ...violation }];
    return violation === null;
  };
  return { keyword, ...types, validate, errors: true };
}

/** Finds the first item that is equal to an earlier one, in linear time; or -1. @type {(items: unknown[]) => number} */
function firstDuplicate(items) {
  const simple = new Set();
  const texts = new Set();
  return items.findIndex((item) => {
    const isSimple = typeof item !== 'object' || item === null;
    const seen = isSimple ? simple : texts;
    const key = isSimple ? item : canonical(item);
    const isKnown = seen.has(key);
    seen.add(key);
    return isKnown;
  });
}

/** Equal values have equal texts. @type {(value: any) => string} */
function canonical(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const properties = Object.keys(value).sort();
  return `{${properties.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}
