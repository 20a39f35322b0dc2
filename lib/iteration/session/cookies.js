import { CookieJar } from 'tough-cookie';

/**
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
    const cookies = env.jar.getCookieStringSync(request.endpoint.origin + request.path);
    if (cookies) addCookies(request, cookies);
  },

  after(request, response, { env }) {
    const lines = response.setCookies;
    if (!lines) return;
    const url = request.endpoint.origin + request.path;
    // RFC 6265 5.3: a cookie that cannot be kept is ignored
    for (const line of lines) env.jar.setCookieSync(line, url, { ignoreError: true });
  },
};

/** Cookies the operation sets itself come first. @type {(request: import('../../flow/types.js').Request, cookies: string) => void} */
function addCookies(request, cookies) {
  const { fields } = request;
  for (let i = 0; i < fields.length; i += 2) {
    if (fields[i].toLowerCase() !== 'cookie') continue;
    request.fields = fields.toSpliced(i + 1, 1, `${fields[i + 1]}; ${cookies}`);
    return;
  }
  (request.extra ??= []).push('cookie', cookies);
}
