import { isSecure } from '../../proxy-choice.js';
import { readSetCookie } from './set-cookie.js';

/** A Set-Cookie field with a Domain attribute. */
const HAS_DOMAIN = /;\s*domain/i;

/**
 * @import { Cookie } from 'tough-cookie'
 *
 * @typedef {typeof import('tough-cookie')} ToughCookie
 * @typedef {Pick<URL, 'protocol' | 'hostname' | 'pathname'>} UrlParts
 * @typedef {(error: null, result?: any) => void} Callback
 */

/**
 * The store of a jar that is used for one iteration, and so has few cookies: a list. That of tough-cookie looks up each
 * host in the list of public suffixes to find the domains above it. Here the jar compares all cookies, as it does with
 * those that it gets from any store (RFC 6265 5.4); it accepts none for a public suffix. One cookie that is stored and sent
 * three times takes 3.1 us of CPU time instead of 13, and 1.5 with {@link CookieStore.accept} and
 * {@link CookieStore.fieldFor} (bench/micro/iteration/session/cookie-store.js).
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
   * @returns {boolean} true if it is stored, or to be ignored; false if the jar has to decide: it checks domains against the public suffixes, and the attributes that a
   *   prefix of the name demands, such as `__Host-`
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
   * The Cookie field of a request, as `getCookieString` of the jar writes it (RFC 6265 5.4). The jar examines the URL anew for
   * each request.
   *
   * @param {UrlParts} url
   * @param {ToughCookie} library
   * @returns {string | null} null if the jar has to decide: it removes what has expired, and trusts some hosts without TLS
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

  /** The jar selects those of the host and the path. @type {(domain: string | null, path: string | null, allowSpecialUseDomain?: boolean | Callback, callback?: Callback) => any} */
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

/** The jar normalizes host names and paths before it compares them. These are normalized already. @type {(url: UrlParts) => boolean} */
function isPlain({ hostname, pathname }) {
  return !hostname.startsWith('.') && pathname !== '' && !pathname.includes('%');
}

/** @type {(result: any, callback?: Callback) => any} */
function settle(result, callback) {
  return callback ? callback(null, result) : Promise.resolve(result);
}
