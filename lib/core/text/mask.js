/**
 * Decides which parts of a text are secrets, for all outputs: by patterns ({@link maskText}), by the names of values
 * ({@link isSecretName}), and by texts that are known to be secret, in a thread or while a function runs ({@link hide},
 * {@link hidingSecretsOf}).
 *
 * @typedef {{ secrets: () => Iterable<string> }} SecretSource
 */

export const MASK = '***';
/** The user and password of a URL. */
const USERINFO = /(:\/\/)[^\s/?#"<>]*@/g;
/** A name and =, in a query, a form, a list of cookies, an attribute or a line of a log. */
const QUERY_NAME = /(?:^|[?&;#\s"'])(?<name>[\w.%[\]-]+)=/g;
const PAIR_VALUE = /[^&\s;"']*/y;
/** What a message writes in place of a value that the user knows. */
const PLACEHOLDER = /<value>(?!\S)/y;
/**
 * The quote before a value, with a backslash in a text of JSON. A quote before a comma or a bracket ends the text
 * around the pair: `{"url":"/x?token="}`.
 */
const OPENING_QUOTE = /(\\{0,63})(["'])(?![\s,}\]])/y;
const JSON_NAME = /"(?<name>[^"\\]{1,100})"\s*:\s*/g;
const JSON_TEXT = /"(?:[^"\\]|\\[^])*(?:"|\\?$)/y;
const JSON_WORD = /[^\s,}\]]*/y;
/** The same name in a text of JSON, `\"password\":`, whose quotes have a backslash, or more at a deeper level. */
const ESCAPED_NAME = /(?<!\\)(?<escape>\\{1,63})"(?<name>[^"\\]{1,100})\k<escape>"\s*:\s*/g;
const ESCAPED_WORD = /[^\s,}\]\\"]*/y;
/** A private key in a text or in JSON; a long one without an end is masked, too. */
const PRIVATE_KEY = /(-----BEGIN [A-Z ]*PRIVATE KEY-----)(?:[^-]|-(?!----))*/g;
/** A shorter text occurs by chance, so hiding it would hide other text. */
const MIN_HIDDEN = 4;
/** The texts that {@link hide} got. @type {Set<string>} */
const hidden = new Set();
/** The same texts in the forms in which they are sent, the longest one first. @type {string[]} */
let hiddenForms = [];
/** The source that {@link hidingSecretsOf} got. @type {SecretSource | null} */
let source = null;
/** Its forms and {@link hiddenForms}, once a text was masked. @type {string[] | null} */
let formsWithSource = null;
/** The end of a text that was cut off. */
const CUT = '…';
/** Fewer characters of a secret in front of a cut occur by chance. */
const MIN_BEGINNING = 8;

/** Secrets by their form: JSON Web Tokens, or their first two parts; keys with the prefixes of well-known services. */
export const SIGNED = new RegExp(
  [
    '\\beyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}(?:\\.[\\w-]*)?',
    '\\b(?:gh[pousr]_|github_pat_|npm_)\\w{16,}',
    '\\b[sr]k_(?:live|test)_\\w{8,}',
    '\\b(?:sk-|xox[abeprs]-|glpat-)[\\w-]{16,}',
    '\\bA(?:KIA|SIA)[A-Z\\d]{16}\\b',
    '\\bAIza[\\w-]{35}',
  ].join('|'),
  'g',
);

