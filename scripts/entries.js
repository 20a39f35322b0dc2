import { readFileSync } from 'node:fs';

/**
 * The modules of the package. `exports` of package.json lists their files; types, CommonJS and the list of stable names are
 * made from it.
 *
 * @typedef {object} Entry
 * @property {string} name as programs import it: `bench-rest/target`
 * @property {string} source its file: `lib/addons/serve/server.js`
 * @property {string} types made by build-types.js: `types/lib/addons/serve/server.d.ts`
 * @property {string | undefined} olderTypes those for TypeScript before 5.6, if they differ
 * @property {string} required made by build-require.js: `cjs/target.cjs`
 * @property {string} requiredTypes `types/target.d.cts`
 */

const { exports: modules } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** @type {(path: string) => string} */
const fromRoot = (path) => path.replace(/^\.\//, '');

/** @type {Entry[]} */
export const ENTRIES = Object.entries(modules)
  .filter(([, entry]) => typeof entry === 'object')
  .map(([path, { require: required, types, 'types@<5.6': older, default: source }]) => ({
    name: path.replace('.', 'bench-rest'),
    source: fromRoot(source),
    types: fromRoot(types),
    olderTypes: older && fromRoot(older),
    required: fromRoot(required.default),
    requiredTypes: fromRoot(required.types),
  }));

/** Files that programs import as they are, such as `bench-rest/result.schema.json`. @type {string[]} */
export const FILES = Object.entries(modules)
  .filter(([path, entry]) => typeof entry === 'string' && path.endsWith('.json'))
  .map(([path]) => path.replace('.', 'bench-rest'));
