import { isSecretName, replaceNamedSecrets } from '../text/mask.js';
import { URL_KEYS, mapOperations, mapTexts, operationsOf, titleOf } from './draft.js';
import { EnvironmentNames, tokenOf, variableName } from './environment-names.js';

/** @import { FlowDraft } from '../contracts/import.js' */

/**
 * Replaces the secrets of a draft by tokens of the environment, and lists these: values of fields, cookies, parameters
 * and members whose names mark them as secrets, credentials, tokens of a known form wherever they are, and variables
 * that a secret is made of. With `keepSecrets` they stay; the tokens that the draft has already are listed in both
 * cases. With `hasPlaceholders` a value that is its own name is none, and no variable is a secret.
 * @type {(draft: FlowDraft, options?: { keepSecrets?: boolean, hasPlaceholders?: boolean }) => FlowDraft}
 */
export function replaceSecrets(draft, { keepSecrets = false, hasPlaceholders = false } = {}) {
  const names = new EnvironmentNames(draft.environment, hasPlaceholders);
  const whole = keepSecrets ? draft : withTokens(draft, names);
  for (const { operation } of operationsOf(whole)) addTokens(operation, titleOf(operation), names);
  addTokens(whole.properties, 'the flow', names);
  addTokens(whole.baseUrl, 'the base URL', names);
  return { ...whole, environment: names.list.map((one) => ({ ...one, of: names.hide(one.of) })) };
}

/** @type {(draft: FlowDraft, names: EnvironmentNames) => FlowDraft} */
function withTokens(draft, names) {
  const replaced = mapOperations(draft, (one) => ({
    ...one,
    operation: names.withOwn(one.secrets, () => operationWithTokens(one.operation, names)),
    comments: one.comments.map((comment) => signedReplaced(comment, () => '…')),
  }));
  const { baseUrl } = replaced;
  const properties = replaced.properties && operationWithTokens(replaced.properties, names, 'the flow');
  return withoutCopies(
    {
      ...replaced,
      ...(baseUrl !== undefined && { baseUrl: urlWithTokens(baseUrl, names, 'the base URL') }),
      ...(properties && { properties: withoutSecretVariables(properties, names) }),
    },
    names,
  );
}

/**
 * Replaces the secrets wherever else they are: a password that is sent again under another name, in a path or a text.
 * @type {(draft: FlowDraft, names: EnvironmentNames) => FlowDraft}
 */
function withoutCopies(draft, names) {
  const secrets = names.longValues();
  if (secrets.length === 0) return draft;
  /** @type {(text: string) => string} */
  const replaced = (text) => secrets.reduce((all, [value, name]) => all.replaceAll(value, tokenOf(name, value)), text);
  const { properties, comments, skipped, dialectNotes } = draft;
  return {
    ...mapOperations(draft, (one) => ({
      ...one,
      operation: mapTexts(one.operation, replaced),
      comments: one.comments.map(names.hide),
    })),
    ...(properties && { properties: mapTexts(properties, replaced) }),
    comments: comments.map(names.hide),
    skipped: skipped.map(({ what, why }) => ({ what: names.hide(what), why: names.hide(why) })),
    dialectNotes: dialectNotes.map(names.hide),
  };
}

/**
 * A variable that a secret is made of is one: `Bearer #{token}`.
 * @type {(properties: Record<string, any>, names: EnvironmentNames) => Record<string, any>}
 */
function withoutSecretVariables({ vars, ...properties }, names) {
  if (vars === undefined) return properties;
  const secret = mapMembers(vars, (name, value) =>
    names.isSecretVariable(name) ? names.tokenFor(value, variableName(name), `the variable ${name}`) : value,
  );
  return { ...properties, vars: secret };
}

