import { isUtf8 } from 'node:buffer';

import { convertible } from '../../core/text/convertible.js';
import { MASK, TOKEN, isSecretName } from '../../core/text/mask.js';
import { Code, URL_KEYS, mapOperations, mapTexts, operationsOf, splitOrigin, titleOf } from './draft.js';
import { EnvironmentNames, tokenOf, variableName } from './environment-names.js';
import { withGraphql } from './sent-bodies.js';
import { hiddenInText, isCapability, maskedInText, replaceInPath, replaceInText } from './secret-texts.js';

/** @import { EnvironmentVariable, FlowDraft, OperationDraft } from './import.js' */
/** @import { Replace } from './secret-texts.js' */

/**
 * Replaces the secrets of a draft by tokens of the environment, and lists these: values of fields, cookies, parameters
 * and members whose names mark them as secrets, credentials, tokens of a known form wherever they are, and variables
 * that a secret is made of. With `keepSecrets` they stay; the tokens that the draft has already are listed in both
 * cases. With `hasPlaceholders` a value that is its own name is none, and no variable is a secret. Sources of one flow
 * share their `environmentNames`.
 * @type {(draft: FlowDraft, options?: { keepSecrets?: boolean, hasPlaceholders?: boolean, environmentNames?: unknown })
 *   => FlowDraft}
 */
export function replaceSecrets(draft, { keepSecrets = false, hasPlaceholders = false, environmentNames } = {}) {
  if (!draft.isSettled) throw new Error('settle() of lib/addons/import/tokens.js has to end the reading of a source');
  const names = environmentNames instanceof EnvironmentNames ? environmentNames : new EnvironmentNames();
  names.hasPlaceholders = hasPlaceholders;
  names.reserve(variablesOf(draft).map(({ name }) => name));
  const whole = keepSecrets ? draft : withTokens(draft, names);
  for (const { name, of } of variablesOf(whole)) names.add(name, of);
  // Secrets in a query are tokens now, which only `json` can have.
  return withGraphql({ ...whole, environment: names.list.map((one) => ({ ...one, of: names.hide(one.of) })) });
}

/**
 * Replaces secrets where a name or their form shows them, then the variables and the rows that secrets are made of, and
 * at last the same texts elsewhere.
 * @type {(draft: FlowDraft, names: EnvironmentNames) => FlowDraft}
 */
function withTokens(draft, names) {
  // The operations are first: they tell which variables secrets are made of.
  const replaced = mapOperations(draft, (one) => ({
    ...withHiddenRemarks(one, hiddenInText),
    operation: names.withOwn(one.secrets, () =>
      operationWithTokens(convertible(mapBytes(one.operation, asText)), names),
    ),
  }));
  const { baseUrl } = replaced;
  const properties = replaced.properties && operationWithTokens(replaced.properties, names, 'the flow');
  const { skipped, dialectNotes } = replaced;
  return withoutCopies(
    withoutSecretRows(
      {
        ...replaced,
        skipped: skipped.map(({ what, why }) => ({ what: hiddenInText(what), why: hiddenInText(why) })),
        dialectNotes: dialectNotes.map(hiddenInText),
        ...(baseUrl !== undefined && { baseUrl: urlWithTokens(baseUrl, names, 'the base URL') }),
        ...(properties && { properties: withoutSecretVariables(properties, names) }),
      },
      names,
    ),
    names,
  );
}

/**
 * Hides secrets in what an operation has for people.
 * @type {(one: OperationDraft, hide: (text: string) => string) => OperationDraft}
 */
function withHiddenRemarks(one, hide) {
  const { comments, disabled } = one;
  return { ...one, comments: comments.map(hide), ...(disabled !== undefined && { disabled: hide(disabled) }) };
}

/**
 * Replaces the known secrets wherever else they are: a password that is sent again under another name, in a path or a
 * text.
 * @type {(draft: FlowDraft, names: EnvironmentNames) => FlowDraft}
 */
function withoutCopies(draft, names) {
  /** @type {(text: string) => string} */
  const withoutCopiesIn = (text) => names.replaceCopies(text, (value, name) => tokenOf(name, value));
  const { baseUrl, properties, comments, skipped, dialectNotes } = draft;
  return {
    ...mapOperations(draft, (one) =>
      withoutSecretBytes(
        {
          ...withHiddenRemarks(one, names.hide),
          operation: {
            ...mapTexts(one.operation, withoutCopiesIn, String),
            ...(typeof one.operation.name === 'string' && { name: names.hide(one.operation.name) }),
          },
        },
        names,
      ),
    ),
    ...(baseUrl !== undefined && { baseUrl: withoutCopiesIn(baseUrl) }),
    ...(properties && { properties: mapTexts(properties, withoutCopiesIn, String) }),
    comments: comments.map(names.hide),
    skipped: skipped.map(({ what, why }) => ({ what: names.hide(what), why: names.hide(why) })),
    dialectNotes: dialectNotes.map(names.hide),
  };
}

