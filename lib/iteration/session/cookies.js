import { CookieJar } from 'tough-cookie';

/**
 * @import { Request } from '../../flow/types.js'
 * @import { Middleware } from './index.js'
 */

export { CookieJar };

/** @type {Middleware} */
export default {
  name: 'cookies',
  about: 'A cookie jar for each iteration (RFC 6265)',
  needed: (rules) => rules.hasCookies,

  before(request, { env }) {
    if (!env.hasJar) return;
    const cookies = env.jar.getCookieStringSync(urlOf(request));
    if (cookies) addCookies(request, cookies);
  },

  after(request, response, { env }) {
    const lines = response.setCookies;
    if (!lines) return undefined;
    const url = urlOf(request);
    // RFC 6265 5.3: ignore a cookie that cannot be stored
    for (const line of lines) env.jar.setCookieSync(line, url, { ignoreError: true });
    return undefined;
  },
};

/** The properties of a URL that tough-cookie reads, without the cost of parsing. @type {(request: Request) => URL} */
function urlOf({ endpoint: { hostname, protocol }, path }) {
  const query = path.indexOf('?');
  return /** @type {any} */ ({ hostname, protocol, pathname: query < 0 ? path : path.slice(0, query) });
}

/** Adds the cookies of the jar after those of the operation. @type {(request: Request, cookies: string) => void} */
function addCookies(request, cookies) {
  const { fields } = request;
  for (let i = 0; i < fields.length; i += 2) {
    if (fields[i].toLowerCase() !== 'cookie') continue;
    request.fields = fields.toSpliced(i + 1, 1, `${fields[i + 1]}; ${cookies}`);
    return;
  }
  (request.extra ??= []).push('cookie', cookies);
}
