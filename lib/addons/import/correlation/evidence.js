/** @import { Candidate } from './leaf.js' */
/** @import { Source } from './types.js' */

/** Names whose values are identifiers, as {@link plainName} writes them. */
const ID_NAMES = new Set([
  ...['id', 'uuid', 'guid', 'uid', 'oid', 'pk', 'key', 'slug', 'handle', 'ref', 'reference', 'token', 'nonce'],
  ...['cursor'],
  ...['rev', 'revision', 'version', 'etag', 'sku', 'code', 'number', 'no'],
]);
const ID_END = /(?:id|uuid|guid|key|token|nonce|cursor|code|number|ref|slug|csrf|xsrf|revision|version)$/;
/** Names that say nothing about what they identify. */
const SHORT_NAMES = ['id', 'key', 'no', 'code', 'number', 'version', 'revision'];
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
/** Media types, versions, languages, sizes, dates: they are equal by chance. */
const ORDINARY = [
  /^[a-z]+\/[a-z\d.+-]+$/i,
  /^v?\d+(?:\.\d+)+(?:-[a-z\d.]+)?$/i,
  /^[a-z]{2}(?:[-_][a-z]{2})?$/i,
  /^\d+x\d+$/,
  /^\d{4}-\d\d(?:-\d\d)?$/,
  /^\d\d?:\d\d(?::\d\d)?$/,
  /^(?:utf|iso|windows|us-ascii)-?[\d-]*$/i,
];
const LONGEST = 4096;

/** Reports whether a value is so rare that it is the same one wherever it occurs. @type {(text: string) => boolean} */
export function isRare(text) {
  if (text.length < 6 || text.length > LONGEST || /\s/.test(text)) return false;
  if (UUID.test(text) || INSTANT.test(text)) return true;
  if (ORDINARY.some((pattern) => pattern.test(text))) return false;
  // Neither a date nor a round number
  if (/^\d+$/.test(text)) return !/^(?:19|20)\d{6}$|0000$/.test(text);
  return (/^[\da-f]{8,}$/i.test(text) && /\d/.test(text)) || isRandom(text);
}

/** @type {(text: string) => boolean} */
function isRandom(text) {
  const digits = text.replace(/\D/g, '').length;
  const letters = text.replace(/[^a-z]/gi, '').length;
  if (text.length >= 10 && digits >= 2 && letters >= 2 && isDense(text)) return true;
  // Random letters alone: upper and lower case in turn
  return text.length >= 16 && isDense(text) && (text.match(/[a-z][A-Z]|[A-Z][a-z]/g) ?? []).length >= 5;
}

/**
 * Reports whether it has the characters of base64, JWT and percent-encoding, and is no URL.
 * @type {(text: string) => boolean}
 */
function isDense(text) {
  return /^[\w.~+/=:%-]+$/.test(text) && !/^[a-z]+:\/\//i.test(text) && !text.startsWith('/');
}

/**
 * Reports whether a value that may occur elsewhere by chance is the same one, because the names of both places agree:
 * `$.id` of `POST /items`, and the segment after `/items`.
 * @type {(candidate: Candidate, source: Source) => boolean}
 */
export function namesAgree(candidate, source) {
  if (!isIdentifier(candidate.text, source.key)) return false;
  const received = { key: plainName(source.key), entity: singular(plainName(source.entity)) };
  const sent = { key: plainName(candidate.name), entity: singular(plainName(candidate.entity)) };
  const { key, entity } = received;
  if (candidate.isPathPart || source.isPathPart) {
    const collection = singular(sent.key);
    if (collection === '') return false;
    if (source.isPathPart) return singular(key) === collection;
    return (isIdName(key) && entity === collection) || key === `${collection}id` || key === `${collection}slug`;
  }
  if (sent.key === key) return isIdName(key) && (!SHORT_NAMES.includes(key) || entity === sent.entity);
  // `$.token`, sent as `Authorization: Bearer test-1`
  if (sent.key === 'authorization') return /token$|jwt$|apikey$/.test(key);
  // `$.item.id`, sent as itemId
  return isIdName(key) && entity !== '' && sent.key === `${entity}${key}`;
}

/** Accepts a number, a text with digits, a slug or a token; no word. @type {(text: string, key: string) => boolean} */
function isIdentifier(text, key) {
  if (text.length > 200 || /\s/.test(text) || ['', '0', '-1'].includes(text)) return false;
  if (/^-?\d+$/.test(text)) return true;
  if (ORDINARY.some((pattern) => pattern.test(text))) return false;
  if (/\d/.test(text) && /^[\w.~:-]+$/.test(text)) return true;
  const name = plainName(key);
  return (
    (/slug$/.test(name) && text.includes('-')) || (/token$|nonce$|csrf|xsrf|cursor$/.test(name) && text.length >= 6)
  );
}

/** @type {(plain: string) => boolean} */
export function isIdName(plain) {
  return ID_NAMES.has(plain) || ID_END.test(plain);
}

/** Known results of plainName: the same few names are compared again and again. @type {Map<string, string>} */
const plainNames = new Map();
const MOST_NAMES = 10_000;

/** `item_ID` and `itemId` are one name. @type {(name: string) => string} */
export function plainName(name) {
  const known = plainNames.get(name);
  if (known !== undefined) return known;
  const plain = name
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
    .replace(/^x(?=csrf|xsrf)/, '');
  if (plainNames.size < MOST_NAMES) plainNames.set(name, plain);
  return plain;
}

/** @type {(name: string) => string} */
export function singular(name) {
  if (/ies$/i.test(name)) return name.replace(/ies$/i, 'y');
  if (/(?:ss|x|ch|sh)es$/i.test(name)) return name.slice(0, -2);
  return /[^sui]s$/i.test(name) ? name.slice(0, -1) : name;
}
