/** @import { Cookie } from 'tough-cookie' */

/** of a name with its value, and of the value of an attribute, in bytes */
const MOST = 4096;
const MOST_OF_ATTRIBUTE = 1024;
/** those that tough-cookie reads otherwise: nameless ones, control characters, and long ones */
const SPECIAL = /^[ \t]*(?:=|[^=;]*(?:;|$))|[\u0000-\u0008\u000a-\u001f\u007f]/;
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;
/** a cookie without a name could pass for one whose name has a prefix */
const PREFIX = /^__(?:secure|host)-/i;

/**
 * Reads a Set-Cookie field as browsers do (RFC 6265bis 5.6 and 5.7). tough-cookie reads `=a=b` as the name `a`, keeps a cookie without name and value, and has no
 * limits of size.
 *
 * @param {string} line the value of the field
 * @param {typeof Cookie} parser of tough-cookie
 * @returns {Cookie | undefined} undefined if it is to be ignored
 */
export function readSetCookie(line, parser) {
  if (line.length <= MOST_OF_ATTRIBUTE && !SPECIAL.test(line)) return parser.parse(line, { loose: true });
  if (CONTROL.test(line)) return undefined;
  const [pair, ...attributes] = line.split(';');
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, at)).trim();
  const value = pair.slice(at + 1).trim();
  const size = Buffer.byteLength(name) + Buffer.byteLength(value);
  if (size === 0 || size > MOST || (name === '' && PREFIX.test(value))) return undefined;
  const kept = attributes.filter((attribute) => Buffer.byteLength(valueOf(attribute)) <= MOST_OF_ATTRIBUTE);
  const cookie = parser.parse([`${name || 'nameless'}=${value}`, ...kept].join(';'), { loose: true });
  if (cookie) cookie.key = name;
  return cookie;
}

/** @type {(attribute: string) => string} */
function valueOf(attribute) {
  const at = attribute.indexOf('=');
  return at < 0 ? '' : attribute.slice(at + 1).trim();
}
