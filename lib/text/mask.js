const MASK = '***';
const FIELDS = '(?:proxy-)?authorization|(?:set-)?cookie|(?:x-)?api-?key';
const SECRET_FIELD = new RegExp(`^(?:${FIELDS})$|token|secret|password`, 'i');
const NAMES =
  '(?:[\\w.-]*(?:password|passwd|passphrase|secret|token)|pwd|(?:x-)?api[_-]?key|authorization|session(?:_?id)?|sid)';
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
  const whole = Buffer.from(text).toString();
  const forms = [text, encodeURIComponent(whole), encodeURI(whole), JSON.stringify(text).slice(1, -1)];
  // one may contain another one
  hiddenForms = [...new Set([...hiddenForms, ...forms])].sort((a, b) => b.length - a.length);
}

/** @returns {string[]} what {@link hide} got, for another thread */
export function hiddenTexts() {
  return [...hidden];
}

/** @type {(text: string) => string} */
function withoutHidden(text) {
  return hiddenForms.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
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
