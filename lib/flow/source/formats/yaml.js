import { makeError } from '../../../ground/errors.js';
import { faultDetails } from '../../../text/code-frame.js';
import { parseYaml } from '../../../text/parse-yaml.js';
import { readDocument } from '../read-document.js';

/** @import { FlowReader } from '../types.js' */

/** @type {FlowReader} */
export async function read(source) {
  const { path = '', text = '' } = source;
  const { value, fault } = await parseYaml(text);
  if (fault) throw makeError('E_FLOW_FILE', faultDetails(path, text, fault));
  if (text.trim() === '') throw makeError('E_FLOW_FILE', { path, reason: 'is empty', cure: 'write a flow into it' });
  return readDocument(value, path, { ...source, text: undefined });
}
