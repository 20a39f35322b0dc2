import { PACKAGE_VERSION, schemaUrl } from '../ground/package.js';

/** Version of all documents: raised when a key goes, or changes its meaning, type, unit or nullability. */
export const SCHEMA_VERSION = 2;

/** The first keys of a result. */
export const RUN_HEAD = Object.freeze({
  $schema: schemaUrl('result.schema.json'),
  type: /** @type {const} */ ('run'),
  schemaVersion: SCHEMA_VERSION,
});

/** The program that wrote a document. */
export const TOOL = Object.freeze({ name: 'bench-rest', version: PACKAGE_VERSION });

/** The first keys of a comparison. */
export const COMPARISON_HEAD = Object.freeze({
  type: /** @type {const} */ ('comparison'),
  schemaVersion: SCHEMA_VERSION,
});

/** The first keys of the result of a search for the capacity. */
export const CAPACITY_HEAD = Object.freeze({
  $schema: schemaUrl('capacity.schema.json'),
  type: /** @type {const} */ ('capacity'),
  schemaVersion: SCHEMA_VERSION,
});

/** The load of a run in words. @type {(run: { loads: { text: string }[] }) => string} */
export function loadText({ loads }) {
  return loads.map(({ text }) => text).join('; ');
}
