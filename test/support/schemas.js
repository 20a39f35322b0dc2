import { readFileSync } from 'node:fs';

import Ajv from 'ajv/dist/2020.js';

const ROOT = new URL('../../', import.meta.url);

/** The JSON Schema of a document, such as `result`. */
export const schemaOf = (name) => JSON.parse(readFileSync(new URL(`${name}.schema.json`, ROOT), 'utf8'));

/** Checks a document: `errors` of it has those of the last one. A key that no type declares is an error, too. */
export const checkerOf = (name) => new Ajv({ allErrors: true, allowUnionTypes: true }).compile(closed(schemaOf(name)));

function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const own = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return schema.type && schema.properties ? { additionalProperties: false, ...own } : own;
}
