import { messageOf } from '../../text/error-text.js';
import { unquoteValues } from '../template.js';
import { textContent } from './content.js';

/** @import { BodyEntry } from './types.js' */

/** @type {BodyEntry} */
export default {
  name: 'json',
  about:
    'request body, sent as JSON, and the response is parsed as JSON; true: parse the response, and send body as JSON',
  type: 'unknown',
  check: () => true,
  expected: 'a JSON value',
  blank: null,
  schema: {},

  sends: (value) => value !== true,

  compile(value, { mark, complain }) {
    const text = stringify(value, (reason) => complain('json', reason));
    // Values of the property json, in places of JSON: those that are no text lose the quotes that stringify writes.
    return { contentType: 'application/json', content: textContent(unquoteValues(mark(text, 'json', 'json'))) };
  },
};

/** @type {(value: unknown, complain: (reason: string) => void) => string} */
export function stringify(value, complain) {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined) return text;
    complain(`a ${typeof value} has no JSON form`);
  } catch (error) {
    const [reason] = messageOf(error).split('\n');
    complain(/BigInt/.test(reason) ? 'a BigInt has no JSON form: write a number, or a text' : reason);
  }
  return 'null';
}
