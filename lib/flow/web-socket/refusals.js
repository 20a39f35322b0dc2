import { formatValue } from '../../text/format-value.js';

/** @import { Refuse } from './types.js' */

/** characters of a message in an error */
const SHOWN = 200;

/**
 * Refuses any other message than these bytes, or this text.
 *
 * @param {string | Buffer} wanted
 * @returns {Refuse}
 */
export function bytesOf(wanted) {
  const bytes = Buffer.from(/** @type {string} */ (wanted));
  return (data) => (bytes.equals(data) ? null : `expected ${shown(bytes)}, got ${shown(data)}`);
}

/**
 * Refuses messages that do not match.
 *
 * @param {RegExp} given
 * @returns {Refuse}
 */
export function matching(given) {
  // without the state of g and y, which belongs to the flow
  const pattern = new RegExp(given.source, given.flags.replace(/[gy]/g, ''));
  return (data) => (pattern.test(data.toString()) ? null : `expected one that matches ${given}, got ${shown(data)}`);
}

/**
 * Refuses messages that are not JSON with these values: objects may have more properties, arrays are compared as a whole.
 *
 * @param {string} json
 * @returns {Refuse}
 */
export function containing(json) {
  const wanted = JSON.parse(json);
  return (data) => {
    let got;
    try {
      got = JSON.parse(data.toString());
    } catch {
      return `expected JSON, got ${shown(data)}`;
    }
    const path = differenceIn(got, wanted, '');
    return path === null
      ? null
      : `expected ${json.slice(0, SHOWN)}, got ${shown(data)}${path && `, which differs at ${path}`}`;
  };
}

/** The path of the first difference; null: there is none. @type {(got: any, wanted: any, path: string) => string | null} */
function differenceIn(got, wanted, path) {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(got, wanted) ? null : path;
  if (typeof got !== 'object' || got === null || Array.isArray(got) !== Array.isArray(wanted)) return path;
  if (Array.isArray(wanted) && got.length !== wanted.length) return path;
  for (const [key, value] of Object.entries(wanted)) {
    const inner = path === '' ? key : `${path}.${key}`;
    const found = Object.hasOwn(got, key) ? differenceIn(got[key], value, inner) : inner;
    if (found !== null) return found;
  }
  return null;
}

/** @type {(data: Buffer) => string} */
function shown(data) {
  const text = data.subarray(0, 4 * SHOWN).toString();
  return formatValue(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}
