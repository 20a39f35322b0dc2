import { isSpace } from '../../http/field-values.js';
import { FIELD_TEXT, TOKEN, printable } from '../wire/octets.js';

/** Fields that belong to a connection of HTTP/1.1, not allowed in HTTP/2 (RFC 9113 8.2.2). */
export const CONNECTION_FIELDS = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);
const COLON = 0x3a;

/**
 * Checks the fields of a response, or of its trailers: names and values in turn (RFC 9113 8.2 and 8.3). Returns the
 * reason why they are malformed; null if they are not.
 * @type {(fields: string[], isTrailer: boolean) => string | null}
 */
export function checkFields(fields, isTrailer) {
  let hasStatus = false;
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i];
    const value = fields[i + 1];
    if (name.charCodeAt(0) === COLON) {
      const reason = checkPseudo(name, value, isTrailer || i > 0, hasStatus);
      if (reason !== null) return reason;
      hasStatus = true;
    } else if (!isName(name)) return `the field name ${shown(name)}`;
    else if (!isValue(value)) return `the value of ${name}`;
    else if (CONNECTION_FIELDS.has(name) || (name === 'te' && value !== 'trailers'))
      return `${name}, which belongs to connections of HTTP/1.1`;
  }
  return hasStatus || isTrailer ? null : 'no :status';
}

/**
 * A response has one pseudo-field, before all others.
 * @type {(name: string, value: string, isMisplaced: boolean, hasStatus: boolean) => string | null}
 */
function checkPseudo(name, value, isMisplaced, hasStatus) {
  if (name !== ':status') return `the pseudo-field ${shown(name)}`;
  if (hasStatus) return 'a second :status';
  if (isMisplaced) return 'a misplaced :status';
  return /^[1-9]\d\d$/.test(value) ? null : `:status ${shown(value)}`;
}

/** A token in lower case. @type {(name: string) => boolean} */
function isName(name) {
  for (let i = 0; i < name.length; i++) {
    const octet = name.charCodeAt(i);
    if (TOKEN[octet] === 0 || (octet >= 0x41 && octet <= 0x5a)) return false;
  }
  return name !== '';
}

/** @type {(value: string) => boolean} */
function isValue(value) {
  for (let i = 0; i < value.length; i++) if (FIELD_TEXT[value.charCodeAt(i)] === 0) return false;
  return value === '' || !(isSpace(value.charCodeAt(0)) || isSpace(value.charCodeAt(value.length - 1)));
}

/** @type {(text: string) => string} */
function shown(text) {
  const bytes = Buffer.from(text, 'latin1');
  return `'${printable(bytes, 0, bytes.length)}'`;
}