/** No pattern matches a text without one of these, so most texts need no further search. */
const MAY_HAVE_SECRETS =
  /[=@"]|-----BEGIN |\b(?:(?:basic|bearer|digest)\s|eyJ|gh[pousr]_|github_|npm_|[sr]k[_-]|xox|glpat|A[KS]IA|AIza)/i;
const CREDENTIALS = /\b(basic|bearer|digest)\s+([\w.~+/=-]{4,})/gi;

/** The beginning of a token, in a flow or a compiled text. */
export const TOKEN = /#[{<]/;
/** No token begins within another one: else each beginning without an end would be searched to the end of the text. */
const ALL_TOKENS = /#\{[^}#]*(?:#(?!\{)[^}#]*)*\}|#<[^>#]*(?:#(?!<)[^>#]*)*>/g;
/** Stands for a token in a text that is searched for secrets: a number, so that JSON with tokens stays JSON. */
const GIVEN = '9007199254740991';

/**
 * Hides credentials in URLs, queries, forms, JSON and authorization fields, and private keys. Takes time linear in the
 * length of the text.
 * @type {(text: string) => string}
 */
export function maskText(text) {
  const open = withoutHidden(text);
  if (!MAY_HAVE_SECRETS.test(open)) return open;
  const urls = open.replace(USERINFO, `$1${MASK}@`);
  const pairs = maskNamed(urls, QUERY_NAME, endOfPair, MASK);
  const members = maskNamed(pairs, JSON_NAME, endOfJson, `"${MASK}"`);
  return maskNamed(members, ESCAPED_NAME, endOfEscapedJson, (_name, _value, escape) => `${escape}"${MASK}${escape}"`)
    .replace(PRIVATE_KEY, `$1${MASK}`)
    .replace(SIGNED, MASK)
    .replace(CREDENTIALS, (found, scheme, value) => (isWord(scheme, value) ? found : `${scheme} ${MASK}`));
}

/** Tells `Basic Training` from a user and a password in base64. @type {(scheme: string, value: string) => boolean} */
function isWord(scheme, value) {
  return (
    scheme.toLowerCase() === 'basic' && /^[A-Z]?[a-z]+$/.test(value) && !Buffer.from(value, 'base64').includes(':')
  );
}

/**
 * Replaces the values after names of secrets. Other values are searched for such names. `named` finds a name and the
 * text up to its value, and `endOf` the end of the value; `escape`: the backslashes before the quotes of the name.
 * @type {(text: string, named: RegExp, endOf: (text: string, from: number, escape: string) => number, mask: string |
 *   ((name: string, value: string, escape: string) => string)) => string}
 */
function maskNamed(text, named, endOf, mask) {
  let masked = '';
  let from = 0;
  named.lastIndex = 0;
  for (let match = named.exec(text); match; match = named.exec(text)) {
    const start = named.lastIndex;
    const { name: written, escape = '' } = /** @type {{ name: string, escape?: string }} */ (match.groups);
    const name = decoded(written);
    const end = isSecretName(name) ? endOf(text, start, escape) : start;
    if (end === start) continue;
    masked += text.slice(from, start) + (typeof mask === 'string' ? mask : mask(name, text.slice(start, end), escape));
    from = end;
    named.lastIndex = end;
  }
  return masked + text.slice(from);
}

/**
 * Replaces the values of pairs and of members of JSON that {@link maskText} would hide, except values of pairs in
 * quotes, and JSON in a text of JSON: `import` replaces these between their quotes. `replace` gets the name of each,
 * and the value as it is written; `isJson`: of a member, whose text has quotes.
 * @type {(text: string, replace: (name: string, value: string, isJson: boolean) => string) => string}
 */
export function replaceNamedSecrets(text, replace) {
  const pairs = maskNamed(text, QUERY_NAME, endOfPlainPair, (name, value) => replace(name, value, false));
  return maskNamed(pairs, JSON_NAME, endOfJson, (name, value) => replace(name, value, true));
}

/** @type {(name: string) => string} */
function decoded(name) {
  return name.replace(/%([2-7][\da-f])/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

/** @type {(text: string, from: number) => number} */
function endOfPlainPair(text, from) {
  return endOfMatch(PAIR_VALUE, text, from);
}

/** The value of a pair may be in quotes. @type {(text: string, from: number) => number} */
function endOfPair(text, from) {
  PLACEHOLDER.lastIndex = from;
  if (PLACEHOLDER.test(text)) return from;
  OPENING_QUOTE.lastIndex = from;
  const [opening, escape, quote] = OPENING_QUOTE.exec(text) ?? [];
  if (opening === undefined) return endOfPlainPair(text, from);
  return quoteAfter(text, from + opening.length, escape, quote) + 1;
}

/** A value that was cut off ends with the text. @type {(text: string, from: number) => number} */
function endOfJson(text, from) {
  if (text[from] === '"') return endOfMatch(JSON_TEXT, text, from);
  if (text[from] !== '[' && text[from] !== '{') return endOfMatch(JSON_WORD, text, from);
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') at = endOfMatch(JSON_TEXT, text, at) - 1;
    else if (text[at] === '[' || text[at] === '{') depth++;
    else if ((text[at] === ']' || text[at] === '}') && --depth === 0) return at + 1;
  }
  return text.length;
}

/** A list or an object ends with its text. @type {(text: string, from: number, escape: string) => number} */
function endOfEscapedJson(text, from, escape) {
  if (text.startsWith(`${escape}"`, from)) return quoteAfter(text, from + escape.length + 1, escape) + 1;
  if (text[from] !== '[' && text[from] !== '{') return endOfMatch(ESCAPED_WORD, text, from);
  // The text around it has fewer backslashes before its quotes.
  return quoteAfter(text, from, escape.slice(1));
}

/** @type {(text: string, from: number, escape: string, quote?: string) => number} */
function quoteAfter(text, from, escape, quote = '"') {
  const more = `${escape}\\`;
  let at = text.indexOf(quote, from);
  while (at >= 0 && text.startsWith(more, at - more.length)) at = text.indexOf(quote, at + 1);
  return at < 0 ? text.length : at;
}

/** @type {(pattern: RegExp, text: string, from: number) => number} */
function endOfMatch(pattern, text, from) {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** Hides a text of {@link MIN_HIDDEN} characters or more in all output from now on. @type {(text: string) => void} */
export function hide(text) {
  if (text.length < MIN_HIDDEN || hidden.has(text)) return;
  hidden.add(text);
  hiddenForms = withForms(hiddenForms, [text]);
  formsWithSource = null;
}

/** Removes the texts that {@link hide} got. Only tests run unrelated flows in one process. */
export function forgetHidden() {
  hidden.clear();
  hiddenForms = [];
  formsWithSource = null;
}

/**
 * Hides the secrets of a source, too, while a function runs, which returns no promise. Unlike those of {@link hide},
 * they are many: each iteration has its own. They are read when the first text is masked. In a call within another
 * one, only those of the inner source are hidden.
 * @type {<T>(inner: SecretSource, act: () => T) => T}
 */
export function hidingSecretsOf(inner, act) {
  const outer = source;
  source = inner;
  formsWithSource = null;
  try {
    return act();
  } finally {
    source = outer;
    formsWithSource = null;
  }
}

/** The longest is first: one may contain another. @type {(forms: string[], texts: Iterable<string>) => string[]} */
function withForms(forms, texts) {
  const all = new Set(forms);
  for (const text of texts) {
    const whole = Buffer.from(text).toString();
    for (const form of [text, encodeURIComponent(whole), encodeURI(whole), JSON.stringify(text).slice(1, -1)])
      all.add(form);
  }
  return [...all].sort((a, b) => b.length - a.length);
}

/** Lists the texts that {@link hide} got, for another thread. @type {() => string[]} */
export function hiddenTexts() {
  return [...hidden];
}

/** @type {(text: string) => string} */
function withoutHidden(text) {
  const forms = source === null ? hiddenForms : (formsWithSource ??= formsOf(source));
  const rest = forms.reduce((shown, secret) => shown.replaceAll(secret, MASK), text);
  return forms.length > 0 && rest.includes(CUT) ? forms.reduce(withoutBeginning, rest) : rest;
}

/** No source is current meanwhile: its error may be masked. @type {(reading: SecretSource) => string[]} */
function formsOf(reading) {
  source = null;
  try {
    return withForms(
      hiddenForms,
      [...reading.secrets()].filter(({ length }) => length >= MIN_HIDDEN),
    );
  } finally {
    source = reading;
  }
}

/** Hides a secret of which cuts left the beginning. @type {(text: string, secret: string) => string} */
function withoutBeginning(text, secret) {
  if (secret.length <= MIN_BEGINNING) return text;
  const pieces = text.split(CUT);
  const last = pieces.pop();
  return [...pieces.map((piece) => withoutBeginningAtEnd(piece, secret)), last].join(CUT);
}

/** Hides the longest beginning: it is at the first place. @type {(piece: string, secret: string) => string} */
function withoutBeginningAtEnd(piece, secret) {
  const least = secret.slice(0, MIN_BEGINNING);
  let start = piece.indexOf(least, Math.max(0, piece.length - secret.length));
  while (start >= 0 && !secret.startsWith(piece.slice(start))) start = piece.indexOf(least, start + 1);
  return start < 0 ? piece : piece.slice(0, start) + MASK;
}

/** Hides the value of a secret field, else the credentials in it. @type {(name: string, value: string) => string} */
export function maskField(name, value) {
  return isSecretName(name) ? MASK : maskText(value);
}

/** Reports whether {@link maskField} hides a field or a part of it. @type {(name: string, value: string) => boolean} */
export function isSecretField(name, value) {
  return isSecretName(name) || maskText(value) !== value;
}

/**
 * Reports whether a secret is written into a text of a flow, whose field, variable or option has this name. The value
 * of a token such as `#{env.NAME}` is none, and neither is text directly beside it.
 * @type {(text: string, name?: string) => boolean}
 */
export function hasWrittenSecret(text, name = '') {
  if (!TOKEN.test(text)) return text !== '' && isSecretField(name, text);
  const given = text.replaceAll(ALL_TOKENS, GIVEN);
  const json = /^\s*[{[]/.test(given) ? parsed(given) : undefined;
  return json === undefined ? isSecretField('', withoutGiven(given)) : hasWrittenMember(json, false);
}

/** @type {(json: string) => unknown} */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    // Another text with brackets, such as a host in IPv6.
    return undefined;
  }
}

/** @type {(value: any, isNamed: boolean) => boolean} isNamed: it is in a member with the name of a secret */
function hasWrittenMember(value, isNamed) {
  if (typeof value !== 'object') {
    const written = withoutGiven(String(value));
    return written !== '' && (isNamed || isSecretField('', written));
  }
  return Object.entries(value ?? {}).some(([name, one]) => hasWrittenMember(one, isNamed || isSecretName(name)));
}

/**
 * Removes the words with a token, and the `@` after a user whose name or password had one:
 * `postgres://ann:#{env.PW}@db/x` becomes `postgres://db/x`, and `/x?sig=a#{env.SIG}&n=1` becomes `/x?sig=&n=1`.
 * @type {(given: string) => string} given: has {@link GIVEN} for tokens
 */
function withoutGiven(given) {
  // The group keeps what separates the words.
  const words = given.split(/([\s&;=?@/])/);
  const written = words.filter((word) => !word.includes(GIVEN)).join('');
  return written.replaceAll('://@', '://');
}

/** Reports whether a text has a token of the environment, which is a secret. @type {(text: string) => boolean} */
export function readsEnvironment(text) {
  return /#[{<]\s*env\./.test(text);
}

/** Hides values as {@link maskField} does. @type {(fields: Record<string, unknown>) => Record<string, string>} */
export function maskFields(fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskField(name, String(value))]));
}

