import { formatValue } from '../../text/format-value.js';

/** @import { CaptureEntry } from './types.js' */

/** @type {CaptureEntry} */
export default {
  name: 'cookie',
  about: 'the value of a cookie that the response sets, by its name',
  reads: 'head',
  hasMessages: false,
  type: 'string',
  schema: { type: 'string', minLength: 1 },
  check: (argument) => typeof argument === 'string' && argument !== '',
  expected: "the name of a cookie, such as 'session'",

  compile(argument) {
    return {
      read: (received) => received.cookie(argument),
      explain: () => `the response sets no cookie ${formatValue(argument)}`,
    };
  },
};