const MASKED_BYTES = `The secrets in its bytes are ${MASK}, as bytes have no tokens: write them, or use --keep-secrets.`;

/** Bytes with secrets are a text with tokens, if they can be one. @type {(bytes: Uint8Array) => Uint8Array | string} */
function asText(bytes) {
  const text = Buffer.from(bytes).toString();
  return isUtf8(bytes) && !TOKEN.test(text) && maskedInText(text) !== text ? text : bytes;
}

/**
 * Masks the secrets in bytes, which cannot have tokens.
 * @type {(one: OperationDraft, names: EnvironmentNames) => OperationDraft}
 */
function withoutSecretBytes(one, names) {
  let isMasked = false;
  const operation = mapBytes(one.operation, (bytes, name) => {
    const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
    const text = Buffer.from(bytes).toString(encoding);
    const masked = isSecretName(name) ? MASK : names.replaceCopies(maskedInText(text), () => MASK);
    if (masked === text) return bytes;
    isMasked = true;
    return new Uint8Array(Buffer.from(masked, encoding));
  });
  return isMasked ? { ...one, operation, comments: [...one.comments, MASKED_BYTES] } : one;
}

/**
 * Copies a value with each of its bytes changed. `change` gets the name that decides on them.
 * @type {(value: any, change: (bytes: Uint8Array, name: string) => Uint8Array | string, name?: string) => any}
 */
function mapBytes(value, change, name = '') {
  if (value instanceof Uint8Array) return change(value, name);
  if (Array.isArray(value)) return value.map((one) => mapBytes(one, change, name));
  return mapMembers(value, (key, one) => mapBytes(one, change, nameBelow(name, key, one)));
}

/**
 * A variable that a secret is made of is one: `Bearer #{token}`.
 * @type {(properties: Record<string, any>, names: EnvironmentNames) => Record<string, any>}
 */
function withoutSecretVariables({ vars, ...properties }, names) {
  if (vars === undefined) return properties;
  /** @type {Map<string, any>} */
  const tokens = new Map();
  // The value of a secret variable may have other variables, which are secret then, too.
  let known;
  do {
    known = tokens.size;
    for (const [name, value] of Object.entries(vars))
      if (!tokens.has(name) && names.isSecretVariable(name))
        tokens.set(name, names.tokenFor(value, variableName(name), `the variable ${name}`));
  } while (tokens.size > known);
  return { ...properties, vars: mapMembers(vars, (name, value) => (tokens.has(name) ? tokens.get(name) : value)) };
}

/**
 * Replaces the feeders with secrets, such as lists of tokens, by one value each.
 * @type {(draft: FlowDraft, names: EnvironmentNames) => FlowDraft}
 */
