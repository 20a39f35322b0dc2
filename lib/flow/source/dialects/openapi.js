import { baseUrlOf } from './base-url.js';

/** @import { Dialect } from './types.js' */

/** @type {Dialect} */
export default {
  name: 'openapi',
  about: 'an OpenAPI or Swagger description; not imported yet, refused',

  recognizes({ openapi, swagger, paths }) {
    return (typeof openapi === 'string' || swagger !== undefined) && typeof paths === 'object' && paths !== null;
  },

  toFlow({ openapi, paths, servers, schemes = ['http'], host, basePath = '' }, problems) {
    const first = Object.keys(paths)[0] ?? '/';
    const base = baseUrlOf(openapi === undefined ? `${schemes?.[0]}://${host ?? ''}${basePath}` : servers?.[0]?.url);
    const path = JSON.stringify(base?.hasPath ? first.replace(/^\/+/, '') : first);
    const example = `{ get: ${path} }`;
    problems.add(
      openapi === undefined ? 'swagger' : 'openapi',
      'this is an OpenAPI description, not a flow: write the requests to measure as operations, ' +
        `such as ${base ? `{ baseUrl: ${JSON.stringify(base.baseUrl)}, main: [${example}] }` : example}`,
    );
    return null;
  },
};