/** Returns the text that stands for a secret. @type {() => string} */
export function maskAll() {
  return MASK;
}

/** Parts of names that mark a value as a secret. */
const SECRET_PART =
  /^(?:key|auth|oauth|authn|authz|authentication|sig|sid|pwd|pw|cvv|cvc|pass|passcode|jwt|otp|bearer|hmac|sas|psk|creds?)s?$/;
/** Such words, written without a border: `accesstoken`, `PHPSESSID`, `DBPASS`, `basicauth`. */
const SECRET_WORD = new RegExp(
  [
    'token|secret|session|sess?id$|passw|passphrase|credential|signature|cookie|authori[sz]ation|connectionstring|^saml',
    '^(?:db|pg|my|sql|user|root|admin|login|smtp|ftp|ssh|key|store)(?:pass|pwd)$',
    '^(?:basic|proxy|digest|http)auth$|^auth(?:code|header)$|^(?:csrf|xsrf|dsn)$',
    '(?:api|auth|access|private|signing|shared|account|license|encryption|master|ssh|subscription|webhook)keys?(?:id|lite)?$',
  ].join('|'),
);
/** Two parts that are a secret together: `connectionString`, `sess_id`. */
const SECRET_PHRASE = /\b(?:connection strings?|sess id)\b/;
/** Names with such a part whose values are no secrets: lower-case, without borders. An `x-` before them is ignored. */
const NO_SECRETS = new Set([
  ...['idempotencykey', 'secwebsocketkey', 'publickey', 'hostkey', 'cachekey', 'surrogatekey', 'sitekey'],
  ...['primarykey', 'foreignkey', 'partitionkey', 'sortkey', 'rowkey', 'routingkey', 'messagekey', 'objectkey'],
  // Counters of language models.
  ...['maxtokens', 'maxnewtokens', 'mincompletiontokens', 'maxcompletiontokens', 'maxoutputtokens', 'tokencount'],
  ...['prompttokens', 'completiontokens', 'inputtokens', 'outputtokens', 'totaltokens', 'cachedtokens'],
  ...['reasoningtokens', 'tokentype'],
]);
/** The last part of names of settings. */
const KINDS = /^(?:type|types|policy|policies|method|methods|mode|kind|scheme|provider|status|enabled|required)$/;
/** Decided names: reading one takes a microsecond, and redirects ask for each field. @type {Map<string, boolean>} */
const decided = new Map();
const MOST_DECIDED = 1000;
const LONGEST = 200;

