/** @import { Middleware } from './index.js' */

/** @type {Middleware} */
export default {
  name: 'sent request',
  about: 'Keeps the last request of an exchange for after-hooks, as it was sent',
  needed: (rules) => rules.keepsRequest,
  readsPlain: true,

  after(request, response) {
    response.request = request;
    return undefined;
  },
};