function withoutSecretRows(draft, names) {
  const { data = {}, ...properties } = /** @type {Record<string, any>} */ (draft.properties ?? {});
  const secretFeeders = Object.keys(data).filter(
    (name) => data[name]?.rows?.length > 0 && names.isSecretVariable(name),
  );
  if (secretFeeders.length === 0) return draft;
  const tokens = new Map(
    secretFeeders.map((name) => [
      name,
      names.tokenFor(data[name].rows[0].value, variableName(name), `the variable ${name}`),
    ]),
  );
  const withTokenOfRow = (/** @type {string} */ text) =>
    text.replace(/#\{(\w+)\.value\}/g, (token, name) => tokens.get(name) ?? token);
  const kept = Object.fromEntries(Object.entries(data).filter(([name]) => !tokens.has(name)));
  return {
    ...mapOperations(draft, (one) => ({ ...one, operation: mapTexts(one.operation, withTokenOfRow) })),
    properties: { ...mapTexts(properties, withTokenOfRow), ...(Object.keys(kept).length > 0 && { data: kept }) },
    dialectNotes: [
      ...draft.dialectNotes,
      ...secretFeeders.map((name) => `The variable ${name} is a list of secrets: one is read from the environment.`),
    ],
  };
}

const CREDENTIALS = /^(basic|bearer|token|digest|apikey)(\s+)(\S.*)$/is;
/** The members of `auth` and `aws`, and those with a passphrase. @type {Record<string, string>} */
const CREDENTIAL_MEMBERS = {
  pass: 'PASSWORD',
  password: 'PASSWORD',
  bearer: 'TOKEN',
  accessKeyId: 'AWS_ACCESS_KEY_ID',
  secretAccessKey: 'AWS_SECRET_ACCESS_KEY',
  sessionToken: 'AWS_SESSION_TOKEN',
};

/**
 * How the secrets of each property of an operation or a flow are replaced; the others have none.
 * @type {Record<string, (value: any, names: EnvironmentNames, title: string) => any>}
 */
const PROPERTIES = {
  ...Object.fromEntries([...URL_KEYS, 'proxy'].map((key) => [key, ifText(urlWithTokens)])),
  ...Object.fromEntries(
    ['qs', 'json', 'formData', 'message', 'vars', 'send', 'multipart'].map((key) => [key, valueWithTokens]),
  ),
  // The text of a form is sent as it is.
  form: (value, names, title) =>
    valueWithTokens(value, names, typeof value === 'string' ? `${title}, percent-encoded` : title),
  name: ifText(hiddenInText),
  body: ifText(textWithTokens),
  headers: fieldsWithTokens,
  metadata: fieldsWithTokens,
  cookies: (value, names, title) => mapMembers(value, (name, one) => cookieWithToken(name, one, names, title)),
  auth: credentialsWithTokens,
  aws: credentialsWithTokens,
  passphrase: (value, names, title) => names.tokenFor(value, 'PASSPHRASE', `the passphrase of ${title}`),
  expect: (value, names, title) =>
    mapMembers(value, (name, one) => (['json', 'headers'].includes(name) ? valueWithTokens(one, names, title) : one)),
};

/** @type {(operation: Record<string, any>, names: EnvironmentNames, title?: string) => Record<string, any>} */
function operationWithTokens(operation, names, title = titleOf(operation)) {
  return mapMembers(operation, (key, value) =>
    Object.hasOwn(PROPERTIES, key) ? PROPERTIES[key](value, names, title) : value,
  );
}

/** @type {<A extends any[]>(change: (text: string, ...others: A) => any) => (value: any, ...others: A) => any} */
function ifText(change) {
  return (value, ...others) => (typeof value === 'string' ? change(value, ...others) : value);
}

/** @type {(members: any, names: EnvironmentNames, title: string) => any} */
function fieldsWithTokens(members, names, title) {
  return mapMembers(members, (name, one) => fieldWithTokens(name, one, names, title));
}

/** @type {(members: any, names: EnvironmentNames, title: string) => any} */
function credentialsWithTokens(members, names, title) {
  return mapMembers(members, (name, one) =>
    Object.hasOwn(CREDENTIAL_MEMBERS, name)
      ? names.tokenFor(one, CREDENTIAL_MEMBERS[name], `the ${name} of ${title}`)
      : fieldWithTokens(name, one, names, title),
  );
}

/** @type {(members: any, change: (name: string, value: any) => any) => any} */
function mapMembers(members, change) {
  if (typeof members !== 'object' || members === null || Array.isArray(members) || members instanceof Code)
    return members;
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(name, value)]));
}

