/** @import { Dialect } from './types.js' */

/** @type {Dialect} */
export default {
  name: 'har',
  about: 'a HAR recording of a browser; not imported yet, refused with its first request',

  recognizes({ log }) {
    return typeof log === 'object' && log !== null && Array.isArray(log.entries);
  },

  toFlow({ log }, problems) {
    const { method = 'GET', url = 'http://localhost:8000/' } = log.entries[0]?.request ?? {};
    problems.add(
      'log',
      'this is a HAR recording, not a flow: list its requests as operations, ' +
        `beginning with { method: ${JSON.stringify(method)}, uri: ${JSON.stringify(url)} }`,
    );
    return null;
  },
};