/** A JSON Web Token, or its first two parts; keys that begin as their services let them begin; private keys. */
const SIGNED = new RegExp(
  [
    '\\beyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}(?:\\.[\\w-]*)?',
    '\\b(?:gh[pousr]_|github_pat_|npm_)\\w{16,}',
    '\\b[sr]k_(?:live|test)_\\w{8,}',
    '\\b(?:sk-|xox[abeprs]-|glpat-)[\\w-]{16,}',
    '\\bA(?:KIA|SIA)[A-Z\\d]{16}\\b',
    '\\bAIza[\\w-]{35}',
    '-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)',
  ].join('|'),
  'g',
);
/** `postgres://user:password@host`. */
const USER_IN_URL = /(:\/\/[^\s/?#@:"'<>]*:)([^\s/?#@"'<>]+)(?=@)/g;
/** `<password>…</password>`, and the argument `password: "…"` of GraphQL, whose quotes JSON escapes. */
const XML_MEMBER = /(<(?:\w+:)?([\w.-]+)(?:\s[^<>]*)?>)([^<>]+)(?=<\/)/g;
const ARGUMENT = /(?<![\w"'])(\w+)(\s*:\s*)(\\?")((?:(?!\3)[^])+)(?=\3)/g;
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

/** @type {(operation: Record<string, any>, names: EnvironmentNames, title?: string) => Record<string, any>} */
function operationWithTokens(operation, names, title = titleOf(operation)) {
  /** @type {(key: string, value: any) => any} */
  const replaced = (key, value) => {
    if (URL_KEYS.includes(key) || key === 'proxy')
      return typeof value === 'string' ? urlWithTokens(value, names, title) : value;
    if (key === 'name') return typeof value === 'string' ? withoutNamed(value) : value;
    if (key === 'headers') return mapMembers(value, (name, one) => fieldWithTokens(name, one, names, title));
    if (key === 'cookies') return mapMembers(value, (name, one) => cookieWithToken(name, one, names, title));
    if (key === 'auth' || key === 'aws')
      return mapMembers(value, (name, one) =>
        Object.hasOwn(CREDENTIAL_MEMBERS, name)
          ? names.tokenFor(one, CREDENTIAL_MEMBERS[name], `the ${name} of ${title}`)
          : one,
      );
    if (key === 'passphrase') return names.tokenFor(value, 'PASSPHRASE', `the passphrase of ${title}`);
    if (['qs', 'form', 'json', 'formData', 'vars', 'send', 'multipart'].includes(key))
      return valueWithTokens(value, names, title);
    return key === 'body' && typeof value === 'string' ? textWithTokens(value, names, title) : value;
  };
  return mapMembers(operation, replaced);
}

/** @type {(members: any, change: (name: string, value: any) => any) => any} */
function mapMembers(members, change) {
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return members;
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(name, value)]));
}

