import { TOKEN } from '../../http/field-values.js';
import { decodePercent } from '../../text/decode.js';
import { Leaf } from './leaf.js';

/** @import { RecordedRequest } from '../../contracts/exchange.js' */
/** @import { RequestPart } from './types.js' */

/**
 * Conditions (`If-Match`) are those of linkEtags. Fields of the connection, the browser and its cache, and of tracing:
 * the run has its own, or needs none.
 */
const DROPPED = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'upgrade'],
  ...['transfer-encoding', 'content-length', 'expect', 'http2-settings', 'alt-used', 'priority', 'cookie', 'cookie2'],
  ...['user-agent', 'accept-encoding', 'accept-language', 'accept-charset', 'dnt', 'upgrade-insecure-requests'],
  ...['save-data'],
  ...['referer', 'origin', 'cache-control', 'pragma', 'if-none-match', 'if-modified-since', 'if-match'],
  ...['forwarded', 'via', 'x-real-ip', 'traceparent', 'tracestate', 'baggage', 'sentry-trace', 'newrelic', 'b3'],
  ...['x-cloud-trace-context', 'x-amzn-trace-id', 'postman-token', 'purpose', 'x-purpose'],
  ...['access-control-request-method'],
]);
const DROPPED_START = /^(?::|sec-|x-forwarded-|x-b3-|x-datadog-|x-ot-span|access-control-request-|x-bench-rest-)/;
/** The characters of a field value (RFC 9110 5.5). */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Cookies of analytics, advertising and consent. */
const NOISE_COOKIE =
  /^(?:_g[ac]|_gid|_gat|_fbp|_hj|__utm|ajs_|amp|mp_|_dd_|intercom|optanon|cookieconsent|_clck|_clsk|_pk_)/i;

/**
 * Reads the header fields that a person would write: those that the application reads. The jar keeps cookies that the
 * server sets, `setCookies` are their names; `isImplied` knows those that come with the body.
 * @type {(request: RecordedRequest, context: { setCookies: Set<string>, isImplied: (name: string, value: string) =>
 *   boolean }) => RequestPart<Record<string, any>>}
 */
export function readFields({ headers }, { setCookies, isImplied }) {
  const fields = headers
    .filter(([name, value]) => !isDropped(name.toLowerCase(), value) && !isImplied(name.toLowerCase(), value))
    .map(([name, value]) => ({ name, leaf: leafOf(name, value) }));
  const basic = fields.find(({ name, leaf }) => /^authorization$/i.test(name) && /^basic /i.test(leaf.text));
  const cookies = headers
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .flatMap(([, value]) => cookiesIn(value))
    .filter(({ name }) => !setCookies.has(name) && !NOISE_COOKIE.test(name));
  const sent = fields.filter((field) => field !== basic);
  return {
    leaves: [...sent, ...cookies].map(({ leaf }) => leaf),
    written: () => ({
      ...(basic && { auth: basicOf(basic.leaf.text) }),
      ...(sent.length > 0 && { headers: namedValues(sent) }),
      ...(cookies.length > 0 && { cookies: namedValues(cookies) }),
    }),
  };
}

/** @type {(name: string, value: string) => boolean} */
function isDropped(name, value) {
  if (DROPPED.has(name) || DROPPED_START.test(name) || !TOKEN.test(name) || !VALUE.test(value)) return true;
  // What every client sends
  return name === 'accept' && (value.startsWith('*/*') || /^(?:text\/html|image\/)/.test(value));
}

/** @type {(name: string, value: string) => Leaf} */
function leafOf(name, value) {
  // axios and others accept anything in the end
  const text = /^accept$/i.test(name) && /^application\/json\b/.test(value) ? 'application/json' : value;
  return new Leaf({ place: 'field', name, label: `the field ${name}`, value: text });
}

/** @type {(text: string) => { name: string, leaf: Leaf }[]} */
export function cookiesIn(text) {
  return text.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    if (at < 0) return [];
    const name = pair.slice(0, at).trim();
    return [
      {
        name,
        leaf: new Leaf({ place: 'cookie', name, label: `the cookie ${name}`, value: pair.slice(at + 1).trim() }),
      },
    ];
  });
}

/** @type {(named: { name: string, leaf: Leaf }[]) => Record<string, string>} */
function namedValues(named) {
  return Object.fromEntries(named.map(({ name, leaf }) => [name, leaf.written()]));
}

/** @type {(field: string) => { user: string, pass: string }} */
function basicOf(field) {
  const text = Buffer.from(field.slice('basic '.length), 'base64').toString();
  const at = text.indexOf(':');
  return at < 0 ? { user: text, pass: '' } : { user: text.slice(0, at), pass: text.slice(at + 1) };
}

/** @typedef {{ leaf: Leaf, raw: string }} AddressPart */

/**
 * Reads the URL of a request: each segment of its path and each parameter is a value. The written URL is relative to
 * the origin of the flow, if it has this origin.
 * @type {(url: URL, origin: string) => RequestPart<string>}
 */
export function readAddress(url, origin) {
  const segments = url.pathname.split('/').map((raw, i, all) => ({
    raw,
    leaf: new Leaf({
      place: 'path',
      name: i > 1 ? decodePercent(all[i - 1]) : '',
      label: 'the path',
      value: decodePercent(raw),
    }),
  }));
  const pairs = url.search.length > 1 ? url.search.slice(1).split('&').map(readPair) : [];
  return {
    leaves: [...segments, ...pairs.flatMap(({ value }) => value ?? [])].map(({ leaf }) => leaf),
    written() {
      const path = segments.map(written).join('/');
      const query = pairs.map(({ name, value }) => (value ? `${name}=${written(value)}` : name)).join('&');
      const start = url.origin === origin ? '' : url.origin;
      // A path that begins with // would be a host.
      const dot = start === '' && path.startsWith('//') ? '/.' : '';
      return `${start}${dot}${path}${query === '' ? '' : `?${query}`}`;
    },
  };
}

/** @type {(pair: string) => { name: string, value: AddressPart | null }} */
function readPair(pair) {
  const at = pair.indexOf('=');
  if (at < 0) return { name: pair, value: null };
  const name = pair.slice(0, at);
  const raw = pair.slice(at + 1);
  const shown = decodePercent(name.replaceAll('+', ' '));
  const value = decodePercent(raw.replaceAll('+', ' '));
  const leaf = new Leaf({ place: 'query', name: shown, label: `the query parameter ${shown}`, value });
  return { name, value: { raw, leaf } };
}

/** Without a token it keeps the encoding of its client. @type {(part: AddressPart) => string} */
function written({ leaf, raw }) {
  return leaf.isReplaced ? leaf.written(encodeURIComponent) : raw;
}
