import { createRequire } from 'node:module';

import { slotCount } from '../../ground/phases.js';
import { isSecure } from '../../http/proxy.js';

/**
 * @import { CompiledFlow, Scope, Step } from '../../flow/types.js'
 * @import { Cookie, CookieJar } from 'tough-cookie'
 */

/**
 * @typedef {object} CookiesOfRun cookies that the run gives to every virtual user
 * @property {(scope: Scope) => Record<string, string>} cookies
 * @property {string[]} origins of the flow: jars have the cookies for these from the start
 */

/**
 * The cookie jars of a thread. tough-cookie takes 45 ms of CPU to load, most of it for the list of public suffixes, so
 * it is loaded before the run only if a hook or a later operation can read a jar. In other flows only a request that
 * follows a redirect can read one; the first redirect that sets a cookie loads it then.
 */
export class CookieJars {
  /** @type {ToughCookie | null} */
  #library = null;
  /** @type {string[]} */
  #origins = [];
  /** hooks or later operations can read a jar */
  areRead = false;
  /** the cookies of the run @type {((scope: Scope) => Record<string, string>) | null} */
  ofRun = null;

  /** @type {(flow: CompiledFlow, ofRun?: CookiesOfRun) => Promise<CookieJars>} */
  static async open(flow, ofRun) {
    const jars = new CookieJars();
    if (ofRun) {
      jars.ofRun = ofRun.cookies;
      jars.#origins = ofRun.origins.filter((origin) => !origin.startsWith('unix:'));
    }
    jars.areRead = mayReadJar(flow);
    // the same module that a hook would import
    if (jars.areRead) jars.#library = await import('tough-cookie');
    return jars;
  }

