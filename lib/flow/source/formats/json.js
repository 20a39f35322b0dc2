import { makeError } from '../../../errors.js';
import { faultDetails } from '../../../text/code-frame.js';
import { parseJson } from '../../../text/parse-json.js';
import { readDocument } from '../read-document.js';

/** @import { FlowFormat } from './types.js' */

/** @type {FlowFormat} */
export default {
  name: 'json',
  about: 'a JSON file; never executed',
  extensions: ['.json'],

  read({ path = '', text = '' }) {
    const { value, fault } = parseJson(text);
    if (fault) throw makeError('E_FLOW_FILE', faultDetails(path, text, fault));
    return readDocument(value, path);
  },
};
