import { isIP } from 'node:net';

import { readSetCookie } from '../../http/field-values.js';
import { isLoopback, isSecure } from '../../http/url-parts.js';

/** @import { Cookie } from 'tough-cookie' */

/** Cookies of a jar; RFC 6265bis 6.1 recommends at least as many. */
const MAX_COOKIES = 3000;
/** The last ms since 1970 that a Date can represent. */
const LAST_DATE = 8.64e15;

/** @typedef {typeof import('tough-cookie')} ToughCookie */
/** @typedef {Pick<URL, 'protocol' | 'hostname' | 'pathname'>} UrlParts */
/** @typedef {(error: null, result?: any) => void} Callback */

/**
 * The store of a jar that is used for one iteration, and so has few cookies: a list in the order of their creation.
 * Responses use {@link CookieStore.receive} and requests {@link CookieStore.fieldFor}, which follow RFC 6265bis step by
 * step; hooks use the jar of tough-cookie, which calls the other methods. One cookie that is stored and sent three
 * times takes a tenth of the CPU time that the jar of tough-cookie takes with its store
 * (bench/micro/iteration/session/cookie-store.js).
 *
 * The methods for tough-cookie are those of its Store, with a callback or a promise. A key there is domain, path and
 * name: hooks set few cookies, and its interface has no host-only flag.
 */
export class CookieStore {
  synchronous = true;
  /** The list is replaced when a cookie is removed, which the jar does while it reads the list. @type {Cookie[]} */
  #cookies = [];

  /**
   * Stores the cookie of a Set-Cookie field that a URL sent (RFC 6265bis 5.7; the numbers are those of its steps). One
   * that it refuses is ignored.
   * @type {(line: string, url: UrlParts, library: ToughCookie) => void}
   */
  receive(line, url, library) {
    const read = readSetCookie(line); // 3, 4
    if (read === undefined || (read.name === '' && read.value === '')) return; // 2
    const cookie = new library.Cookie({ key: read.name, value: read.value }); // 5
    for (const [name, value] of read.attributes) setAttribute(cookie, name, value, library); // 12, 14, 17
    if (!setDomain(cookie, hostOf(url), library)) return; // 7 to 10
    if (!cookie.path) {
      cookie.path = library.defaultPath(url.pathname); // 11
      cookie.pathIsDefault = true;
    }
    if (!isTrusted(url) && (cookie.secure || this.#overlaysSecure(cookie, library))) return; // 13, 16
    if (isAllowed(cookie)) this.put(cookie);
  }

  /** RFC 6265bis 5.8.3; empty: no cookies. @type {(url: UrlParts, library: ToughCookie) => string} */
  fieldFor(url, { domainMatch, pathMatch }) {
    const host = hostOf(url);
    const now = new Date();
    /** @type {Cookie[]} */
    const sent = [];
    for (const cookie of this.#cookies) {
      const { domain, path, hostOnly, secure } = cookie;
      if (!(hostOnly ? domain === host : domainMatch(host, domain ?? undefined, false))) continue;
      if (path !== null && !pathMatch(url.pathname, path)) continue;
      if (secure && !isTrusted(url)) continue;
      if (isExpired(cookie, now.getTime())) this.#remove(cookie);
      else sent.push(cookie);
    }
    for (const cookie of sent) cookie.lastAccessed = now;
    if (sent.length === 1) return sent[0].cookieString();
    return sent
      .sort((a, b) => (b.path ?? '').length - (a.path ?? '').length)
      .map((cookie) => cookie.cookieString())
      .join('; ');
  }

  /**
   * Stores a cookie with domain and path (RFC 6265bis 5.7). Its Max-Age becomes a date: tough-cookie would count it
   * from the last access.
   * @type {(cookie: Cookie) => void}
   */
  put(cookie) {
    cookie.lastAccessed ??= cookie.creation;
    if (cookie.maxAge !== null) {
      const time = Number(cookie.expiryTime());
      cookie.expires = new Date(Math.max(0, Math.min(time, LAST_DATE))); // 6
      cookie.maxAge = null;
    }
    const at = this.#cookies.findIndex((one) => one.hostOnly === cookie.hostOnly && isSame(one, cookie)); // 23
    if (at >= 0) {
      const old = this.#cookies[at];
      cookie.creation = old.creation;
      cookie.creationIndex = old.creationIndex;
      this.#cookies[at] = cookie;
    } else this.#cookies.push(cookie); // 24
    if (isExpired(cookie, Date.now())) this.#remove(cookie);
    else this.#evict();
  }

  /** Returns a store with the same cookies; their method `clone` parses JSON. @type {() => CookieStore} */
  copy() {
    const store = new CookieStore();
    store.#cookies = this.#cookies.map((cookie) => {
      const { creationIndex } = cookie;
      return Object.assign(Object.create(Object.getPrototypeOf(cookie)), cookie, { creationIndex });
    });
    return store;
  }

