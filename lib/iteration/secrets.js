import { isSecretName } from '../text/secret-names.js';

/**
 * @import { Capture } from '../flow/captures/types.js'
 * @import { Request } from '../flow/types.js'
 * @import { Env } from './env.js'
 * @import { ResponseReader } from './response-reader.js'
 *
 * @typedef {Pick<Env, 'index' | 'vars' | 'data' | 'password'>} SecretScope
 *
 * @typedef {object} SecretParts where secrets of an iteration are
 * @property {SecretScope} env
 * @property {Pick<Request, 'fields' | 'extra'> | null} [request] the last one
 * @property {Pick<Capture, 'name' | 'read'>[]} [captures] of its operation
 * @property {ResponseReader | null} [received] its response
 */

const MOST_TEXTS = 1000;
const MOST_LEVELS = 5;
const SCHEME = /^\s*(\S+)\s+/;

/**
 * Collects the secrets of an iteration, for the messages about it: values of variables and columns whose names mark them as
 * secrets, what such captures find in the response, and the credentials and cookies of the request.
 *
 * @param {SecretParts} parts
 * @returns {string[]} at most 1,000
 */
export function secretsOf({ env, request = null, captures = [], received = null }) {
  /** @type {Set<string>} */
  const found = new Set();
  const add = (/** @type {unknown} */ value) => addTexts(value, found);
  const steps = [
    () => add(env.password),
    () => addNamed(env.vars, add),
    ...rowsOf(env).map((read) => () => addNamed(read(), add)),
    ...fieldsOf(request).map(
      ([name, value]) =>
        () =>
          textsOfField(name, value).forEach(add),
    ),
  ];
  if (received !== null) {
    steps.push(() => [received.headers['set-cookie'] ?? []].flat().forEach((line) => add(cookieValue(line))));
    for (const { name, read } of captures) if (isSecretName(name)) steps.push(() => add(read(received)));
  }
  for (const step of steps) {
    try {
      step();
    } catch {
      // a hook put there what cannot be read, or there is no row: the message is about something else
    }
  }
  return [...found];
}

/** The properties whose names mark them as secrets, inherited ones too. @type {(object: Record<string, unknown>, add: (value: unknown) => void) => void} */
function addNamed(object, add) {
  for (const name in object) if (isSecretName(name)) add(object[name]);
}

/** A text, a number, or those in an object or an array. @type {(value: unknown, found: Set<string>, level?: number) => void} */
function addTexts(value, found, level = 0) {
  if (found.size >= MOST_TEXTS) return;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') found.add(String(value));
  else if (typeof value === 'object' && value !== null && level < MOST_LEVELS)
    for (const item of Object.values(value)) addTexts(item, found, level + 1);
}

/** Functions that read the rows of an iteration; `before` and `after` have none. @type {(env: SecretScope) => (() => Record<string, unknown>)[]} */
function rowsOf(env) {
  return env.index === undefined ? [] : Object.keys(env.data).map((name) => () => env.data[name]);
}

/** @type {(request: SecretParts['request']) => [name: string, value: string][]} */
function fieldsOf(request) {
  const all = request ? [...request.fields, ...(request.extra ?? [])] : [];
  return all.flatMap((name, i) => (i % 2 === 0 && isSecretName(name) ? [[name, String(all[i + 1])]] : []));
}

/** What is secret in the value of a header field. @type {(name: string, value: string) => string[]} */
function textsOfField(name, value) {
  if (/^cookie$/i.test(name)) return value.split(';').map(cookieValue);
  if (!/authorization$/i.test(name)) return [value];
  const credentials = value.replace(SCHEME, '');
  const isBasic = SCHEME.exec(value)?.[1].toLowerCase() === 'basic';
  return isBasic ? [credentials, ...passwordOf(credentials)] : [credentials];
}

/** @type {(credentials: string) => string[]} */
function passwordOf(credentials) {
  const decoded = Buffer.from(credentials, 'base64').toString();
  const colon = decoded.indexOf(':');
  return colon < 0 ? [] : [decoded.slice(colon + 1)];
}

/** Of `name=value; Path=/`. @type {(cookie: string) => string} */
function cookieValue(cookie) {
  const [pair] = cookie.split(';', 1);
  return pair.slice(pair.indexOf('=') + 1).trim();
}
