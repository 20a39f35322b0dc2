import { anyText } from '../text/format-value.js';
import { maskText } from '../text/mask.js';
import { isNamedByBody } from './bodies/index.js';
import { METHOD_KEYS, PROPERTIES } from './properties.js';
import { HTTP, protocolOf } from './protocols/index.js';
import { PLAIN_PATH } from './request-url.js';
import { methodAndUrl, nameOf } from './request.js';
import { hasToken } from './tokens/index.js';

/** @import { Operation, Step } from '../contracts/step.js' */
/** @import { PlacedOperation, CompilerContext, Sequence } from './types.js' */

/** @typedef {{ operation: Operation, step: Step }} Model the latest operation with its key, compiled */

/** An optional origin, and a path with its query. */
const PLAIN_URL = /^(https?:\/\/[a-z\d.-]+(?::\d+)?)?(\/.*)$/i;

/** Properties in which siblings may differ, because they do not change how a request is sent. */
const MAY_DIFFER = ['name', 'group', 'weight'];

/**
 * Operations that differ only in their path, as those of a list of URLs, share what is compiled from the first of them,
 * their model. The compiler replaces nothing in a sibling: what it would join with the path (`qs`), or replace in a
 * property that may differ (arguments), makes an operation no sibling.
 *
 * Measured with `oneOf` of 100,000 URLs, on a machine of two cores that did other work too: 1.3 s and 74 MB, and 9 to
 * 14 s and 470 MB if each is compiled.
 */
export class SiblingSteps {
  #canShare;
  /** By the property that holds the URL, and its origin: `get http://a`. @type {Map<string, Model>} */
  #models = new Map();
  /** A relative URL replaces the path of the base URL, which has none. */
  #hasPlainBase;

  /** @param {Pick<CompilerContext, 'run' | 'around' | 'flow'>} context */
  constructor({ run, around, flow }) {
    const { headers, cookies, baseUrl } = run;
    this.#canShare =
      around.beforeHooks.length + around.afterHooks.length === 0 &&
      Object.keys(flow.computedHeaders).length === 0 &&
      [...Object.values(headers), ...Object.values(cookies ?? {})].every((value) => !hasToken(anyText(value)));
    this.#hasPlainBase = baseUrl !== undefined && URL.canParse(baseUrl) && new URL(baseUrl).pathname === '/';
  }

  /** @type {(placed: PlacedOperation, opIndex: number, sequence: Sequence) => Step | null} */
  stepOf({ operation, where, choice, name, hasOrigin }, opIndex, { phase, scenario }) {
    const plain = this.#plain(operation);
    if (!plain) return null;
    const model = this.#models.get(plain.key);
    if (!model?.step.request || !isSibling(operation, model.operation)) return null;
    const { route } = model.step;
    const request = { ...model.step.request, path: plain.path };
    return {
      ...model.step,
      route: route && { method: route.method, path: plain.path },
      where,
      name: name ?? nameOf(operation, { hasOrigin }),
      phase,
      opIndex,
      scenario,
      choice,
      group: operation.group === undefined ? null : maskText(operation.group),
      request,
      render: () => request,
    };
  }

  /** Adds an operation that was compiled without problems. @type {(operation: Operation, steps: Step[]) => void} */
  add(operation, [step]) {
    const plain = this.#plain(operation);
    if (plain && isPlain(step)) this.#models.set(plain.key, { operation, step });
  }

  /** Null: it has no siblings. @type {(operation: Operation) => { path: string, key: string } | null} */
  #plain(operation) {
    if (operation.qs !== undefined) return null;
    const isNamedByUrl = !isNamedByBody(operation) && protocolOf(operation) === HTTP;
    if (!this.#canShare || !isNamedByUrl || !METHOD_KEYS.every((key) => isText(operation[key]))) return null;
    const { key, url } = methodAndUrl(operation);
    const [, authority = '', path] = PLAIN_URL.exec(String(url)) ?? [];
    if (path === undefined || !PLAIN_PATH.test(path) || (authority === '' && !this.#hasPlainBase)) return null;
    return { path, key: `${key} ${authority}` };
  }
}

/** @type {(value: unknown) => boolean} */
function isText(value) {
  return value === undefined || typeof value === 'string';
}

/** Reports whether no part depends on an iteration, or names its place in messages. @type {(step: Step) => boolean} */
function isPlain({ request, values, beforeHooks, afterHooks, checks, captures, control, variables }) {
  const own = [values, beforeHooks, afterHooks, checks, captures, variables];
  return request !== null && control === null && own.every(({ length }) => length === 0);
}

/** Only URL and MAY_DIFFER may differ. @type {(operation: Operation, model: Operation) => boolean} */
function isSibling(operation, model) {
  const { key: urlKey } = methodAndUrl(operation);
  const isAsInModel = Object.entries(operation).every(([name, value]) => {
    if (name === urlKey) return true;
    if (MAY_DIFFER.includes(name)) return isUsedAsWritten(name, value);
    return value === model[name] && Object.hasOwn(PROPERTIES, name);
  });
  return isAsInModel && Object.keys(model).every((name) => MAY_DIFFER.includes(name) || Object.hasOwn(operation, name));
}

/** Reports whether a value is valid, and has no token to replace. @type {(name: string, value: unknown) => boolean} */
function isUsedAsWritten(name, value) {
  return PROPERTIES[name].check(value) && !(typeof value === 'string' && hasToken(value));
}
