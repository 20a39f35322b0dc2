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

  before(request, { env, isUntrusted, run: { jars } }) {
    if (!env.hasJar) return;
    const url = urlOf(request);
    const given = jars.ofRun;
    if (given !== null && !isUntrusted) jars.provide(env.jar, url, env);
    const cookies = jars.fieldFor(env.jar, url);
    if (given !== null) mergeCookies(request, cookies, given(env));
    else if (cookies) addCookies(request, cookies);
  },

  after(request, response, { env, rules, isUntrusted, run: { jars } }) {
    const lines = response.setCookies;
    if (!lines) return undefined;
    // only the next request of this exchange could read them
    if (!jars.areRead && !(rules.maxRedirects > 0 && isRedirect(response.statusCode))) return undefined;
    const url = urlOf(request);
    if (!isUntrusted) jars.provide(env.jar, url, env);
    for (const line of lines) jars.store(env.jar, line, url);
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

/**
 * The jar has the cookies of the run, unless the server changed or deleted them: those of the field are replaced by
 * those of the jar. A cookie of the operation itself replaces that of the jar.
 *
 * @type {(request: Request, cookies: string, ofRun: Record<string, string>) => void}
 */
function mergeCookies(request, cookies, ofRun) {
  const { fields } = request;
  const at = fields.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'cookie');
  const sent = at < 0 ? [] : fields[at + 1].split('; ');
  const own = sent.filter((pair) => ofRun[nameOf(pair)] !== pair.slice(nameOf(pair).length + 1));
  const names = new Set(own.map(nameOf));
  const all = [...own, ...cookies.split('; ').filter((pair) => pair !== '' && !names.has(nameOf(pair)))].join('; ');
  if (at >= 0) request.fields = all === '' ? fields.toSpliced(at, 2) : fields.with(at + 1, all);
  else if (all !== '') (request.extra ??= []).push('cookie', all);
}

/** @type {(pair: string) => string} */
function nameOf(pair) {
  return pair.slice(0, Math.max(0, pair.indexOf('=')));
}