/**
 * Reports whether a name marks its value as a secret: the name of a header field, query parameter, form field, member
 * of JSON, variable of flow or environment, or column. All masks and refusals ask this function. It reads the parts of
 * the name, as in `X-Goog-Api-Key`, `accessToken` and `DB_PASSWORD`; in doubt a value is a secret.
 * @type {(name: string) => boolean}
 */
export function isSecretName(name) {
  const known = decided.get(name);
  if (known !== undefined) return known;
  if (name.length > LONGEST) return decide(name.slice(0, LONGEST)) || decide(name.slice(-LONGEST));
  if (decided.size >= MOST_DECIDED) decided.clear();
  const isSecret = decide(name);
  decided.set(name, isSecret);
  return isSecret;
}

/** @type {(name: string) => boolean} */
function decide(name) {
  const parts = partsOf(name);
  if (NO_SECRETS.has((parts[0] === 'x' ? parts.slice(1) : parts).join(''))) return false;
  // `auth_type` and `passwordPolicy` say how, not what.
  if (parts.length > 1 && KINDS.test(parts[parts.length - 1])) return false;
  return parts.some((part) => SECRET_PART.test(part) || SECRET_WORD.test(part)) || SECRET_PHRASE.test(parts.join(' '));
}

/** `X-APIKeyOf_user2` has the parts x, api, key, of, user. @type {(name: string) => string[]} */
function partsOf(name) {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== '');
}
