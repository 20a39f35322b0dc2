/** @import { Dialect } from './types.js' */

/** @type {Dialect} */
export default {
  name: 'openapi',
  about: 'an OpenAPI or Swagger description; not imported yet, refused',

  recognizes({ openapi, swagger, paths }) {
    return (typeof openapi === 'string' || swagger !== undefined) && typeof paths === 'object' && paths !== null;
  },

  toFlow({ openapi, paths }, problems) {
    const path = Object.keys(paths)[0] ?? '/';
    problems.add(
      openapi === undefined ? 'swagger' : 'openapi',
      'this is an OpenAPI description, not a flow: write the requests to measure as operations, ' +
        `such as { get: ${JSON.stringify(path)} }`,
    );
    return null;
  },
};
