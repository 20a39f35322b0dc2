import { encodeReserved } from '../../text/decode.js';
import { isRecord } from '../record.js';
import { Placeholder } from '../placeholder.js';
import { textContent } from './content.js';

/** @import { ValuePlace } from '../written-value.js' */
/** @import { BodyEntry } from './types.js' */

const TYPE = 'application/x-www-form-urlencoded';

/** @type {BodyEntry} */
export default {
  name: 'form',
  about: 'request body, sent as application/x-www-form-urlencoded',
  type: 'Computed<Record<string, unknown> | string>',
  check: (value) => isRecord(value) || typeof value === 'string',
  expected: "an object such as { name: 'ann' }, or a text such as 'name=ann'",
  blank: '',
  schema: { oneOf: [{ type: 'object' }, { type: 'string' }] },

  compile(value, { mark, givenType = '' }) {
    const marked = typeof value === 'string' ? mark(value, 'form') : encodePairs(value, 'form', mark);
    // A Content-Type of the operation stays only if it is that of a form, with a charset.
    const isFormType = givenType.toLowerCase().startsWith(TYPE);
    return { contentType: TYPE, overridesHeaders: !isFormType, content: textContent(marked) };
  },
};

/**
 * Encodes `application/x-www-form-urlencoded` pairs as marked text; nested values as `a[b]=c` and `a[0]=d`, like the
 * request library. `mark` replaces tokens by marks.
 * @type {(values: Record<string, unknown>, key: string, mark: (text: string, key: string, place: ValuePlace) => string)
 *   => string}
 */
export function encodePairs(values, key, mark) {
  /** @type {string[]} */
  const pairs = [];
  /** @type {(name: string, value: unknown) => void} */
  const add = (name, value) => {
    if (value === undefined) return;
    if (value instanceof Date) add(name, value.toJSON());
    else if (value instanceof Placeholder) pairs.push(`${encodeReserved(mark(name, key, 'url'))}=${value.mark('url')}`);
    else if (typeof value === 'object' && value !== null) {
      for (const [inner, item] of Object.entries(value)) add(`${name}[${inner}]`, item);
    } else {
      pairs.push(`${encodeReserved(mark(name, key, 'url'))}=${encodeReserved(mark(String(value ?? ''), key, 'url'))}`);
    }
  };
  for (const [name, value] of Object.entries(values)) add(name, value);
  return pairs.join('&');
}
