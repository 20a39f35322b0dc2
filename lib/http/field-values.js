/** A name (RFC 6265 4.1.1) is a token; a value has no semicolon and no control character. */
const PAIR = /^\s*([!#$%&'*+.^_`|~\w-]+)=([^;\u0000-\u001f\u007f]*)$/;

/**
 * Reads cookies: an object of names and values, `name=value`, `a=1; b=2`, or an array of such texts.
 *
 * @param {any} given
 * @returns {Record<string, string> | undefined} undefined if one is invalid
 */
export function readCookies(given) {
  const pairs = pairsOf(given);
  if (pairs.length === 0) return undefined;
  /** @type {[string, string][]} */
  const read = [];
  for (const pair of pairs) {
    const [, name, value] = PAIR.exec(pair) ?? [];
    if (name === undefined) return undefined;
    read.push([name, value]);
  }
  return Object.fromEntries(read);
}

/** @type {(given: any) => string[]} */
function pairsOf(given) {
  if (typeof given === 'string') return given.split(/;\s*/).filter((pair, i) => pair !== '' || i === 0);
  if (Array.isArray(given)) return given.flatMap((one) => (typeof one === 'string' ? pairsOf(one) : ['']));
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).map(([name, value]) => (isValue(value) ? `${name}=${value}` : ''));
}

/** @type {(value: unknown) => boolean} */
function isValue(value) {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * Merges cookies of two layers: the stronger one wins name by name.
 *
 * @param {any} weaker
 * @param {any} stronger
 * @returns {any} `stronger` itself if either is invalid: the check of the option refuses it
 */
export function mergeCookies(weaker, stronger) {
  const [below, above] = [readCookies(weaker), readCookies(stronger)];
  return below && above ? { ...below, ...above } : stronger;
}

/**
 * The value of an Authorization field for basic authentication (RFC 7617).
 *
 * @param {string} userAndPassword `user:password`
 * @returns {string}
 */
export function basicCredentials(userAndPassword) {
  return `Basic ${Buffer.from(userAndPassword).toString('base64')}`;
}
