import { CookieJar } from 'tough-cookie';

/**
 * @import { Request } from '../../flow/types.js'
 * @import { Ability } from './index.js'
 */

export { CookieJar };

/** @type {Ability} */
export default {
  name: 'cookies',
  about: 'a cookie jar for each iteration (RFC 6265)',
  needed: (step) => step.hasCookies,

  before(request, { env }) {
    if (!env.hasJar) return;
    const cookies = env.jar.getCookieStringSync(addressOf(request));
    if (cookies) addCookies(request, cookies);
  },

  after(request, response, { env }) {
    const lines = response.setCookies;
    if (!lines) return;
    const url = addressOf(request);
    // RFC 6265 5.3: a cookie that cannot be kept is ignored
    for (const line of lines) env.jar.setCookieSync(line, url, { ignoreError: true });
  },
};

/** What tough-cookie looks at of a URL: without the cost of parsing one. @type {(request: Request) => URL} */
function addressOf({ endpoint: { hostname, protocol }, path }) {
  const query = path.indexOf('?');
  return /** @type {any} */ ({ hostname, protocol, pathname: query < 0 ? path : path.slice(0, query) });
}

/** Cookies the operation sets itself come first. @type {(request: Request, cookies: string) => void} */
function addCookies(request, cookies) {
  const { fields } = request;
  for (let i = 0; i < fields.length; i += 2) {
    if (fields[i].toLowerCase() !== 'cookie') continue;
    request.fields = fields.toSpliced(i + 1, 1, `${fields[i + 1]}; ${cookies}`);
    return;
  }
  (request.extra ??= []).push('cookie', cookies);
}
