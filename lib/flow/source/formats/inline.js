import { makeError } from '../../../errors.js';
import { flowFault } from './flow-fault.js';
import { isLiteral, readLiteral } from './literal.js';
import { isUrl } from './url.js';

/** @import { FlowReader } from './types.js' */

/** @type {FlowReader} */
export async function read({ evaluate = '', cwd }) {
  const text = evaluate.trim();
  const flow = isLiteral(text) ? await readLiteral(text, { cwd, refusal }) : text;
  if (typeof flow === 'string' && !isUrl(flow) && !flow.startsWith('/')) {
    const cure = 'write a URL such as http://localhost:8000/ or a flow such as "{ get: http://localhost:8000/ }"';
    throw refusal(flow === '' ? 'the text is empty' : `${flow} is not a URL`, cure);
  }
  const got = flowFault(flow);
  if (got) throw refusal(`the text is ${got}`, 'write a URL, an array or an object');
  return flow;
}

/** @type {(reason: string, cure: string, cause?: unknown) => Error} */
function refusal(reason, cure, cause) {
  return makeError('E_USAGE', { problem: `-e: ${reason}; ${cure}` }, { cause });
}
