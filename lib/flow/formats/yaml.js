import { makeError } from '../../errors.js';
import { flowFault } from './flow-fault.js';
import { parseYaml } from './parse-yaml.js';
import { textError } from './text-error.js';

/** @import { FlowFormat } from './types.js' */

/** @type {FlowFormat} */
export default {
  name: 'yaml',
  about: 'a YAML 1.2 file, core schema; it is never evaluated',
  extensions: ['.yaml', '.yml'],

  accepts({ path }) {
    return path !== undefined && /\.ya?ml$/i.test(path);
  },

  async read({ path = '', text = '' }) {
    const { value, fault } = await parseYaml(text);
    if (fault) throw textError(path, text, fault);
    const got = flowFault(value);
    if (got) throw makeError('E_FLOW_FILE', { path, reason: `holds ${got}`, cure: 'write a URL, a list or a map' });
    return value;
  },
};
