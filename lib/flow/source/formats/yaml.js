import { makeError } from '../../../errors.js';
import { faultDetails } from '../../../text/code-frame.js';
import { parseYaml } from '../../../text/parse-yaml.js';
import { readDocument } from '../read-document.js';

/** @import { FlowFormat } from './types.js' */

/** @type {FlowFormat} */
export default {
  name: 'yaml',
  about: 'a YAML 1.2 file with the core schema; never executed',
  extensions: ['.yaml', '.yml'],

  async read({ path = '', text = '' }) {
    const { value, fault } = await parseYaml(text);
    if (fault) throw makeError('E_FLOW_FILE', faultDetails(path, text, fault));
    return readDocument(value, path);
  },
};
