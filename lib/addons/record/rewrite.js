import { Transform } from 'node:stream';
import { constants, createBrotliCompress, createBrotliDecompress, createGunzip, createGzip } from 'node:zlib';

/** @typedef {[name: string, value: string][]} Fields */

/**
 * Where the requests go, and where the client found the proxy: both are the same for a forward proxy, and nothing is
 * rewritten then.
 * @typedef {{ target: URL, own: URL }} Origins
 */

/** Fields of a connection (RFC 9110 7.6.1). */
const CONNECTION_FIELDS = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
]);
/** Fields of requests and of responses that have URLs of the server. */
const ADDRESS_FIELDS = new Set(['origin', 'referer', 'destination']);
const LOCATION_FIELDS = new Set(['location', 'content-location', 'link', 'refresh', 'access-control-allow-origin']);

/** Finds a field by its name in lower case. @type {(fields: Fields, wanted: string) => string | undefined} */
export function valueOf(fields, wanted) {
  return fields.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** Fields that say where the message goes and ends: no client can leave them out of it. */
const FRAMING = new Set(['host', 'content-length']);

/** Leaves out what belongs to one connection. @type {(fields: Fields) => Fields} */
export function withoutConnection(fields) {
  const named = fields.filter(([name]) => name.toLowerCase() === 'connection').flatMap(([, value]) => value.split(','));
  const dropped = new Set([...CONNECTION_FIELDS, ...named.map((name) => name.trim().toLowerCase())]);
  return fields.filter(([name]) => FRAMING.has(name.toLowerCase()) || !dropped.has(name.toLowerCase()));
}

/** Names the target, as without the proxy. @type {(fields: Fields, origins: Origins) => Fields} */
export function fieldsForTarget(fields, { target, own }) {
  /** @type {Fields} */
  const all = valueOf(fields, 'host') === undefined ? [['Host', ''], ...fields] : fields;
  return all.map(([name, value]) => {
    const key = name.toLowerCase();
    if (key === 'host') return [name, target.host];
    return [name, ADDRESS_FIELDS.has(key) ? replaceAll(value, own.origin, target.origin) : value];
  });
}

/** Leads the client to the proxy in place of the target. @type {(fields: Fields, origins: Origins) => Fields} */
export function fieldsForClient(fields, origins) {
  return fields.map(([name, value]) => {
    const key = name.toLowerCase();
    if (key === 'set-cookie') return [name, cookieForClient(value, origins)];
    return [name, LOCATION_FIELDS.has(key) ? replaceAll(value, origins.target.origin, origins.own.origin) : value];
  });
}

/** Drops attributes that keep a cookie from the proxy. @type {(cookie: string, origins: Origins) => string} */
function cookieForClient(cookie, { target, own }) {
  // Browsers keep a cookie with such a name only if it is Secure, which they allow on localhost without TLS.
  const losesTls = target.protocol === 'https:' && own.protocol === 'http:' && !/^\s*__(?:Secure|Host)-/i.test(cookie);
  const parts = cookie.split(';').filter((part, i) => {
    const name = part.split('=')[0].trim().toLowerCase();
    return i === 0 || !(name === 'domain' || (losesTls && (name === 'secure' || name === 'partitioned')));
  });
  return parts.map((part) => (losesTls && /^\s*samesite=none\s*$/i.test(part) ? ' SameSite=Lax' : part)).join(';');
}

/** Types of bodies that are rewritten. A stream of events is not, as a piece of it must not wait for the next one. */
const TEXTS = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript))/i;

/** Codings of texts that are rewritten. @type {Record<string, () => { decoder: Transform, encoder: Transform }>} */
const CODINGS = {
  gzip: () => ({ decoder: createGunzip(), encoder: createGzip({ flush: constants.Z_SYNC_FLUSH }) }),
  br: () => ({
    decoder: createBrotliDecompress(),
    encoder: createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
    }),
  }),
};

