import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'json-path',
  about: 'JSONPath with wildcards, slices and filters',
  jsonPaths: [{ load: () => requireHere('./query.js').compileQuery }],
};
