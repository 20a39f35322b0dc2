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
  schema: {},

  sends: (value) => value !== true,

  compile(value, { mark, complain }) {
    return {
      contentType: 'application/json',
      content: textContent(unquoteValues(mark(stringify(value, complain), 'json', 'json'))),
    };
  },
};

/** @type {(value: unknown, complain: BodyContext['complain']) => string} */
export function stringify(value, complain) {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined) return text;
    complain('json', `a ${typeof value} has no JSON form`);
  } catch (error) {
    const [reason] = /** @type {Error} */ (error).message.split('\n');
    complain('json', /BigInt/.test(reason) ? 'a BigInt has no JSON form: write a number, or a text' : reason);
  }
  return 'null';
}