/**
 * Returns the coding of a body whose absolute URLs can be rewritten, `identity` if there is none; null if they cannot.
 * @type {(fields: Fields, status: number) => string | null}
 */
export function codingOfText(fields, status) {
  const coding = (valueOf(fields, 'content-encoding') || 'identity').toLowerCase();
  const isText = ![204, 206, 304].includes(status) && TEXTS.test(valueOf(fields, 'content-type') ?? '');
  return isText && (coding === 'identity' || Object.hasOwn(CODINGS, coding)) ? coding : null;
}

/**
 * Returns the streams that replace the origin of the target in a body of a coding by that of the proxy.
 * @type {(coding: string, origins: Origins) => Transform[]}
 */
export function replaceOriginIn(coding, { target, own }) {
  const replacing = replaceOrigin(target.origin, own.origin);
  if (coding === 'identity') return [replacing];
  const { decoder, encoder } = CODINGS[coding]();
  return [decoder, replacing, encoder];
}

/**
 * Replaces the origin of the proxy in a path or a body by that of the target, which the client would have sent without
 * the proxy; it may be percent-encoded, or escaped as in JSON.
 * @type {(text: string, origins: Origins) => string}
 */
export function withTargetOrigin(text, { target, own }) {
  if (target.origin === own.origin) return text;
  return FORMS.reduce((all, form) => replaceAll(all, form(own.origin), form(target.origin)), text);
}

/** @type {((origin: string) => string)[]} */
const FORMS = [
  String,
  encodeURIComponent,
  (origin) => encodeURIComponent(origin).toLowerCase(),
  (origin) => origin.replaceAll('/', '\\/'),
];
const SENT_TEXTS = /^(?:text\/|application\/(?:x-www-form-urlencoded|(?:[\w.+-]*\+)?(?:json|xml)))/i;

/**
 * Names the target in the body of a request as the recording has it; the target itself gets the body as it was sent.
 * @type {(body: Buffer, fields: Fields, origins: Origins) => Buffer}
 */
export function bodyForTarget(body, fields, origins) {
  const isText = SENT_TEXTS.test(valueOf(fields, 'content-type') ?? '');
  if (!isText || valueOf(fields, 'content-encoding') !== undefined) return body;
  return Buffer.from(withTargetOrigin(body.toString('latin1'), origins), 'latin1');
}

/**
 * Replaces an origin in a stream of text, also where it is escaped as in JSON. A piece may end within it.
 * @type {(from: string, to: string) => Transform}
 */
export function replaceOrigin(from, to) {
  const pairs = [
    [from, to],
    [from.replaceAll('/', '\\/'), to.replaceAll('/', '\\/')],
  ];
  let rest = '';
  /** @type {(text: string) => string} */
  const replaced = (text) => pairs.reduce((all, [old, now]) => replaceAll(all, old, now), text);
  return new Transform({
    // latin1 keeps all bytes
    transform(piece, _, done) {
      const text = rest + piece.toString('latin1');
      const open = Math.max(...pairs.map(([old]) => openEnd(text, old)));
      rest = text.slice(text.length - open);
      done(null, Buffer.from(replaced(text.slice(0, text.length - open)), 'latin1'));
    },
    flush(done) {
      done(null, Buffer.from(replaced(rest), 'latin1'));
    },
  });
}

/**
 * Replaces an origin, unless the text goes on as another one does: `https://shop.test.evil.test`,
 * `https://shop.test:8080`.
 * @type {(text: string, old: string, now: string) => string}
 */
function replaceAll(text, old, now) {
  return text.replaceAll(old, (found, /** @type {number} */ at) =>
    /[\w.:@-]/.test(text[at + old.length] ?? '/') ? found : now,
  );
}

/**
 * Counts the characters at the end that may begin a word, or be all of it: the next one tells whether it ends there.
 * @type {(text: string, word: string) => number}
 */
function openEnd(text, word) {
  for (let length = Math.min(word.length, text.length); length > 0; length--)
    if (text.endsWith(word.slice(0, length))) return length;
  return 0;
}