/** @type {(url: string, names: EnvironmentNames, title: string) => string} */
function urlWithTokens(url, names, title) {
  const at = url.search(/\?|#(?![{<])/);
  const [origin, path] = splitOrigin(at < 0 ? url : url.slice(0, at));
  const own = url
    .slice(origin.length + path.length)
    .replace(/([?&#])([^=&#?]+)=((?:#\{[^}]*\}|[^&#])*)/g, (whole, sign, name, value) =>
      names.isOwn(name) || isCapability(value) ? `${sign}${name}=${tokenForNamed(name, value, names, title)}` : whole,
    );
  const before = textWithTokens(origin + replaceInPath(path, replaceFor(names, title)), names, title);
  return before + textWithTokens(own, names, title);
}

/** Fields whose random values name a request. */
const NAMES_OF_REQUESTS = /request-?id|trace|correlation|idempotency|^if-|boundary/i;

/** @type {(name: string, value: any, names: EnvironmentNames, title: string) => any} */
function fieldWithTokens(name, value, names, title) {
  if (Array.isArray(value)) return value.map((one) => fieldWithTokens(name, one, names, title));
  if (typeof value !== 'string') return value;
  const what = `the field ${name} of ${title}`;
  const [, scheme, space, credentials] = CREDENTIALS.exec(value) ?? [];
  if (scheme !== undefined) {
    const hint = /^basic$/i.test(scheme) ? 'BASIC_CREDENTIALS' : 'TOKEN';
    return `${scheme}${space}${names.tokenFor(credentials, hint, what)}`;
  }
  const isSecret = isSecretName(name) || names.isOwn(name) || (isCapability(value) && !NAMES_OF_REQUESTS.test(name));
  return isSecret ? names.tokenFor(value, variableName(name), what) : textWithTokens(value, names, title);
}

/** The names of cookies seldom tell that they are sessions: a long value without spaces is taken for one. */
const SHORTEST_SESSION = 16;

/** @type {(name: string, value: any, names: EnvironmentNames, title: string) => any} */
function cookieWithToken(name, value, names, title) {
  const text = String(value);
  const isSecret = isSecretName(name) || (text.length >= SHORTEST_SESSION && !text.includes(' '));
  if (isSecret) return names.tokenFor(value, variableName(name), `the cookie ${name} of ${title}`);
  return typeof value === 'string' ? textWithTokens(value, names, title) : value;
}

/** @type {(value: any, names: EnvironmentNames, title: string, name?: string) => any} */
function valueWithTokens(value, names, title, name = '') {
  if (Array.isArray(value)) return value.map((one) => valueWithTokens(one, names, title, name));
  if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
    return mapMembers(value, (key, one) => valueWithTokens(one, names, title, nameBelow(name, key, one)));
  if (isSecretIn(names, name, value)) return tokenForNamed(name, value, names, title);
  return typeof value === 'string' ? textWithTokens(value, names, title) : value;
}

/**
 * Returns the name that decides on a member: a value below the name of a secret is one, too, unless it is a word.
 * @type {(name: string, key: string, value: unknown) => string}
 */
function nameBelow(name, key, value) {
  if (key === 'value') return name || key;
  const mayBeSecret = typeof value === 'object' || (typeof value === 'string' && /\d/.test(value));
  return mayBeSecret && isSecretName(name) && !isSecretName(key) ? `${name}_${key}` : key;
}

/** `{ key: 'color' }` is a word; a key that is a secret is none. @type {(name: string, value: unknown) => boolean} */
function isSecretMember(name, value) {
  if (!['string', 'number'].includes(typeof value) || !isSecretName(name)) return false;
  return !(/^keys?$/i.test(name) && /^[A-Za-z][A-Za-z _.-]{0,23}$/.test(String(value)));
}

/** @type {(names: EnvironmentNames, name: string, value: unknown) => boolean} */
function isSecretIn({ hasPlaceholders }, name, value) {
  return isSecretMember(name, value) && !(hasPlaceholders && (typeof value === 'number' || isPlaceholder(name, value)));
}

/** `{ keyPrefix: 'key_prefix' }` is a value that was made of its name. @type {(name: string, value: any) => boolean} */
function isPlaceholder(name, value) {
  const [plainName, plainValue] = [name, String(value)].map((text) => text.replace(/[^A-Za-z\d]/g, '').toLowerCase());
  return plainValue.length >= 3 && plainName.startsWith(plainValue);
}

/** @type {(text: string, names: EnvironmentNames, title: string) => string} */
function textWithTokens(text, names, title) {
  return replaceInText(text, replaceFor(names, title));
}

/** @type {(names: EnvironmentNames, title: string) => Replace} */
function replaceFor(names, title) {
  return {
    named: (name, value) => valueWithTokens(value, names, title, name),
    known: (hint, value) =>
      names.tokenFor(value, variableName(hint), `${KINDS[hint] ?? 'a part of the path'} of ${title}`),
  };
}

/** Descriptions of secrets without a name, by the names of their variables. @type {Record<string, string>} */
const KINDS = { PASSWORD: 'the password in a URL', PRIVATE_KEY: 'a private key', TOKEN: 'a token' };

/** @type {(name: string, value: any, names: EnvironmentNames, title: string) => any} */
function tokenForNamed(name, value, names, title) {
  return names.tokenFor(value, variableName(name), `${name} of ${title}`);
}

/** Lists the variables of the environment that a draft reads. @type {(draft: FlowDraft) => EnvironmentVariable[]} */
function variablesOf(draft) {
  /** @type {EnvironmentVariable[]} */
  const all = [];
  /** @type {(value: any, of: string) => void} */
  const addAll = (value, of) => {
    if (typeof value === 'string') for (const [, name] of value.matchAll(/#[{<]env\.(\w+)/g)) all.push({ name, of });
    else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
      for (const [key, one] of Object.entries(value)) {
        addAll(key, of);
        addAll(one, of);
      }
  };
  for (const { operation } of operationsOf(draft)) addAll(operation, titleOf(operation));
  addAll(draft.properties, 'the flow');
  addAll(draft.baseUrl, 'the base URL');
  return all;
}
