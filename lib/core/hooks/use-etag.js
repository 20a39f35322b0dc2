/** @import { HookEntry } from '../contracts/hooks.js' */

/** @type {HookEntry} */
export default {
  name: 'useEtag',
  about: 'sends the stored ETag of this URI: If-None-Match with GET and HEAD, If-Match otherwise',
  reads: 'head',
  hook(all) {
    const { uri, method, headers } = all.requestOptions;
    const etag = all.env.etags?.[uri];
    if (etag) headers[method === 'GET' || method === 'HEAD' ? 'If-None-Match' : 'If-Match'] = etag;
    return all;
  },
};