/** @type {(url: string, names: EnvironmentNames, title: string) => string} */
function urlWithTokens(url, names, title) {
  const [, before, query = ''] = /^([^?]*)(.*)$/s.exec(url) ?? ['', url];
  const own = query.replace(/([?&])([^=&#]+)=([^&#]*|#\{[^}]*\})/g, (whole, sign, name, value) =>
    names.isOwn(name) ? `${sign}${name}=${tokenForNamed(name, value, names, title)}` : whole,
  );
  return textWithTokens(before, names, title) + textWithTokens(own, names, title);
}

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
  const isSecret = isSecretName(name) || names.isOwn(name);
  return isSecret ? names.tokenFor(value, variableName(name), what) : textWithTokens(value, names, title);
}

/** The names of cookies seldom tell that they are sessions: a long value without spaces is taken for one. */
const SHORTEST_SESSION = 16;

/** @type {(name: string, value: any, names: EnvironmentNames, title: string) => any} */
function cookieWithToken(name, value, names, title) {
  const text = String(value);
  const isSecret = isSecretName(name) || (text.length >= SHORTEST_SESSION && !text.includes(' '));
  return isSecret ? names.tokenFor(value, variableName(name), `the cookie ${name} of ${title}`) : value;
}

/** @type {(value: any, names: EnvironmentNames, title: string, name?: string) => any} */
function valueWithTokens(value, names, title, name = '') {
  if (Array.isArray(value)) return value.map((one) => valueWithTokens(one, names, title, name));
  if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
    return mapMembers(value, (key, one) => valueWithTokens(one, names, title, key === 'value' ? name || key : key));
  if (isSecretIn(names, name, value)) return tokenForNamed(name, value, names, title);
  return typeof value === 'string' ? textWithTokens(value, names, title) : value;
}

/** `{ key: 'color' }` is a word; a key that is a secret is none. @type {(name: string, value: unknown) => boolean} */
function isSecretMember(name, value) {
  if (!['string', 'number'].includes(typeof value) || !isSecretName(name)) return false;
  return !(/^keys?$/i.test(name) && /^[A-Za-z][A-Za-z _.-]{0,23}$/.test(String(value)));
}

/** @type {(names: EnvironmentNames, name: string, value: unknown) => boolean} */
function isSecretIn({ hasPlaceholders }, name, value) {
  return isSecretMember(name, value) && !(hasPlaceholders && isPlaceholder(name, value));
}

/** `{ keyPrefix: 'key_prefix' }` is a value that was made of its name. @type {(name: string, value: any) => boolean} */
function isPlaceholder(name, value) {
  const [plainName, plainValue] = [name, String(value)].map((text) => text.replace(/[^A-Za-z\d]/g, '').toLowerCase());
  return plainValue.length >= 3 && plainName.startsWith(plainValue);
}

/** @type {(text: string, names: EnvironmentNames, title: string) => string} */
function textWithTokens(text, names, title) {
  const named = replaceNamedSecrets(text, (name, value, isJson) => {
    const plain = isJson ? parsed(value) : value;
    if (!isSecretIn(names, name, plain)) return value;
    const token = tokenForNamed(name, plain, names, title);
    return isJson ? JSON.stringify(token) : token;
  });
  const members = named
    .replace(USER_IN_URL, (_, before, value) => before + passwordIn(value, names, title))
    .replace(XML_MEMBER, (whole, before, name, value) => memberIn(whole, before, { name, value }))
    .replace(ARGUMENT, (whole, name, colon, quote, value) => memberIn(whole, name + colon + quote, { name, value }));
  return signedReplaced(members, (token) => {
    const isKey = token.startsWith('-----');
    return names.tokenFor(token, isKey ? 'PRIVATE_KEY' : 'TOKEN', `a ${isKey ? 'private key' : 'token'} in ${title}`);
  });

  /** @type {(whole: string, before: string, member: { name: string, value: string }) => string} */
  function memberIn(whole, before, { name, value }) {
    return isSecretIn(names, name, value) ? before + tokenForNamed(name, value, names, title) : whole;
  }
}

/** @type {(name: string, value: any, names: EnvironmentNames, title: string) => any} */
function tokenForNamed(name, value, names, title) {
  return names.tokenFor(value, variableName(name), `${name} of ${title}`);
}

/** @type {(value: string, names: EnvironmentNames, title: string) => string} */
function passwordIn(value, names, title) {
  return names.tokenFor(value, 'PASSWORD', `the password in a URL of ${title}`);
}

const STATEMENT = /(?<=[;\n])/;
const LITERAL = /(["'`])((?:\\[^]|(?!\1)[^\\\n])*)(\1|$)/g;

/**
 * Hides the texts of a quoted script that may be secrets: those of a statement with a name of a secret, except that
 * name, and long words with digits.
 * @type {(script: string) => string}
 */
export function hiddenInScript(script) {
  return script
    .split(STATEMENT)
    .map((statement) => {
      const isSecret = (statement.match(/[A-Za-z_][\w-]*/g) ?? []).some(isSecretName);
      const shown = statement.replace(LITERAL, (whole, quote, text) => {
        const isName = /^[A-Za-z_-]{1,40}$/.test(text) && isSecretName(text);
        const isWord = /^[\w+/=.-]{8,}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text);
        return (isSecret && !isName && text !== '') || isWord ? `${quote}…${quote}` : whole;
      });
      return withoutNamed(shown);
    })
    .join('');
}

/** A name of an operation is no template. @type {(text: string) => string} */
function withoutNamed(text) {
  const shown = replaceNamedSecrets(text, (_, __, isJson) => (isJson ? '"…"' : '…'));
  return signedReplaced(shown, () => '…');
}

/** @type {(text: string, replace: (token: string) => string) => string} */
function signedReplaced(text, replace) {
  return text.replace(SIGNED, replace);
}

/** @type {(json: string) => unknown} */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Adds the variables that a value reads. @type {(value: any, of: string, names: EnvironmentNames) => void} */
function addTokens(value, of, names) {
  if (typeof value === 'string') for (const [, name] of value.matchAll(/#[{<]env\.(\w+)/g)) names.add(name, of);
  else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
    for (const [key, one] of Object.entries(value)) {
      addTokens(key, of, names);
      addTokens(one, of, names);
    }
}
