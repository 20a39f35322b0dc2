import { formatValue } from '../../text/format-value.js';

/** @import { CaptureEntry } from './types.js' */

/** @type {CaptureEntry} */
export default {
  name: 'header',
  about: 'the value of a header field, by its name',
  reads: 'head',
  hasMessages: false,
  type: 'string',
  schema: { type: 'string', minLength: 1 },
  check: (argument) => typeof argument === 'string' && argument !== '',
  expected: "the name of a header field, such as 'etag'",

  compile(argument) {
    const name = argument.toLowerCase();
    return {
      read: (received) => received.header(name),
      explain: () => `the response has no header ${formatValue(argument)}`,
    };
  },
};
