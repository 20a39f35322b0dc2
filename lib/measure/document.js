import { schemaUrl } from '../ground/package.js';

/** Version of results and comparisons: raised when a key goes, or changes its meaning, type, unit or nullability. */
export const SCHEMA_VERSION = 2;

/** What a result begins with. */
export const RUN_HEAD = Object.freeze({
  $schema: schemaUrl('result.schema.json'),
  type: /** @type {const} */ ('run'),
  schemaVersion: SCHEMA_VERSION,
});

/** What a comparison begins with. */
export const COMPARISON_HEAD = Object.freeze({
  type: /** @type {const} */ ('comparison'),
  schemaVersion: SCHEMA_VERSION,
});
