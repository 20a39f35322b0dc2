import { isSecretName, replaceNamedSecrets } from '../text/mask.js';
import { URL_KEYS, mapOperations, mapTexts, titleOf } from './draft.js';

/** @import { EnvironmentVariable, FlowDraft } from '../contracts/import.js' */

/**
 * Replaces the secrets of a draft by tokens of the environment, and lists these: values of fields, cookies, parameters
 * and members whose names mark them as secrets, credentials, and signed tokens wherever they are. With `keepSecrets`
 * they stay; the tokens that the draft has already are listed in both cases. With `hasPlaceholders`
 * a value that is its own name is none.
 * @type {(draft: FlowDraft, options?: { keepSecrets?: boolean, hasPlaceholders?: boolean }) => FlowDraft}
 */
export function replaceSecrets(draft, { keepSecrets = false, hasPlaceholders = false } = {}) {
  const names = new EnvironmentNames(draft.environment, hasPlaceholders);
  const whole = keepSecrets ? draft : withTokens(draft, names);
  for (const { operation } of [...Object.values(whole.phases).flat(), ...inScenarios(whole)])
    addTokens(operation, titleOf(operation), names);
  addTokens(whole.properties, 'the flow', names);
  addTokens(whole.baseUrl, 'the base URL', names);
  return { ...whole, environment: names.list.map((one) => ({ ...one, of: names.hide(one.of) })) };
}

/** @type {(draft: FlowDraft) => { operation: Record<string, any> }[]} */
function inScenarios({ scenarios = {} }) {
  return Object.values(scenarios).flatMap(({ weight: _, ...phases }) => Object.values(phases).flat());
}

/** @type {(draft: FlowDraft, names: EnvironmentNames) => FlowDraft} */
function withTokens(draft, names) {
  const replaced = mapOperations(draft, (one) => ({
    ...one,
    operation: operationWithTokens(one.operation, names),
    comments: one.comments.map((comment) => signedReplaced(comment, () => '…')),
  }));
  const { properties, baseUrl } = replaced;
  return withoutCopies(
    {
      ...replaced,
      ...(baseUrl !== undefined && { baseUrl: urlWithTokens(baseUrl, names, 'the base URL') }),
      ...(properties && { properties: operationWithTokens(properties, names, 'the flow') }),
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

const TOKEN = /#[{<]/;
/** A JSON Web Token, or its first two parts. */
const SIGNED = /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g;
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
  const withoutUser = before.replace(/(:\/\/)([^\s/?#@]*)@/, (whole, slashes, user) => {
    if (TOKEN.test(user)) return whole;
    const [name, ...rest] = user.split(':');
    return rest.length === 0
      ? whole
      : `${slashes}${name}:${names.tokenFor(rest.join(':'), 'PASSWORD', `the password in the URL of ${title}`)}@`;
  });
  return textWithTokens(withoutUser, names, title) + textWithTokens(query, names, title);
}

/** @type {(name: string, value: any, names: EnvironmentNames, title: string) => any} */
function fieldWithTokens(name, value, names, title) {
  if (Array.isArray(value)) return value.map((one) => fieldWithTokens(name, one, names, title));
  if (typeof value !== 'string') return value;
  const what = `the field ${name} of ${title}`;
  const [, scheme, space, credentials] = CREDENTIALS.exec(value) ?? [];
  if (scheme !== undefined) {
    if (TOKEN.test(credentials)) return value;
    const hint = /^basic$/i.test(scheme) ? 'BASIC_CREDENTIALS' : 'TOKEN';
    return `${scheme}${space}${names.tokenFor(credentials, hint, what)}`;
  }
  return isSecretName(name) ? names.tokenFor(value, variableName(name), what) : textWithTokens(value, names, title);
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
  if (isSecretIn(names, name, value)) return names.tokenFor(value, variableName(name), `${name} of ${title}`);
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
    if (!isJson)
      return isSecretIn(names, name, value) ? names.tokenFor(value, variableName(name), `${name} of ${title}`) : value;
    const written = parsed(value);
    if (!isSecretIn(names, name, written)) return value;
    return JSON.stringify(names.tokenFor(written, variableName(name), `${name} of ${title}`));
  });
  return signedReplaced(named, (token) => names.tokenFor(token, 'TOKEN', `a signed token in ${title}`));
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

/** `X-Api-Key` is API_KEY, `accessToken` ACCESS_TOKEN. @type {(name: string) => string} */
export function variableName(name) {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase()
    .replace(/^X_(?=.)/, '');
  return /^[A-Z]/.test(words) ? words : `SECRET${words && `_${words}`}`;
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

/** The environment variables of a flow: one for each value. */
class EnvironmentNames {
  /** @type {EnvironmentVariable[]} */
  list;
  /** @type {Map<string, string>} */
  #byValue = new Map();
  /** @type {Map<string, string>} */
  #long = new Map();

  /**
   * @param {EnvironmentVariable[]} known
   * @param {boolean} hasPlaceholders values that are their own names are none
   */
  constructor(known, hasPlaceholders) {
    this.list = [...known];
    this.hasPlaceholders = hasPlaceholders;
  }

  /** @type {(name: string, of: string) => void} */
  add(name, of) {
    if (!this.list.some((one) => one.name === name)) this.list.push({ name, of });
  }

  /**
   * Returns the token that stands for a secret. Equal values of one kind have one variable. A value that has a token is
   * none.
   * @type {(value: any, hint: string, of: string) => any}
   */
  tokenFor(value, hint, of) {
    if (!['string', 'number'].includes(typeof value) || value === '' || TOKEN.test(String(value))) return value;
    const known = this.#byValue.get(`${hint} ${value}`);
    if (known !== undefined) return tokenOf(known, value);
    let name = hint;
    for (let i = 2; this.list.some((one) => one.name === name); i++) name = `${hint}_${i}`;
    this.#byValue.set(`${hint} ${value}`, name);
    this.add(name, of);
    // A word, such as the password "password", is elsewhere by chance.
    if (String(value).length >= SHORTEST_COPY && /[^A-Za-z]/.test(String(value))) this.#long.set(String(value), name);
    return tokenOf(name, value);
  }

  /** Hides the secrets in a text for people. @type {(text: string) => string} */
  hide = (text) => this.longValues().reduce((all, [value]) => all.replaceAll(value, '…'), text);

  /**
   * Lists the secrets that do not occur by chance, as they are and percent-encoded, the longest one first.
   * @type {() => [value: string, name: string][]}
   */
  longValues() {
    const all = [...this.#long].flatMap(([value, name]) =>
      [...new Set([value, encodeURIComponent(value)])].map((form) => /** @type {[string, string]} */ ([form, name])),
    );
    return all.sort(([a], [b]) => b.length - a.length);
  }
}

/** Characters of a secret from which on the same text elsewhere is the same secret. */
const SHORTEST_COPY = 8;

/** @type {(name: string, value: unknown) => string} */
function tokenOf(name, value) {
  return typeof value === 'number' ? `#{env.${name}:number}` : `#{env.${name}}`;
}
