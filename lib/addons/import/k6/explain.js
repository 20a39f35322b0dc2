import { basename } from 'node:path';

import { docUrl } from '../../../core/ground/package.js';

/** A script of k6 imports these modules, and others by URL. The package of that name on npm has no code. */
const K6_IMPORT = /(?:\bfrom|\bimport|\brequire\()\s*['"]k6(?:\/[^'"]*)?['"]/;

/**
 * Explains why a script of k6 is no flow.
 * @type {(text: string, path: string) => { reason: string, cure: string } | undefined}
 */
export function explain(text, path) {
  if (!K6_IMPORT.test(text)) return undefined;
  const cure = `bench-rest import ${basename(path)} -o flow.mjs writes a flow with its load and thresholds; write its requests there in order, as in main: [{ get: 'http://…' }], see ${docUrl('reference/coming-from.md')}`;
  return { reason: 'this is a script of k6, not a flow', cure };
}
