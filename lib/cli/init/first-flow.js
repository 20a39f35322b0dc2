import { DEFAULT_PORT } from '../commands/serve.js';

/** Where `bench-rest serve` listens. */
const EMBEDDED = `http://localhost:${DEFAULT_PORT}`;

const OF_EMBEDDED = `    { put: '/items/#{INDEX}', json: { name: 'item #{INDEX}' }, afterHooks: ['verify2XX'] },
    { get: '/items/#{INDEX}' },`;

/** @type {(path: string) => string} */
const ofUrl = (path) => `    { get: ${quoted(path)} },
    // { post: '/items', json: { name: 'item #{INDEX}' }, afterHooks: ['verify2XX'] },`;

/**
 * The text of a first flow.
 *
 * @param {URL | undefined} url what it requests; undefined: documents of the embedded target
 * @returns {string}
 */
export function firstFlow(url) {
  return `import { defineFlow } from 'bench-rest';

export default defineFlow({
  baseUrl: ${quoted(url ? url.origin : EMBEDDED)}, // --base-url replaces it
  // the operations of an iteration, one after the other; #{INDEX} is its number
  main: [
${url ? ofUrl(`${url.pathname}${url.search}`) : OF_EMBEDDED}
  ],
  // at the end of each iteration, even after an error; its time is not measured
  afterMain: [${url ? '' : "{ del: '/items/#{INDEX}' }"}],
  // the exit code is 99 if one of these does not hold
  thresholds: { errors: '<1%', p95: '<500ms' },
});
`;
}

/** @type {(text: string) => string} */
function quoted(text) {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
