import { createRequire } from 'node:module';

import { IterationJar } from './cookie-jar.js';

/**
 * @import { CookieJar } from 'tough-cookie'
 * @import { CompiledFlow, Step } from '../../flow/types.js'
 */

/**
 * The cookie jars of a thread. tough-cookie takes 45 ms of CPU to load, most of it for the list of public suffixes, so it
 * is loaded before the run only if a hook or a later operation can read a jar. In other flows only a request that follows
 * a redirect can read one; the first redirect that sets a cookie loads it then.
 */
export class CookieJars {
  /** @type {typeof CookieJar | null} */
  #CookieJar = null;

  /**
   * @param {CompiledFlow} flow
   * @returns {Promise<CookieJars>}
   */
  static async open(flow) {
    const jars = new CookieJars();
    // the same module that a hook would import
    if (mayReadJar(flow)) jars.#CookieJar = (await import('tough-cookie')).CookieJar;
    return jars;
  }

  /** Hooks or later operations can read a jar. */
  get areRead() {
    return this.#CookieJar !== null;
  }

  /** @returns {IterationJar} */
  create() {
    return new IterationJar(this.#CookieJar ?? requireCookieJar());
  }
}

/** Iterations have a jar each; `before` and `after` share one. @type {(flow: CompiledFlow) => boolean} */
function mayReadJar({ before, beforeMain, main, afterMain, after }) {
  return [
    [...before, ...after],
    [...beforeMain, ...main, ...afterMain],
  ].some((steps) => steps.some(hasHooks) || steps.filter(({ hasCookies }) => hasCookies).length > 1);
}

/** @type {(step: Step) => boolean} */
function hasHooks({ beforeHooks, afterHooks }) {
  return beforeHooks.length + afterHooks.length > 0;
}

/** If no file can be opened, an import would fail for the rest of the process; this can be repeated. @type {() => typeof CookieJar} */
function requireCookieJar() {
  return createRequire(import.meta.url)('tough-cookie').CookieJar;
}
