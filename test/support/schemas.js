import { readFileSync } from 'node:fs';

import Ajv from 'ajv/dist/2020.js';

const ROOT = new URL('../../', import.meta.url);

/** The JSON Schema of a document, such as `result`. */
export const schemaOf = (name) => JSON.parse(readFileSync(new URL(`${name}.schema.json`, ROOT), 'utf8'));

/** By name: to compile one takes longer than most tests. @type {Map<string, import('ajv').ValidateFunction>} */
const compiled = new Map();

/**
 * Checks a document: `errors` of it has those of the last one. A key that no type declares is an error, too. The schema is
 * compiled when the first document is checked.
 */
export function checkerOf(name) {
  const check = (document) => {
    if (!compiled.has(name))
      compiled.set(name, new Ajv({ allErrors: true, allowUnionTypes: true }).compile(closed(schemaOf(name))));
    const isValid = compiled.get(name)(document);
    check.errors = compiled.get(name).errors;
    return isValid;
  };
  return check;
}

function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const own = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return schema.type && schema.properties ? { additionalProperties: false, ...own } : own;
}