  /** @type {(domain: string | null, path: string | null, key: string | null, callback?: Callback) => any} */
  findCookie(domain, path, key, callback) {
    this.#evictExpired();
    return answer(
      this.#cookies.find((one) => isSame(one, { domain, path, key })),
      callback,
    );
  }

  /**
   * Returns all cookies: the jar selects those of the host and the path.
   * @type {(domain: string | null, path: string | null, allowSpecialUseDomain?: boolean | Callback, callback?:
   *   Callback) => any}
   */
  findCookies(_domain, _path, allowSpecialUseDomain, callback) {
    this.#evictExpired();
    return answer(this.#cookies, typeof allowSpecialUseDomain === 'function' ? allowSpecialUseDomain : callback);
  }

  /** @type {(cookie: Cookie, callback?: Callback) => any} */
  putCookie(cookie, callback) {
    this.put(cookie);
    return answer(undefined, callback);
  }

  /** @type {(oldCookie: Cookie, newCookie: Cookie, callback?: Callback) => any} */
  updateCookie(_oldCookie, newCookie, callback) {
    return this.putCookie(newCookie, callback);
  }

  /** @type {(domain: string | null, path: string | null, key: string | null, callback?: Callback) => any} */
  removeCookie(domain, path, key, callback) {
    this.#keep((one) => !isSame(one, { domain, path, key }));
    return answer(undefined, callback);
  }

  /** @type {(domain: string, path: string | null, callback?: Callback) => any} */
  removeCookies(domain, path, callback) {
    this.#keep((cookie) => cookie.domain !== domain || (Boolean(path) && cookie.path !== path));
    return answer(undefined, callback);
  }

  /** @type {(callback?: Callback) => any} */
  removeAllCookies(callback) {
    this.#cookies = [];
    return answer(undefined, callback);
  }

  /** @type {(callback?: Callback) => any} */
  getAllCookies(callback) {
    this.#evictExpired();
    return answer(this.#cookies.slice(), callback);
  }

  /** @type {(isKept: (cookie: Cookie) => boolean) => void} */
  #keep(isKept) {
    this.#cookies = this.#cookies.filter(isKept);
  }

  /** A method, as a closure in a loop would cost time for every cookie. @type {(cookie: Cookie) => void} */
  #remove(cookie) {
    this.#keep((one) => one !== cookie);
  }

  #evictExpired() {
    const now = Date.now();
    this.#keep((cookie) => !isExpired(cookie, now));
  }

  /** Removes the expired cookies, or else the one that was not sent for the longest time. @type {() => void} */
  #evict() {
    this.#evictExpired();
    if (this.#cookies.length <= MAX_COOKIES) return;
    const oldest = this.#cookies.reduce((one, other) =>
      Number(other.lastAccessed) < Number(one.lastAccessed) ? other : one,
    );
    this.#remove(oldest);
  }

  /** http: must not replace a Secure one. @type {(cookie: Cookie, library: ToughCookie) => boolean} */
  #overlaysSecure({ key, domain, path }, { domainMatch, pathMatch }) {
    const own = String(domain);
    return this.#cookies.some((one) => {
      if (!one.secure || one.key !== key || !pathMatch(String(path), String(one.path))) return false;
      const other = String(one.domain);
      return (domainMatch(own, other, false) || domainMatch(other, own, false)) && !isExpired(one, Date.now());
    });
  }
}

