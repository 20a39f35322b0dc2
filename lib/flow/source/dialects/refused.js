/** @import { Dialect } from '../types.js' */

/** @type {Dialect} */
export const savedResult = {
  name: 'saved-result',
  about: 'a result that bench-rest saved; refused',

  recognizes({ schema, iterations, requests }) {
    return typeof schema === 'number' && isObject(iterations) && isObject(requests);
  },

  toFlow({ run }, problems) {
    const source = run?.flow?.source ?? run?.flow?.from;
    const from = typeof source === 'string' ? `, which was ${source}` : '';
    problems.add(
      '',
      `this is a saved result of bench-rest, not a flow: print it with bench-rest report, or pass the flow of its run${from}`,
    );
    return null;
  },
};

/** @type {(value: unknown) => boolean} */
function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** @type {Dialect} */
export const postman = {
  name: 'postman',
  about: 'a Postman collection; not imported yet, refused',

  recognizes({ info, item }) {
    return typeof info === 'object' && info !== null && Array.isArray(item);
  },

  toFlow(_, problems) {
    problems.add(
      'item',
      'this is a Postman collection, not a flow: write its requests as operations, such as { get: "http://localhost:8000/" }',
    );
    return null;
  },
};

/** @type {Dialect} */
export const artillery = {
  name: 'artillery',
  about: 'a script of Artillery; not imported yet, refused',

  recognizes({ config, scenarios }) {
    return typeof config === 'object' && config !== null && Array.isArray(scenarios);
  },

  toFlow({ config }, problems) {
    const base = baseUrlOf(config.target);
    const target = base ? `baseUrl: ${JSON.stringify(base.baseUrl)}, ` : '';
    const paths = base?.hasPath ? '; begin their URLs without / so that the path of baseUrl is kept' : '';
    problems.add(
      'scenarios',
      `this is an Artillery script, not a flow: write { ${target}main: [...] } with its requests as operations${paths}`,
    );
    return null;
  },
};

/**
 * Returns the base URL of a flow that means the same as one of a foreign document, where paths are added to the base
 * URL. In a flow this needs a `/` at its end and paths without a `/` at their beginning (RFC 3986 5.2). Null if it is
 * not an http: or https: URL.
 * @type {(given: unknown) => { baseUrl: string, hasPath: boolean } | null}
 */
function baseUrlOf(given) {
  if (typeof given !== 'string' || !/^https?:\/\/[^/]/i.test(given)) return null;
  const hasPath = /^https?:\/\/[^/]+\/[^/]/i.test(given);
  return { baseUrl: hasPath && !given.endsWith('/') ? `${given}/` : given, hasPath };
}
