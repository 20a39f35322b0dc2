import { isStructure, Native, object, Sym, unknown } from './values.js';

/** @import { Script } from './script.js' */
/** @import { Value } from './values.js' */

/** The cookies of jars: a list of those that the script sets. @type {WeakMap<Value, any[]>} */
export const jars = new WeakMap();

/** @type {(script: Script) => Value} */
export function newJar(script) {
  /** @type {any[]} */
  const cookies = [];
  const remove = (/** @type {string} */ kind) =>
    new Native(kind, ([url, name], node) => {
      const at = originOf(url);
      if (at === undefined) return script.leave(node, 'whose cookies it removes is not known');
      if (script.phase.lastSent()) script.leave(node, 'cookies of responses stay in the flow: write jar: false');
      const isRemoved = (/** @type {any} */ one) => one.origin === at && (kind === 'clear' || one.name === name);
      cookies.splice(0, Infinity, ...cookies.filter((one) => !isRemoved(one)));
    });
  const jar = object({
    set: new Native('set', ([url, name, value, settings], node) => {
      const origin = originOf(url);
      const { path = '/' } = isStructure(settings) ? settings : {};
      if (origin === undefined || typeof name !== 'string' || typeof path !== 'string')
        return script.leave(node, 'which cookie it sets is not known');
      cookies.push({
        origin,
        name,
        value,
        path,
        isLimited: settings?.domain !== undefined || settings?.expires !== undefined,
      });
    }),
    clear: remove('clear'),
    delete: remove('delete'),
    cookiesForURL: new Native('cookiesForURL', (_, node) => unknown(node, 'a jar of k6 has no equivalent')),
  });
  jars.set(jar, cookies);
  return jar;
}

/** The origin of a URL, if its beginning is known. @type {(url: Value) => string | undefined} */
export function originOf(url) {
  const text = url instanceof Sym ? /** @type {any} */ (url).parts?.[0] : url;
  return typeof text === 'string' ? /^https?:\/\/([^/?#]+)(?=[/?#]|$)/.exec(text)?.[1] : undefined;
}
