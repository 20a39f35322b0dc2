import { formatValue } from '../../text/format-value.js';
import { compileJsonPath } from '../json-path.js';

/** @import { CaptureEntry } from './types.js' */

/** @type {CaptureEntry} */
export default {
  name: 'json',
  about: "a JSONPath into the body (RFC 9535), such as '$.items[0].id': the first value that it finds",
  reads: 'body',
  hasMessages: true,
  type: 'string',
  schema: { type: 'string', pattern: '^\\$' },
  check: (argument) => typeof argument === 'string',
  expected: "a JSONPath such as '$.id'",

  compile(argument) {
    const path = compileJsonPath(argument);
    return {
      read: ({ json }) => (json.fault === null ? path.first(json.value) : undefined),
      explain: ({ json }) =>
        json.fault === null
          ? `${argument} finds nothing in ${formatValue(json.value)}`
          : `expected JSON with ${argument}, received ${json.fault}`,
    };
  },
};
