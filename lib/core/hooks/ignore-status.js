/** @import { HookEntry } from '../contracts/hooks.js' */

/** @type {HookEntry} */
export default {
  name: 'ignoreStatus',
  about: 'continues the flow after a status of 400 or more; the real status is in response.originalStatusCode',
  reads: 'head',
  hook(all) {
    if (!all.err && all.response.statusCode >= 400) all.response.statusCode = 200;
    return all;
  },
};
