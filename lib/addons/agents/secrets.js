import { isObject } from '../../core/flow/record.js';
import { maskedOption } from '../../core/run/options/layers.js';
import { TOKEN, hasWrittenSecret, isSecretName } from '../../core/text/mask.js';
import { MAX_DEPTH } from '../../core/text/parse-json.js';

/** @import { Problems } from '../../core/ground/types.js' */
/** @import { RunOption } from '../../core/run/options/types.js' */

/** Parts of an operation that are test data, and travel as they are. */
const DATA = ['body', 'json', 'form', 'formData', 'send', 'expect', 'match', 'capture', 'data', 'rows'];
/** The values in these objects are refused by their names. */
const FIELDS = ['headers', 'vars', 'tokens', 'qs'];
const PASSWORDS = ['pass', 'password', 'bearer', 'passphrase'];
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** A URL with a user, or a URL or path with a query. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#\s]*@|[^?=\s]*\?)/i;

/** Completes a sentence about a secret. */
export const USE_ENV = 'write #{env.NAME}, and set the variable in the environment of each agent';

/**
 * Reports the secrets that are written into a flow that leaves this machine: to agents, or in a job of Kubernetes. They
 * read them from their own environment.
 * @param {unknown} flow
 * @param {Problems} problems
 * @param {object} [way]
 * @param {string} [way.consequence] completes "a password …"
 * @param {string | null} [way.code] the text of a flow that is code: a value that is not in it came from elsewhere
 */
export function refuseSecrets(flow, problems, { consequence = `is not sent to agents: ${USE_ENV}`, code = null } = {}) {
  for (const { path, keys, text } of textsIn(flow)) {
    const secret = code === null || code.includes(text) ? secretOf(keys, text) : undefined;
    if (secret) problems.add(path, `${secret} ${consequence}`);
  }
}

/** Reports whether a file that leaves this machine has a private key. @type {(text: string) => boolean} */
export function hasPrivateKey(text) {
  return PRIVATE_KEY.test(text);
}

/** Names a secret in a text, by its place and content. @type {(keys: string[], text: string) => string | undefined} */
function secretOf(keys, text) {
  if (PRIVATE_KEY.test(text)) return 'a private key';
  const key = keys[keys.length - 1];
  const parent = keys[keys.length - 2];
  const byName = text === '' || TOKEN.test(text) ? undefined : secretByName(key, parent, keys);
  if (byName) return byName;
  if (FIELDS.includes(parent) && hasWrittenSecret(text, key)) return `the value of ${key}`;
  // The scheme of a proxy may be left out.
  const address = key === 'proxy' && !text.includes('://') ? `http://${text}` : text;
  return ADDRESS.test(address) && hasWrittenSecret(address) ? 'a URL with a password or a key' : undefined;
}

/** @type {(key: string, parent: string, keys: string[]) => string | undefined} */
function secretByName(key, parent, keys) {
  if (PASSWORDS.includes(key) && (parent === 'auth' || key === 'passphrase')) return 'a password';
  if (parent === 'aws' && isSecretName(key)) return 'a key of AWS';
  return keys.includes('cookies') ? 'the value of a cookie' : undefined;
}

/**
 * Lists the texts of a flow, without those in bodies and rows. `path` is `flow.main[0].headers.authorization`; `keys`
 * are the names of the properties on the way, without the numbers of arrays.
 * @type {(flow: unknown) => Generator<{ path: string, keys: string[], text: string }>}
 */
export function* textsIn(flow) {
  yield* walk(flow, 'flow', [], DATA);
}

/** @type {(flow: unknown) => ReturnType<typeof textsIn>} */
export function* allTextsIn(flow) {
  yield* walk(flow, 'flow', [], []);
}

/** @type {(value: unknown, path: string, keys: string[], leftOut: string[]) => ReturnType<typeof textsIn>} */
function* walk(value, path, keys, leftOut) {
  if (typeof value === 'string') yield { path, keys, text: value };
  else if (keys.length > MAX_DEPTH) return;
  else if (Array.isArray(value))
    for (const [i, one] of value.entries()) yield* walk(one, `${path}[${i}]`, keys, leftOut);
  else if (isObject(value))
    for (const [key, one] of Object.entries(/** @type {object} */ (value)))
      if (!leftOut.includes(key)) yield* walk(one, `${path}.${key}`, [...keys, key], leftOut);
}

/**
 * Finds the secret that is written into the value of an option, which must not be stored where others can read it, and
 * names its part, such as `its password`; null: there is none, or a token that names a variable.
 * @type {(row: RunOption, value: any) => string | null}
 */
export function secretIn(row, value) {
  switch (row.name) {
    case 'proxy':
      return value === maskedOption('proxy', value) ? null : 'its password';
    case 'baseUrl':
      return hasWrittenSecret(String(value)) ? 'its password or key' : null;
    case 'headers':
    case 'args':
    case 'cookies':
      return secretField(row, value);
    default:
      return row.isSecret && !TOKEN.test(String(value)) ? 'its value' : null;
  }
}

/** @type {(row: RunOption, value: any) => string | null} */
function secretField({ isSecret = false }, value) {
  const fields = isObject(value) ? Object.entries(value) : [];
  const secret = fields.find(([key, one]) => [one].flat().some((text) => isSecretText(isSecret, key, String(text))));
  return secret ? `the value of ${secret[0]}` : null;
}

/** @type {(isSecret: boolean, name: string, text: string) => boolean} */
function isSecretText(isSecret, name, text) {
  return (isSecret && !TOKEN.test(text)) || hasWrittenSecret(text, name);
}
