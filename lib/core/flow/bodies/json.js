import { messageOf } from '../../text/error-text.js';
import { unquoteValues } from '../template.js';
import { textContent } from './content.js';

/** @import { BodyContext, BodyEntry } from './types.js' */

/** @type {BodyEntry} */
export default {
  name: 'json',
  about:
    'request body, sent as JSON, and the response is parsed as JSON; true: parse the response, and send body as JSON',
  type: 'unknown',
  check: () => true,
  expected: 'a JSON value',
  blank: null,
  isJson: true,
  schema: {},

  sends: (value) => value !== true,

  compile(value, { mark, complain }) {
    const marked = markedJson(value, 'json', mark, (reason) => complain('json', reason));
    return { contentType: 'application/json', content: textContent(marked) };
  },
};

/** @type {(value: unknown, key: string, mark: BodyContext['mark'], complain: (reason: string) => void) => string} */
export function markedJson(value, key, mark, complain) {
  return unquoteValues(mark(stringify(value, complain), key, 'json'));
}

/** @type {(value: unknown, complain: (reason: string) => void) => string} */
function stringify(value, complain) {
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
