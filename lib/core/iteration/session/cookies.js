import { createRequire } from 'node:module';

import { stepCount } from '../../ground/phases.js';
import { fieldAt } from '../../http/field-values.js';
import { CookieStore, hostOf } from './cookie-store.js';
import { isRedirect } from './redirects.js';

/** @import { Cookie, CookieJar } from 'tough-cookie' */
/** @import { Request } from '../../contracts/request.js' */
/** @import { CompiledFlow, Scope, Step } from '../../contracts/step.js' */
/** @import { ToughCookie } from './cookie-store.js' */
/** @import { Middleware } from './index.js' */

/** @type {Middleware} */
export default {
  name: 'cookies',
  about: 'A cookie jar for each iteration (RFC 6265bis)',
  needed: (rules) => rules.hasCookies,

  before(request, { env, isUntrusted, run: { jars } }) {
    if (!env.hasJar) return;
    const url = urlOf(request);
    const given = jars.runCookies;
    if (given !== null && !isUntrusted) jars.provide(env.jar, url, env);
    const cookies = jars.fieldFor(env.jar, url);
    if (given !== null) mergeWithJar(request, cookies, given(env));
    else if (cookies) addCookies(request, cookies);
  },

  after(request, response, { env, rules, next, isUntrusted, run: { jars } }) {
    const lines = response.setCookies;
    if (!lines) return undefined;
    // A next request of the exchange may read the cookie: challenge and persisted query have set `next` already, and
    // redirects act after this middleware.
    const sendsNext = next !== null || (rules.maxRedirects > 0 && isRedirect(response.statusCode));
    if (!jars.areRead && !sendsNext) return undefined;
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
  if (fieldAt(request.fields, 'cookie') >= 0) mergeWithJar(request, cookies, {});
  else (request.extra ??= []).push('cookie', cookies);
}

/**
 * Replaces the cookies of the run by those of the jar. The Cookie field of the operation was compiled with the cookies
 * of the run (`cookieField`), and the jar began with the same, but the server may have changed or deleted them since.
 * So pairs with the name and value of a cookie of the run are taken out of the field, and those of the jar are added.
 * The other pairs are the operation's own, and replace cookies of the jar with the same name.
 * @type {(request: Request, cookies: string, runCookies: Record<string, string>) => void}
 */
function mergeWithJar(request, cookies, runCookies) {
  const { fields } = request;
  const at = fieldAt(fields, 'cookie');
  const sent = at < 0 ? [] : pairsOf(fields[at + 1]);
  const given = new Set(Object.entries(runCookies).map(([name, value]) => `${name}=${value}`));
  const own = sent.filter((pair) => !given.has(pair));
  const names = new Set(own.map(nameOf));
  const all = [...own, ...pairsOf(cookies).filter((pair) => !names.has(nameOf(pair)))].join('; ');
  if (at >= 0) request.fields = all === '' ? fields.toSpliced(at, 2) : fields.with(at + 1, all);
  else if (all !== '') (request.extra ??= []).push('cookie', all);
}

/** Splits a Cookie field; a person may have written one without spaces. @type {(field: string) => string[]} */
function pairsOf(field) {
  return field.split(/;[ \t]*/).filter((pair) => pair !== '');
}

/** Returns the name of a cookie; empty if it has none. @type {(pair: string) => string} */
function nameOf(pair) {
  return pair.slice(0, Math.max(0, pair.indexOf('=')));
}

/**
 * @typedef {object} RunCookies cookies that the run gives to every virtual user
 * @property {(scope: Scope) => Record<string, string>} cookies
 * @property {string[]} origins of the flow: jars have the cookies for these from the start
 */

/**
 * The cookie jars of a thread. tough-cookie takes 45 ms of CPU to load, most of it for the list of public suffixes, so
 * it is loaded before the run only if a hook or a later operation can read a jar. In other flows only the next request
 * of an exchange can read one, such as one that follows a redirect; the first cookie for such a request loads it then.
 */
export class CookieJars {
  /** @type {ToughCookie | null} */
  #library = null;
  /** @type {string[]} */
  #origins = [];
  /** Hooks or later operations can read a jar. */
  areRead = false;
  /** An iteration had a jar: others may have one. */
  isUsed = false;
  /** The cookies of the run. @type {((scope: Scope) => Record<string, string>) | null} */
  runCookies = null;

  /** @type {(flow: CompiledFlow, runCookies?: RunCookies) => Promise<CookieJars>} */
  static async open(flow, runCookies) {
    const jars = new CookieJars();
    if (runCookies) {
      jars.runCookies = runCookies.cookies;
      jars.#origins = runCookies.origins.filter((origin) => !origin.startsWith('unix:'));
    }
    await jars.follow(flow);
    return jars;
  }

  /** Prepares for the steps of a flow, which code may have changed. @type {(flow: CompiledFlow) => Promise<void>} */
  async follow(flow) {
    this.areRead ||= mayReadJar(flow);
    // It is the same module that a hook would import.
    if (this.areRead) this.#library ??= await import('tough-cookie');
  }

  /** Creates the jar of an iteration. @type {(scope: Scope) => IterationJar} */
  create(scope) {
    const jar = new IterationJar(this.#load().CookieJar);
    for (const origin of this.#origins) this.provide(jar, new URL(origin), scope);
    return jar;
  }

  /** Copies the jar of a virtual user for an iteration. One that a hook has made stays. @type {(jar: any) => any} */
  copy(jar) {
    if (!(jar instanceof IterationJar)) return jar;
    const own = new IterationJar(this.#load().CookieJar, jar.store.copy());
    own.hosts = new Set(jar.hosts);
    return own;
  }

  /**
   * Puts the cookies of the run into a jar, once for each host, except those that a hook has set for it. A hook may
   * have put another jar into env, which has its own cookies.
   * @type {(jar: any, url: URL, scope: Scope) => void}
   */
  provide(jar, url, scope) {
    if (this.runCookies === null || !(jar instanceof IterationJar)) return;
    const host = hostOf(url);
    if (jar.hosts.has(host)) return;
    jar.hosts.add(host);
    const { Cookie } = this.#load();
    for (const [key, value] of Object.entries(this.runCookies(scope)))
      jar.store.findCookie(host, '/', key, (_, known) => {
        if (!known) jar.store.put(new Cookie({ key, value, domain: host, hostOnly: true, path: '/' }));
      });
  }

  /** Stores a cookie that a URL set, unless the jar refuses it. @type {(jar: any, line: string, url: URL) => void} */
  store(jar, line, url) {
    const own = storeOf(jar);
    if (own.store instanceof CookieStore) own.store.receive(line, url, this.#load());
    else own.setCookieSync(line, url, { ignoreError: true });
  }

  /** Returns the Cookie field that a jar has for a request; empty: none. @type {(jar: any, url: URL) => string} */
  fieldFor(jar, url) {
    const own = storeOf(jar);
    return own.store instanceof CookieStore ? own.store.fieldFor(url, this.#load()) : own.getCookieStringSync(url);
  }

  /**
   * Loads the library with `require`, which can be repeated: an import that failed during a run, as all file
   * descriptors were in use (EMFILE), fails forever.
   * @type {() => ToughCookie}
   */
  #load() {
    return (this.#library ??= /** @type {ToughCookie} */ (createRequire(import.meta.url)('tough-cookie')));
  }
}

/** `before` and `after` share one, each iteration has one. @type {(flow: CompiledFlow) => boolean} */
function mayReadJar({ before, beforeMain, main, afterMain, after }) {
  return [
    [before, after],
    [beforeMain, main, afterMain],
  ].some((phases) => phases.flat().some(hasHooks) || cookieSteps(phases) > 1);
}

/** Counts the operations of phases that read or store cookies. @type {(phases: Step[][]) => number} */
function cookieSteps(phases) {
  return stepCount(phases.map((steps) => steps.filter(({ hasCookies }) => hasCookies)));
}

/** @type {(step: Step) => boolean} */
function hasHooks({ beforeHooks, afterHooks }) {
  return beforeHooks.length + afterHooks.length > 0;
}

/** @typedef {Parameters<CookieJar['setCookieSync']>} SetArguments */
/** @typedef {Parameters<CookieJar['getCookiesSync']>} GetArguments */

/**
 * The cookies of an iteration. Its methods return values, as those of `request.jar()` do, on which hooks written for
 * bench-rest 1 rely; those of tough-cookie return promises. Like that jar it accepts cookies without a name.
 */
export class IterationJar {
  /** @param {typeof CookieJar} Jar of tough-cookie @param {CookieStore} [store] */
  constructor(Jar, store = new CookieStore()) {
    this.store = store;
    /** `request.jar()` has it under this name, too: for what the methods here do not offer */
    this._jar = new Jar(/** @type {any} */ (this.store), { looseMode: true });
    /** Hosts that have got the cookies of the run. */
    this.hosts = new Set();
  }

  /** @type {(cookie: SetArguments[0], url: SetArguments[1], options?: SetArguments[2]) => Cookie | undefined} */
  setCookie(cookie, url, options) {
    return this._jar.setCookieSync(cookie, withRawPath(url), options);
  }

  /** @type {(url: GetArguments[0], options?: GetArguments[1]) => Cookie[]} */
  getCookies(url, options) {
    return this._jar.getCookiesSync(withRawPath(url), options);
  }

  /** @type {(url: GetArguments[0], options?: GetArguments[1]) => string} */
  getCookieString(url, options) {
    return this._jar.getCookieStringSync(withRawPath(url), options);
  }
}

/** A hook may put its own jar into `env.jar`, of any library. @type {(jar: any) => CookieJar} */
export function storeOf(jar) {
  return jar?._jar ?? jar;
}

/** tough-cookie decodes URLs, not cookies. RFC 6265bis 5.1.4 compares paths as they are. @type {(url: any) => any} */
function withRawPath(url) {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : url;
  if (!parsed?.pathname?.includes('%')) return url;
  const { protocol, hostname, pathname } = parsed;
  return { protocol, hostname, pathname: pathname.replaceAll('%', '%25') };
}
