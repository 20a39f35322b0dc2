import { createRequire } from 'node:module';

import { formatValue } from '../../text/format-value.js';
import { compilePattern } from '../pattern.js';
import { isObject } from '../record.js';
import { KEYWORDS } from './json-schema-keywords.js';

/**
 * @typedef {object} Violation the first rule of a schema that a value breaks
 * @property {string} path of the value, as a JSON pointer: `/items/0/id`; empty for the whole
 * @property {string} rule `must be integer`
 * @property {unknown} value
 */

/** Where ajv has each draft. @type {Record<string, string>} */
const MODULES = { '2020-12': 'ajv/dist/2020.js', '2019-09': 'ajv/dist/2019.js', '07': 'ajv', '06': 'ajv' };
const DRAFT = /^https?:\/\/json-schema\.org\/draft(?:\/|-)(2020-12|2019-09|07|06)\/schema#?$/;

/**
 * Compiles a JSON Schema by ajv, which is loaded with the first one. `format` is not checked, as the drafts since 2019-09 have
 * it.
 *
 * @param {Record<string, any>} schema
 * @returns {(value: unknown) => Violation | null} null if the value is valid
 * @throws {Error} whose message explains what is wrong with the schema
 */
export function compileSchema(schema) {
  const { $schema = 'https://json-schema.org/draft/2020-12/schema', $async } = schema;
  const draft = DRAFT.exec($schema)?.[1];
  if (!draft) throw new Error(`$schema: ${formatValue($schema)} is not supported: use draft 2020-12, 2019-09, 7 or 6`);
  // ajv would return a promise
  if ($async !== undefined) throw new Error('$async: is not a keyword of JSON Schema: remove it');
  if (hasPrototypeRule(schema))
    throw new Error("properties.__proto__: is not checked: use patternProperties with '^__proto__$'");
  const require = createRequire(import.meta.url);
  const { default: Ajv } = require(MODULES[draft]);
  const ajv = new Ajv({
    strict: false,
    validateFormats: false,
    verbose: true,
    logger: false,
    // otherwise each object has the properties of its prototype, such as toString
    ownProperties: true,
    code: { regExp },
  });
  for (const entry of KEYWORDS) ajv.removeKeyword(String(entry.keyword)).addKeyword(entry);
  if (draft === '06') ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'));
  const validate = compiled(ajv, schema);
  return (value) => {
    try {
      return validate(value) ? null : violationOf(validate.errors[0]);
    } catch (error) {
      // a schema that refers to itself visits each level of the value
      if (error instanceof RangeError) return { path: '', rule: 'is nested less deeply', value };
      throw error;
    }
  };
}

/** ajv ignores it. @type {(schema: object) => boolean} */
function hasPrototypeRule(schema) {
  let isFound = false;
  JSON.stringify(schema, (key, value) => {
    isFound ||= key === 'properties' && isObject(value) && Object.hasOwn(value, '__proto__');
    return value;
  });
  return isFound;
}

/** @type {(ajv: any, schema: object) => any} */
function compiled(ajv, schema) {
  try {
    return ajv.compile(schema);
  } catch (error) {
    if (error instanceof RangeError) throw new Error('is nested too deeply, or refers to itself without an end');
    throw new Error(/** @type {Error} */ (error).message.split('\n')[0]);
  }
}

/** @type {(error: { instancePath: string, message: string, params: Record<string, unknown>, data: unknown }) => Violation} */
function violationOf({ instancePath: path, message, params, data: value }) {
  const detail = params.allowedValues ?? params.allowedValue ?? params.additionalProperty ?? params.unevaluatedProperty;
  return { path, rule: detail === undefined ? message : `${message}: ${formatValue(detail)}`, value };
}

/** Patterns take linear time, as those of comparisons. ajv identifies them by their text. @type {(source: string) => { test: (text: string) => boolean, toString: () => string }} */
function regExp(source) {
  const pattern = compilePattern(source);
  return { test: (text) => pattern.find(text) !== null, toString: () => source };
}
regExp.code = 'pattern';
