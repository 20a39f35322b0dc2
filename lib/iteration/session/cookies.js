import { storeOf } from './cookie-jar.js';
import { isRedirect } from './redirects.js';

/**
 * @import { Request } from '../../flow/types.js'
 * @import { Middleware } from './index.js'
 */

/** @type {Middleware} */
export default {
  name: 'cookies',
  about: 'A cookie jar for each iteration (RFC 6265)',
  needed: (rules) => rules.hasCookies,

  before(request, { env }) {
    if (!env.hasJar) return;
    const cookies = storeOf(env.jar).getCookieStringSync(urlOf(request));
    if (cookies) addCookies(request, cookies);
  },

  after(request, response, { env, rules, run: { jars } }) {
    const lines = response.setCookies;
    if (!lines) return undefined;
    // only the next request of this exchange could read them
    if (!jars.areRead && !(rules.maxRedirects > 0 && isRedirect(response.statusCode))) return undefined;
    const url = urlOf(request);
    const store = storeOf(env.jar);
    // RFC 6265 5.3: ignore a cookie that cannot be stored
    for (const line of lines) store.setCookieSync(line, url, { ignoreError: true });
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
