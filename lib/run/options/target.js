import { text } from './kinds.js';

/** @import { RunOption } from './row.js' */

/** The server under test. @type {RunOption[]} */
export const TARGET = [
  { name: 'baseUrl', flag: '--base-url <url>', ...text, expected: 'a URL', about: 'base URL of relative URLs' },
  {
    name: 'target',
    type: 'HttpServer | HttpsServer',
    schema: null,
    check: (v) => typeof v?.listen === 'function',
    expected: 'an http.Server',
    about:
      'an http.Server or https.Server of this process, instead of baseUrl; started on a free port if it is not listening',
  },
];
