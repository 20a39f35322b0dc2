import { withoutSpace } from '../http/field-values.js';
import { isSecretName } from '../text/mask.js';

/** @import { Capture } from '../contracts/expectation.js' */
/** @import { Request } from '../contracts/request.js' */
/** @import { Env } from './iteration.js' */
/** @import { ResponseReader } from './response-reader.js' */

/** @typedef {Pick<Env, 'index' | 'vars' | 'data' | 'password'>} SecretScope */

/**
 * @typedef {object} SecretSources where secrets of an iteration are
 * @property {SecretScope} env
 * @property {Pick<Request, 'fields' | 'extra'> | null} [request] the last one
 * @property {Pick<Capture, 'name' | 'read'>[]} [captures] of its operation
 * @property {ResponseReader | null} [received] its response
 */

const MOST_TEXTS = 1000;
const MOST_LEVELS = 5;
const SCHEME = /^\s*(\S+)\s+/;

/**
 * Collects the secrets of an iteration (at most 1,000), for the messages about it: values of variables and columns
 * whose names mark them as secrets, those that such captures find in the response, and the credentials and cookies of
 * the request.
 * @type {(parts: SecretSources) => string[]}
 */
export function secretsOf({ env, request = null, captures = [], received = null }) {
  /** @type {Set<string>} */
  const found = new Set();
  const add = (/** @type {unknown} */ value) => addTexts(value, found);
  attempt(() => add(env.password));
  attempt(() => addNamed(env.vars, add));
  // `before` and `after` have no rows.
  const feeders = env.index === undefined ? [] : Object.keys(env.data);
  for (const name of feeders) attempt(() => addNamed(env.data[name], add));
  for (const [name, value] of fieldsOf(request)) textsOfField(name, value).forEach(add);
  if (received !== null) {
    attempt(() => [received.headers['set-cookie'] ?? []].flat().forEach((line) => add(cookieValue(line))));
    for (const { name, read } of captures) if (isSecretName(name)) attempt(() => add(read(received)));
  }
  return [...found];
}

/** Reads what may throw: a hook set an unreadable value, or there is no row. @type {(read: () => void) => void} */
function attempt(read) {
  try {
    read();
  } catch {
    // The message whose secrets are collected is about something else.
  }
}

/** Inherited ones count, too. @type {(object: Record<string, unknown>, add: (value: unknown) => void) => void} */
function addNamed(object, add) {
  for (const name in object) if (isSecretName(name)) attempt(() => add(object[name]));
}

/** @type {(value: any, found: Set<string>, level?: number) => void} */
function addTexts(value, found, level = 0) {
  if (found.size >= MOST_TEXTS) return;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') found.add(String(value));
  else if (Buffer.isBuffer(value)) found.add(value.toString());
  else if (typeof value === 'object' && value !== null && level < MOST_LEVELS)
    for (const name of Object.keys(value)) attempt(() => addTexts(value[name], found, level + 1));
}

/** @type {(request: SecretSources['request']) => [name: string, value: string][]} */
function fieldsOf(request) {
  const all = request ? [...request.fields, ...(request.extra ?? [])] : [];
  return all.flatMap((name, i) => (i % 2 === 0 && isSecretName(name) ? [[name, String(all[i + 1])]] : []));
}

/** Lists the secrets in the value of a header field. @type {(name: string, value: string) => string[]} */
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

/** Returns the value in `name=value; Path=/`. @type {(cookie: string) => string} */
function cookieValue(cookie) {
  const [pair] = cookie.split(';', 1);
  return withoutSpace(pair.slice(pair.indexOf('=') + 1));
}
