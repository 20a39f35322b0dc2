/** @import { HookEntry } from '../contracts/hooks.js' */

/** @type {HookEntry} */
export default {
  name: 'saveEtag',
  about: 'stores the ETag of a 2XX response for useEtag, by URI or, after a POST, by its Location',
  reads: 'head',
  hook(all) {
    if (all.err) return all;
    const { statusCode, headers } = all.response;
    if (statusCode < 200 || statusCode > 299 || !headers.etag) return all;
    const { uri, method } = all.requestOptions;
    const { etag, location } = headers;
    const etags = (all.env.etags ??= Object.create(null));
    if (method === 'POST' && location) {
      // As the server wrote it, which a hook may read, and as the URL that a later operation requests.
      etags[location] = etag;
      if (URL.canParse(location, uri)) etags[new URL(location, uri).href] = etag;
    } else {
      etags[uri] = etag;
    }
    return all;
  },
};
