import { CookieStore } from './cookie-store.js';

/**
 * @import { Cookie, CookieJar } from 'tough-cookie'
 *
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
 * The jar of tough-cookie in a jar: a hook may put one of its own into `env.jar`, made by tough-cookie or by the request
 * library.
 *
 * @param {any} jar
 * @returns {CookieJar}
 */
export function storeOf(jar) {
  return jar?._jar ?? jar;
}
