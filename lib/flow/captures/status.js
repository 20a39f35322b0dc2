/** @import { CaptureEntry } from './types.js' */

/** @type {CaptureEntry} */
export default {
  name: 'status',
  about: 'the status, a number: { status: true }',
  reads: 'status',
  hasMessages: false,
  type: 'true',
  schema: { const: true },
  check: (argument) => argument === true,
  expected: 'true',

  compile: () => ({ read: ({ statusCode }) => statusCode, explain: () => 'there is no status' }),
};
