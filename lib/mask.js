const MASK = '***';
const SECRET_FIELD =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key|api-key|apikey|x-auth-token|x-csrf-token)$|token|secret|password/i;
const NAMES =
  '(?:[\\w.-]*(?:password|passwd|passphrase|secret|token)|pwd|api[_-]?key|authorization|session(?:_?id)?|sid)';
const USERINFO = /(:\/\/)[^\s/?#]*@/g;
const IN_QUERY = new RegExp(`((?:^|[?&;\\s])${NAMES}=)[^&\\s;"']+`, 'gi');
const IN_JSON = new RegExp(`("${NAMES}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|[^\\s,}\\]]+)`, 'gi');
const CREDENTIALS = /\b(basic|bearer|digest)\s+[\w.~+/=-]{4,}/gi;

/**
 * Hides credentials in text that is shown: of URLs, queries, forms, json, authorization fields. Takes no longer than the
 * text is long, whoever wrote it.
 *
 * @param {string} text
 * @returns {string}
 */
export function maskText(text) {
  return text
    .replace(USERINFO, `$1${MASK}@`)
    .replace(IN_QUERY, `$1${MASK}`)
    .replace(IN_JSON, `$1"${MASK}"`)
    .replace(CREDENTIALS, `$1 ${MASK}`);
}

/**
 * The value of a header field, hidden where its name says that it is a secret.
 *
 * @param {string} name
 * @param {string} value
 * @returns {string}
 */
export function maskField(name, value) {
  return isSecretField(name) ? MASK : maskText(value);
}

/** @type {(name: string) => boolean} */
export function isSecretField(name) {
  return SECRET_FIELD.test(name);
}
