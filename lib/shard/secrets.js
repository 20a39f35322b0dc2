import { isObject } from '../flow/record.js';
import { isSecretField, maskText } from '../text/mask.js';
import { MAX_DEPTH } from '../text/max-depth.js';

/** @import { Problems } from '../problems.js' */

/** Parts of an operation that are test data, and travel as they are. */
const DATA = ['body', 'json', 'form', 'formData', 'send', 'expect', 'capture', 'data', 'rows'];
/** The values in these objects are refused by their names. */
const FIELDS = ['headers', 'vars', 'tokens'];
const PASSWORDS = ['pass', 'password', 'bearer', 'passphrase'];
const TOKEN = /#[{<]/;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const USERINFO = /^[a-z][a-z\d+.-]*:\/\/[^/?#\s]*@/i;

/** completes a sentence about a secret */
export const USE_ENV = 'write #{env.NAME}, and set the variable in the environment of each agent';

/**
 * Reports the secrets that are written into a flow. Agents read them from their own environment.
 *
 * @param {unknown} flow
 * @param {Problems} problems
 */
export function refuseSecrets(flow, problems) {
  for (const { path, keys, text } of textsIn(flow)) {
    const reason = refuseText(keys, text);
    if (reason) problems.add(path, `${reason} is not sent to agents: ${USE_ENV}`);
  }
}

/** @type {(keys: string[], text: string) => string | undefined} */
function refuseText(keys, text) {
  if (PRIVATE_KEY.test(text)) return 'a private key';
  if (TOKEN.test(text) || text === '') return undefined;
  const key = keys[keys.length - 1];
  const parent = keys[keys.length - 2];
  if (PASSWORDS.includes(key) && (parent === 'auth' || key === 'passphrase')) return 'a password';
  if (FIELDS.includes(parent) && isSecretField(key)) return `the value of ${key}`;
  if (keys.includes('cookies')) return 'the value of a cookie';
  return USERINFO.test(text) && maskText(text) !== text ? 'a URL with a password' : undefined;
}

/**
 * The texts of a flow, without those in bodies and rows.
 *
 * @param {unknown} flow
 * @returns {Generator<{ path: string, keys: string[], text: string }>} path: `flow.main[0].headers.authorization`; keys: the
 *   names of the properties on the way, without the numbers of arrays
 */
export function* textsIn(flow) {
  yield* walk(flow, 'flow', [], { data: DATA });
}

/**
 * All texts of a flow.
 *
 * @param {unknown} flow
 * @returns {ReturnType<typeof textsIn>}
 */
export function* allTextsIn(flow) {
  yield* walk(flow, 'flow', [], { data: [] });
}

/** @type {(value: unknown, path: string, keys: string[], options: { data: string[] }) => ReturnType<typeof textsIn>} */
function* walk(value, path, keys, options) {
  if (typeof value === 'string') yield { path, keys, text: value };
  else if (keys.length > MAX_DEPTH) return;
  else if (Array.isArray(value))
    for (const [i, one] of value.entries()) yield* walk(one, `${path}[${i}]`, keys, options);
  else if (isObject(value))
    for (const [key, one] of Object.entries(/** @type {object} */ (value)))
      if (!options.data.includes(key)) yield* walk(one, `${path}.${key}`, [...keys, key], options);
}
