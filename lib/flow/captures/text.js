import { formatValue } from '../../text/format-value.js';
import { compilePattern } from '../pattern.js';

/** @import { CaptureEntry } from './types.js' */

/** @type {CaptureEntry} */
export default {
  name: 'text',
  about: 'a regular expression for the body: its first group, or the whole match if it has none',
  reads: 'body',
  hasMessages: true,
  type: 'string | RegExp',
  schema: { type: 'string', minLength: 1 },
  check: (argument) => (typeof argument === 'string' && argument !== '') || argument instanceof RegExp,
  expected: "a regular expression such as 'page=(\\d+)'",

  compile(argument) {
    const pattern = compilePattern(argument);
    return {
      read({ text }) {
        const found = pattern.find(text);
        return found === null ? undefined : (found[1] ?? (found.length === 1 ? found[0] : undefined));
      },
      explain({ text }) {
        const shown = `${argument instanceof RegExp ? argument : `/${argument}/`}`;
        const what = pattern.find(text) === null ? shown : `the first group of ${shown}`;
        return `${what} matches nothing in ${formatValue(text)}`;
      },
    };
  },
};
