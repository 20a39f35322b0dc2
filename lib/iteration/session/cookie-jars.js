import { createRequire } from 'node:module';

import { slotCount } from '../../slots.js';
import { IterationJar, storeOf } from './cookie-jar.js';
import { CookieStore } from './cookie-store.js';
import { readSetCookie } from './set-cookie.js';

/**
 * @import { CompiledFlow, Scope, Step } from '../../flow/types.js'
 * @import { ToughCookie } from './cookie-store.js'
 *
 * @typedef {object} CookiesOfRun cookies that the run gives to every virtual user
 * @property {(scope: Scope) => Record<string, string>} cookies
 * @property {string[]} origins of the flow: jars have the cookies for these from the start
 */

/**
 * The cookie jars of a thread. tough-cookie takes 45 ms of CPU to load, most of it for the list of public suffixes, so it
 * is loaded before the run only if a hook or a later operation can read a jar. In other flows only a request that follows
 * a redirect can read one; the first redirect that sets a cookie loads it then.
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

  /**
   * @param {CompiledFlow} flow
   * @param {CookiesOfRun} [ofRun]
   * @returns {Promise<CookieJars>}
   */
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

  /** If no file can be opened, an import would fail for the rest of the process; this can be repeated. @type {() => ToughCookie} */
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
