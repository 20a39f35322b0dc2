/** @import { HookEntry } from '../contracts/hooks.js' */

/** @type {HookEntry} */
export default {
  name: 'verify2XX',
  about: 'fails unless the status is 200 to 299, or 101 of a WebSocket',
  reads: 'head',
  hook(all) {
    if (all.err) return all;
    const { statusCode } = all.response;
    if ((statusCode < 200 || statusCode > 299) && statusCode !== 101) {
      throw new Error(`statusCode was not in 200-299 range, statusCode: ${statusCode}`);
    }
    return all;
  },
};
