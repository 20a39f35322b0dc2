import { makeError } from '../../errors.js';
import { flowFault } from './flow-fault.js';
import { jsonFault } from './json-fault.js';
import { textError } from './text-error.js';

/** @import { FlowFormat } from './types.js' */

/** @type {FlowFormat} */
export default {
  name: 'json',
  about: 'a JSON file; it is never evaluated',
  extensions: ['.json'],

  accepts({ path }) {
    return path !== undefined && path.toLowerCase().endsWith('.json');
  },

  read({ path = '', text = '' }) {
    const fault = jsonFault(text);
    if (fault) throw textError(path, text, fault);
    const flow = JSON.parse(text);
    const got = flowFault(flow);
    if (got)
      throw makeError('E_FLOW_FILE', { path, reason: `holds ${got}`, cure: 'write a URL, an array or an object' });
    return flow;
  },
};
