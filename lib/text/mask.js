/** @typedef {{ secrets: () => Iterable<string> }} SecretSource */

const MASK = '***';
const FIELDS = '(?:proxy-)?authorization|(?:set-)?cookie|(?:x-)?api-?key';
const SECRET_FIELD = new RegExp(`^(?:${FIELDS})$|token|secret|password`, 'i');
const NAMES =
  '(?:[\\w.-]*(?:password|passwd|passphrase|secret|token)|pwd|(?:x-)?api[_-]?key|authorization|session(?:_?id)?|sid)';
const SECRET_NAME = new RegExp(`^${NAMES}$`, 'i');
const USERINFO = /(:\/\/)[^\s/?#]*@/g;
const IN_QUERY = new RegExp(`((?:^|[?&;\\s])${NAMES}=)[^&\\s;"']+`, 'gi');
const IN_JSON = new RegExp(
  `("(?:${NAMES}|${FIELDS})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|\\[[^\\]]*\\]?|[^\\s,}\\]]+)`,
  'gi',
);
/** in a text or in JSON; a long one without an end is masked, too */
const PRIVATE_KEY = /(-----BEGIN [A-Z ]*PRIVATE KEY-----)(?:[^-]|-(?!----))*/g;
/** a shorter text occurs by chance, so hiding it would hide other text */
const MIN_HIDDEN = 4;
/** what {@link hide} got @type {Set<string>} */
const hidden = new Set();
/** in the forms in which it is sent, the longest one first @type {string[]} */
let hiddenForms = [];
/** see {@link hideSecretsOf} @type {SecretSource | null} */
let source = null;
/** its forms and {@link hiddenForms}, once a text was masked @type {string[] | null} */
let formsWithSource = null;
/** how a message ends that was cut off, and how many characters of a secret before it are recognized */
const CUT = '…';
const MIN_BEGINNING = 8;

const CREDENTIALS = /\b(basic|bearer|digest)\s+[\w.~+/=-]{4,}/gi;

/**
 * Hides credentials in URLs, queries, forms, JSON and authorization fields, and private keys. Takes time linear in the length of the text.
 *
 * @param {string} text
 * @returns {string}
 */
export function maskText(text) {
  return withoutHidden(text)
    .replace(USERINFO, `$1${MASK}@`)
    .replace(IN_QUERY, `$1${MASK}`)
    .replace(IN_JSON, `$1"${MASK}"`)
    .replace(PRIVATE_KEY, `$1${MASK}`)
    .replace(CREDENTIALS, `$1 ${MASK}`);
}

/**
 * Hides a text in all output of this thread from now on: the value of an environment variable. One of fewer than
 * {@link MIN_HIDDEN} characters is not hidden.
 *
 * @param {string} text
 */
export function hide(text) {
  if (text.length < MIN_HIDDEN || hidden.has(text)) return;
  hidden.add(text);
  hiddenForms = withForms(hiddenForms, [text]);
  formsWithSource = null;
}

/**
 * Hides the secrets of a source too, until this is called with another one. Unlike those of {@link hide}, they are many: each
 * iteration has its own. They are read when the first text is masked.
 *
 * @param {SecretSource | null} next null: those of no source
 * @returns {SecretSource | null} the one before, to return to
 */
export function hideSecretsOf(next) {
  const last = source;
  source = next;
  formsWithSource = null;
  return last;
}

/** The forms in which texts are sent, the longest one first: one may contain another one. @type {(forms: string[], texts: Iterable<string>) => string[]} */
function withForms(forms, texts) {
  const all = new Set(forms);
  for (const text of texts) {
    const whole = Buffer.from(text).toString();
    for (const form of [text, encodeURIComponent(whole), encodeURI(whole), JSON.stringify(text).slice(1, -1)])
      all.add(form);
  }
  return [...all].sort((a, b) => b.length - a.length);
}

/** @returns {string[]} what {@link hide} got, for another thread */
export function hiddenTexts() {
  return [...hidden];
}

/** @type {(text: string) => string} */
function withoutHidden(text) {
  const forms = source === null ? hiddenForms : (formsWithSource ??= formsOf(source));
  const rest = forms.reduce((shown, secret) => shown.replaceAll(secret, MASK), text);
  return forms.length > 0 && rest.includes(CUT) ? forms.reduce(withoutBeginning, rest) : rest;
}

/** Without the source meanwhile: reading may fail with an error whose own text is masked. @type {(reading: SecretSource) => string[]} */
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

/** Hides a secret of which a cut left the beginning. @type {(text: string, secret: string) => string} */
function withoutBeginning(text, secret) {
  const end = text.lastIndexOf(CUT);
  const start = text.lastIndexOf(secret.slice(0, MIN_BEGINNING), end - MIN_BEGINNING);
  const isBeginning = start >= 0 && secret.length > MIN_BEGINNING && secret.startsWith(text.slice(start, end));
  return isBeginning ? text.slice(0, start) + MASK + text.slice(end) : text;
}

/**
 * Hides the value of a header field if its name marks it as a secret; else the credentials in it.
 *
 * @param {string} name
 * @param {string} value
 * @returns {string}
 */
export function maskField(name, value) {
  return isSecretField(name) ? MASK : maskText(value);
}

/**
 * Hides the values of header fields as {@link maskField} does.
 *
 * @param {Record<string, unknown>} fields
 * @returns {Record<string, string>}
 */
export function maskFields(fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskField(name, String(value))]));
}

/** @returns {string} stands for a secret */
export function maskAll() {
  return MASK;
}

/** @type {(name: string) => boolean} */
export function isSecretField(name) {
  return SECRET_FIELD.test(name);
}

/**
 * Reports whether the name of a value marks it as a secret: of a variable, a column, a member of JSON.
 *
 * @param {string} name
 * @returns {boolean}
 */
export function isSecretName(name) {
  return SECRET_FIELD.test(name) || SECRET_NAME.test(name);
}
