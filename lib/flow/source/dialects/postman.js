/** @import { Dialect } from './types.js' */

/** @type {Dialect} */
export default {
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
