// bench-rest -n 1000 -c 50 --serve examples/etags.js
// saveEtag stores the ETag of a response, useEtag sends it: If-Match with a change, If-None-Match with a GET (304 is not an error).
export default {
  baseUrl: 'http://localhost:8000',
  beforeMain: [{ put: '/doc_#{INDEX}', json: { version: 1 }, afterHooks: ['saveEtag'] }],
  main: [
    { get: '/doc_#{INDEX}', beforeHooks: ['useEtag'] },
    { put: '/doc_#{INDEX}', json: { version: 2 }, beforeHooks: ['useEtag'], afterHooks: ['verify2XX', 'saveEtag'] },
  ],
  afterMain: [{ del: '/doc_#{INDEX}', beforeHooks: ['useEtag'] }],
};
