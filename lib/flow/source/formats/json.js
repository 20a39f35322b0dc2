import { makeError } from '../../../ground/errors.js';
import { faultDetails } from '../../../text/code-frame.js';
import { parseJson } from '../../../text/parse-json.js';
import har from '../dialects/har.js';
import { readDocument } from '../read-document.js';

/** @import { Dialect, FlowReader, FormatSource } from '../types.js' */

/** @type {FlowReader} */
export async function read(source) {
  return documentOf(source);
}

/** Reads a recording. @type {FlowReader} */
export async function readHar(source) {
  return documentOf({ ...source, dialect: har });
}

/** @type {(source: FormatSource & { dialect?: Dialect }) => unknown} */
function documentOf(source) {
  const { path = '', text = '' } = source;
  const { value, fault } = parseJson(text);
  if (fault) throw makeError('E_FLOW_FILE', faultDetails(path, text, fault));
  return readDocument(value, path, source);
}