/** @type {(result: any, callback?: Callback) => any} */
function answer(result, callback) {
  return callback ? callback(null, result) : Promise.resolve(result);
}

/** @typedef {{ domain: string | null, path: string | null, key: string | null }} CookieKey */

/** @type {(one: CookieKey, other: CookieKey) => boolean} */
function isSame(one, other) {
  return one.key === other.key && one.path === other.path && one.domain === other.domain;
}

/**
 * A Date is read here, as `expiryTime` compares it with the text `Infinity`, and to format it for that takes 0.9 us.
 * @type {(cookie: Cookie, now: number) => boolean}
 */
function isExpired(cookie, now) {
  const { expires, maxAge } = cookie;
  const time = maxAge === null && expires instanceof Date ? expires.getTime() : Number(cookie.expiryTime());
  return time <= now;
}

/** URLs have brackets around IPv6, endpoints and cookies do not. @type {(url: { hostname: string }) => string} */
export function hostOf({ hostname }) {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** As in browsers, a connection to this machine counts as secure. @type {(url: UrlParts) => boolean} */
function isTrusted(url) {
  return isSecure(url.protocol) || isLoopback(hostOf(url));
}

/** RFC 6265bis 5.6.1 to 5.6.7 @type {(cookie: Cookie, name: string, value: string, library: ToughCookie) => void} */
function setAttribute(cookie, name, value, { parseDate }) {
  switch (name.toLowerCase()) {
    case 'expires':
      cookie.expires = parseDate(value) ?? cookie.expires;
      break;
    case 'max-age':
      if (/^-?\d+$/.test(value)) cookie.maxAge = Number(value);
      break;
    case 'domain':
      // It has no brackets around an IPv6 address.
      cookie.domain = value
        .toLowerCase()
        .replace(/^\./, '')
        .replace(/^\[([^:\]]*:[^\]]*)\]$/, '$1');
      break;
    case 'path':
      cookie.path = value.startsWith('/') ? value : null;
      break;
    case 'secure':
      cookie.secure = true;
      break;
    case 'httponly':
      cookie.httpOnly = true;
      break;
    case 'samesite':
      cookie.sameSite = /^(?:strict|lax|none)$/i.test(value) ? value.toLowerCase() : undefined;
      break;
    default:
      if (name !== '') (cookie.extensions ??= []).push(value === '' ? name : `${name}=${value}`);
  }
}

/**
 * Replaces the Domain attribute by the domain of the cookie.
 * @type {(cookie: Cookie, host: string, library: ToughCookie) => boolean} false if the attribute is not of this host
 */
function setDomain(cookie, host, { domainMatch, getPublicSuffix }) {
  const { domain } = cookie;
  cookie.hostOnly = !domain;
  cookie.domain = domain || host;
  if (!domain) return true;
  if (!domainMatch(host, domain, false)) return false;
  if (isIP(domain) !== 0 || getPublicSuffix(domain, { ignoreError: true }) !== undefined) return true;
  // The domain is a public suffix.
  cookie.hostOnly = true;
  return domain === host;
}

const PREFIX = /^__(?:(secure)|host)-/i;

/** Checks the attributes that SameSite=None and the prefix of a name require. @type {(cookie: Cookie) => boolean} */
function isAllowed({ key, value, secure, sameSite, hostOnly, path, pathIsDefault }) {
  if (sameSite === 'none' && !secure) return false; // 19
  const prefix = (key || value).startsWith('__') ? PREFIX.exec(key || value) : null;
  if (prefix === null) return true;
  if (key === '' || !secure) return false; // 20, 22
  return prefix[1] !== undefined || Boolean(hostOnly && path === '/' && !pathIsDefault); // 21
}
