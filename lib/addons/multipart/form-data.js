import { isRecord } from '../../core/flow/record.js';
import { Placeholder } from '../../core/flow/placeholder.js';
import { inPart } from '../../core/flow/written-value.js';
import { joinPieces, newBoundary } from '../../core/flow/bodies/content.js';
import { readPart } from './multipart.js';

/** @import { BodyContext, BodyEntry, BodyTemplate } from '../../core/flow/bodies/types.js' */

/** @type {BodyEntry} */
export default {
  name: 'formData',
  about: 'request body, sent as multipart/form-data',
  type: 'Computed<Record<string, unknown>>',
  check: isRecord,
  expected: "an object such as { name: 'ann', photo: { file: 'ann.png' } }",
  blank: {},
  schema: { type: 'object' },
  compile,
};

/**
 * Builds `multipart/form-data` (RFC 7578). Names and file names escape quotes and line ends as browsers do
 * (WHATWG HTML, multipart/form-data encoding algorithm).
 * @type {(formData: Record<string, any>, context: BodyContext) => BodyTemplate}
 */
function compile(formData, { mark, complain, boundary = newBoundary(), maxBytes = Infinity, folder }) {
  /** @type {(Buffer | string)[]} marked text, or bytes that are sent as they are */
  const pieces = [];
  for (const [name, values] of Object.entries(formData)) {
    for (const value of Array.isArray(values) ? values : [values]) {
      const part =
        value instanceof Placeholder
          ? { content: value.mark('text') }
          : readPart(value, { complain: (reason) => complain(`formData.${name}`, reason), maxBytes, folder });
      if (!part) continue;
      const marked = (/** @type {string} */ text) => mark(text, 'formData', 'part');
      const file = part.filename === undefined ? '' : `; filename="${marked(inPart(part.filename))}"`;
      const type = part.contentType ? `Content-Type: ${marked(part.contentType.replace(/[\r\n]/g, ' '))}\r\n` : '';
      const disposition = `Content-Disposition: form-data; name="${marked(inPart(name))}"${file}`;
      pieces.push(`--${boundary}\r\n${disposition}\r\n${type}\r\n`);
      pieces.push(typeof part.content === 'string' ? mark(part.content, 'formData') : part.content, '\r\n');
    }
  }
  pieces.push(`--${boundary}--\r\n`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, overridesHeaders: true, ...joinPieces(pieces) };
}