  /**
   * @param {Scope} scope of the iteration that the jar is for
   * @returns {IterationJar}
   */
  create(scope) {
    const jar = new IterationJar(this.#load().CookieJar);
    for (const origin of this.#origins) this.provide(jar, new URL(origin), scope);
    return jar;
  }

  /**
   * Puts the cookies of the run into a jar, once for each host.
   *
   * @param {any} jar a hook may have put another one into env, which has its own cookies
   * @param {URL} url
   * @param {Scope} scope
   */
  provide(jar, url, scope) {
    if (this.ofRun === null || !(jar instanceof IterationJar) || jar.hosts.has(url.hostname)) return;
    jar.hosts.add(url.hostname);
    for (const [name, value] of Object.entries(this.ofRun(scope))) this.store(jar, `${name}=${value}; Path=/`, url);
  }

  /**
   * Stores the cookie of a Set-Cookie field. One that cannot be stored is ignored (RFC 6265 5.3).
   *
   * @param {any} jar
   * @param {string} line the value of the field
   * @param {URL} url that sent it
   */
  store(jar, line, url) {
    const own = storeOf(jar);
    if (own.store instanceof CookieStore && own.store.accept(line, url, this.#load())) return;
    const cookie = readSetCookie(line, this.#load().Cookie);
    if (cookie) own.setCookieSync(cookie.key === '' ? cookie : line, url, { ignoreError: true });
  }

  /**
   * The cookies that a jar has for a request.
   *
   * @param {any} jar
   * @param {URL} url of the request
   * @returns {string} the value of the Cookie field; empty if there are none
   */
  fieldFor(jar, url) {
    const own = storeOf(jar);
    const field = own.store instanceof CookieStore ? own.store.fieldFor(url, this.#load()) : null;
    return field ?? own.getCookieStringSync(url);
  }

  /**
   * If no file can be opened, an import would fail for the rest of the process; this can be repeated.
   * @type {() => ToughCookie}
   */
  #load() {
    return (this.#library ??= /** @type {ToughCookie} */ (createRequire(import.meta.url)('tough-cookie')));
  }
}

/** Iterations have a jar each; `before` and `after` share one. @type {(flow: CompiledFlow) => boolean} */
function mayReadJar({ before, beforeMain, main, afterMain, after }) {
  return [
    [before, after],
    [beforeMain, main, afterMain],
  ].some((phases) => phases.flat().some(hasHooks) || cookieSteps(phases) > 1);
}

/** Operations of an iteration that read or store cookies. @type {(phases: Step[][]) => number} */
function cookieSteps(phases) {
  return slotCount(phases.map((steps) => steps.filter(({ hasCookies }) => hasCookies)));
}

/** @type {(step: Step) => boolean} */
function hasHooks({ beforeHooks, afterHooks }) {
  return beforeHooks.length + afterHooks.length > 0;
}

/**
 * @typedef {Parameters<CookieJar['setCookieSync']>} SetArguments
 * @typedef {Parameters<CookieJar['getCookiesSync']>} GetArguments
 */

/**
 * The cookies of an iteration. Its methods return values, as those of `request.jar()` do, on which hooks written for
 * bench-rest 1 rely; those of tough-cookie return promises. Like that jar it accepts cookies without a name.
 */
export class IterationJar {
  /** @param {typeof CookieJar} Jar of tough-cookie */
  constructor(Jar) {
    /** `request.jar()` has it under this name, too: for what the methods here do not offer */
    this._jar = new Jar(/** @type {any} */ (new CookieStore()), { looseMode: true });
    /** hosts that have got the cookies of the run */
    this.hosts = new Set();
  }

  /** @type {(cookie: SetArguments[0], url: SetArguments[1], options?: SetArguments[2]) => Cookie | undefined} */
  setCookie(cookie, url, options) {
    return this._jar.setCookieSync(cookie, url, options);
  }

  /** @type {(url: GetArguments[0], options?: GetArguments[1]) => Cookie[]} */
  getCookies(url, options) {
    return this._jar.getCookiesSync(url, options);
  }

  /** @type {(url: GetArguments[0], options?: GetArguments[1]) => string} */
  getCookieString(url, options) {
    return this._jar.getCookieStringSync(url, options);
  }
}

/**
 * The jar of tough-cookie in a jar: a hook may put one of its own into `env.jar`, made by tough-cookie or by the
 * request library.
 * @type {(jar: any) => CookieJar}
 */
export function storeOf(jar) {
  return jar?._jar ?? jar;
}

/** A Set-Cookie field with a Domain attribute. */
const HAS_DOMAIN = /;\s*domain/i;

/**
 * @typedef {typeof import('tough-cookie')} ToughCookie
 * @typedef {Pick<URL, 'protocol' | 'hostname' | 'pathname'>} UrlParts
 * @typedef {(error: null, result?: any) => void} Callback
 */

/**
 * The store of a jar that is used for one iteration, and so has few cookies: a list. That of tough-cookie looks up each
 * host in the list of public suffixes to find the domains above it. Here the jar compares all cookies, as it does with
 * those that it gets from any store (RFC 6265 5.4); it accepts none for a public suffix. One cookie that is stored and
 * sent three times takes 3.1 us of CPU time instead of 13, and 1.5 with {@link CookieStore.accept} and {@link
 * CookieStore.fieldFor} (bench/micro/iteration/session/cookie-jars.js).
 *
 * The methods are those of a Store of tough-cookie, with a callback or a promise.
 */
export class CookieStore {
  synchronous = true;
  /** replaced when a cookie is removed, which the jar does while it reads the list @type {Cookie[]} */
  #cookies = [];

  /**
   * Stores the cookie of a Set-Cookie field, as `setCookie` of the jar does (RFC 6265 5.3).
   *
   * @param {string} line the value of the field
   * @param {UrlParts} url that sent it
   * @param {ToughCookie} library
   * @returns {boolean} true if it is stored, or to be ignored; false if the jar has to decide: it checks domains
   *   against the public suffixes, and the attributes that a prefix of the name demands, such as `__Host-`
   */
  accept(line, url, { Cookie, defaultPath }) {
    if (!isPlain(url) || HAS_DOMAIN.test(line)) return false;
    const cookie = readSetCookie(line, Cookie);
    if (!cookie) return true;
    if (cookie.key.startsWith('__') || (cookie.secure && !isSecure(url.protocol))) return false;
    cookie.domain = url.hostname;
    cookie.hostOnly = true;
    if (!cookie.path) {
      cookie.path = defaultPath(url.pathname);
      cookie.pathIsDefault = true;
    }
    cookie.lastAccessed = cookie.creation;
    const at = this.#find(cookie);
    if (at >= 0) {
      const old = this.#cookies[at];
      cookie.creation = old.creation;
      cookie.creationIndex = old.creationIndex;
    }
    this.#put(cookie, at);
    return true;
  }

  /**
   * The Cookie field of a request, as `getCookieString` of the jar writes it (RFC 6265 5.4). The jar examines the URL
   * anew for each request.
   *
   * @param {UrlParts} url
   * @param {ToughCookie} library
   * @returns {string | null} null if the jar has to decide: it removes what has expired, and trusts some hosts
   *   without TLS
   */
  fieldFor(url, { cookieCompare, domainMatch, pathMatch }) {
    if (!isPlain(url)) return null;
    const { protocol, hostname, pathname } = url;
    const now = new Date();
    /** @type {Cookie[]} */
    const sent = [];
    for (const cookie of this.#cookies) {
      const { domain, path, hostOnly, secure } = cookie;
      if (typeof path !== 'string' || (secure && !isSecure(protocol))) return null;
      const isOfHost = hostOnly ? domain === hostname : domainMatch(hostname, domain ?? undefined, false);
      if (!isOfHost || !pathMatch(pathname, path)) continue;
      if (Number(cookie.expiryTime()) <= now.getTime()) return null;
      sent.push(cookie);
    }
    // Max-Age counts from the last access
    for (const cookie of sent) cookie.lastAccessed = now;
    if (sent.length === 1) return sent[0].cookieString();
    return sent
      .sort(cookieCompare)
      .map((cookie) => cookie.cookieString())
      .join('; ');
  }

  /** @type {(domain: string | null, path: string | null, key: string | null, callback?: Callback) => any} */
  findCookie(domain, path, key, callback) {
    return settle(this.#cookies[this.#find({ domain, path, key })], callback);
  }

  /**
   * The jar selects those of the host and the path.
   * @type {(domain: string | null, path: string | null, allowSpecialUseDomain?: boolean | Callback, callback?:
   *   Callback) => any}
   */
  findCookies(_domain, _path, allowSpecialUseDomain, callback) {
    return settle(this.#cookies, typeof allowSpecialUseDomain === 'function' ? allowSpecialUseDomain : callback);
  }

  /** @type {(cookie: Cookie, callback?: Callback) => any} */
  putCookie(cookie, callback) {
    this.#put(cookie, this.#find(cookie));
    return settle(undefined, callback);
  }

  /** @type {(oldCookie: Cookie, newCookie: Cookie, callback?: Callback) => any} */
  updateCookie(_oldCookie, newCookie, callback) {
    return this.putCookie(newCookie, callback);
  }

  /** @type {(domain: string | null, path: string | null, key: string | null, callback?: Callback) => any} */
  removeCookie(domain, path, key, callback) {
    const removed = this.#cookies[this.#find({ domain, path, key })];
    return this.#keep((cookie) => cookie !== removed, callback);
  }

  /** @type {(domain: string, path: string | null, callback?: Callback) => any} */
  removeCookies(domain, path, callback) {
    return this.#keep((cookie) => cookie.domain !== domain || (Boolean(path) && cookie.path !== path), callback);
  }

  /** @type {(callback?: Callback) => any} */
  removeAllCookies(callback) {
    return this.#keep(() => false, callback);
  }

  /** @type {(callback?: Callback) => any} */
  getAllCookies(callback) {
    return settle(this.#cookies.slice(), callback);
  }

  /** @type {(cookie: { domain: string | null, path: string | null, key: string | null }) => number} */
  #find({ domain, path, key }) {
    return this.#cookies.findIndex((one) => one.key === key && one.path === path && one.domain === domain);
  }

  /** @type {(cookie: Cookie, at: number) => void} */
  #put(cookie, at) {
    if (at < 0) this.#cookies.push(cookie);
    else this.#cookies[at] = cookie;
  }

  /** @type {(isKept: (cookie: Cookie) => boolean, callback?: Callback) => any} */
  #keep(isKept, callback) {
    this.#cookies = this.#cookies.filter(isKept);
    return settle(undefined, callback);
  }
}

/**
 * The jar normalizes host names and paths before it compares them. These are normalized already.
 * @type {(url: UrlParts) => boolean}
 */
function isPlain({ hostname, pathname }) {
  return !hostname.startsWith('.') && pathname !== '' && !pathname.includes('%');
}

/** @type {(result: any, callback?: Callback) => any} */
function settle(result, callback) {
  return callback ? callback(null, result) : Promise.resolve(result);
}

/** of a name with its value, and of the value of an attribute, in bytes */
const MOST = 4096;
const MOST_OF_ATTRIBUTE = 1024;
/** those that tough-cookie reads otherwise: nameless ones, control characters, and long ones */
const SPECIAL = /^[ \t]*(?:=|[^=;]*(?:;|$))|[\u0000-\u0008\u000a-\u001f\u007f]/;
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;
/** a cookie without a name could pass for one whose name has a prefix */
const PREFIX = /^__(?:secure|host)-/i;

/**
 * Reads a Set-Cookie field as browsers do (RFC 6265bis 5.6 and 5.7). tough-cookie reads `=a=b` as the name `a`, keeps a
 * cookie without name and value, and has no limits of size.
 *
 * @param {string} line the value of the field
 * @param {typeof Cookie} parser of tough-cookie
 * @returns {Cookie | undefined} undefined if it is to be ignored
 */
export function readSetCookie(line, parser) {
  if (line.length <= MOST_OF_ATTRIBUTE && !SPECIAL.test(line)) return parser.parse(line, { loose: true });
  if (CONTROL.test(line)) return undefined;
  const [pair, ...attributes] = line.split(';');
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, at)).trim();
  const value = pair.slice(at + 1).trim();
  const size = Buffer.byteLength(name) + Buffer.byteLength(value);
  if (size === 0 || size > MOST || (name === '' && PREFIX.test(value))) return undefined;
  const kept = attributes.filter((attribute) => Buffer.byteLength(valueOf(attribute)) <= MOST_OF_ATTRIBUTE);
  const cookie = parser.parse([`${name || 'nameless'}=${value}`, ...kept].join(';'), { loose: true });
  if (cookie) cookie.key = name;
  return cookie;
}

/** @type {(attribute: string) => string} */
function valueOf(attribute) {
  const at = attribute.indexOf('=');
  return at < 0 ? '' : attribute.slice(at + 1).trim();
}
