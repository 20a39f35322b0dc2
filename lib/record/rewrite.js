import { Transform } from 'node:stream';

/** @typedef {[name: string, value: string][]} Fields */

/**
 * @typedef {object} Origins
 * @property {URL} target
 * @property {URL} own where the client found the proxy
 */

/** Fields of a connection (RFC 9110 7.6.1). */
const CONNECTION_FIELDS = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
]);
const ADDRESS_FIELDS = new Set(['origin', 'referer']);
const LOCATION_FIELDS = new Set(['location', 'content-location', 'refresh', 'access-control-allow-origin']);

/** @type {(fields: Fields) => Fields} */
export function withoutConnection(fields) {
  const named = fields.filter(([name]) => name.toLowerCase() === 'connection').flatMap(([, value]) => value.split(','));
  const dropped = new Set([...CONNECTION_FIELDS, ...named.map((name) => name.trim().toLowerCase())]);
  return fields.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/** The target finds its own name in them, as without the proxy. @type {(fields: Fields, origins: Origins) => Fields} */
export function fieldsForTarget(fields, { target, own }) {
  /** @type {Fields} */
  const all = fields.some(([name]) => name.toLowerCase() === 'host') ? fields : [['Host', ''], ...fields];
  return all.map(([name, value]) => {
    const key = name.toLowerCase();
    if (key === 'host') return [name, target.host];
    return [name, ADDRESS_FIELDS.has(key) ? withOrigin(value, own.origin, target.origin) : value];
  });
}

/** What leads to the target leads to the proxy. @type {(fields: Fields, origins: Origins) => Fields} */
export function fieldsForClient(fields, origins) {
  return fields.map(([name, value]) => {
    const key = name.toLowerCase();
    if (key === 'set-cookie') return [name, cookieForClient(value, origins)];
    return [name, LOCATION_FIELDS.has(key) ? withOrigin(value, origins.target.origin, origins.own.origin) : value];
  });
}

/** @type {(text: string, from: string, to: string) => string} */
function withOrigin(text, from, to) {
  const at = text.indexOf(from);
  const next = text[at + from.length] ?? '/';
  return at < 0 || /[\w.:@-]/.test(next) ? text : text.slice(0, at) + to + text.slice(at + from.length);
}

/** Without Domain and Secure: else it would not come back. @type {(cookie: string, origins: Origins) => string} */
function cookieForClient(cookie, { target, own }) {
  const losesTls = target.protocol === 'https:' && own.protocol === 'http:';
  const parts = cookie.split(';').filter((part, i) => {
    const name = part.split('=')[0].trim().toLowerCase();
    return i === 0 || !(name === 'domain' || (losesTls && (name === 'secure' || name === 'partitioned')));
  });
  return parts.map((part) => (losesTls && /^\s*samesite=none\s*$/i.test(part) ? ' SameSite=Lax' : part)).join(';');
}

const TEXTS = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript))/i;

/** Reports whether absolute URLs in a body can be rewritten. @type {(fields: Fields, status: number) => boolean} */
export function hasText(fields, status) {
  const valueOf = (/** @type {string} */ wanted) => fields.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
  return status !== 206 && /^(?:identity)?$/i.test(valueOf('content-encoding')) && TEXTS.test(valueOf('content-type'));
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

/** @type {(text: string, old: string, now: string) => string} */
function replaceAll(text, old, now) {
  return text.replaceAll(old, (found, /** @type {number} */ at) =>
    /[\w.:@-]/.test(text[at + old.length] ?? '/') ? found : now,
  );
}

/**
 * How many characters at the end may be the beginning of a word, or the whole word without what follows it.
 * @type {(text: string, word: string) => number}
 */
function openEnd(text, word) {
  for (let length = Math.min(word.length, text.length); length > 0; length--)
    if (text.endsWith(word.slice(0, length))) return length;
  return 0;
}
