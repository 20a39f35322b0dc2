import { createRequire } from 'node:module';
import { join } from 'node:path';
import { makeError } from '../../../errors.js';
import { positionOf } from '../../../text/code-frame.js';
import { parseJson } from '../../../text/parse-json.js';
import { parseYaml } from '../../../text/parse-yaml.js';
import { flowFault } from './flow-fault.js';
import { isUrl } from './url.js';

/** @import { FlowReader } from './types.js' */

/** @type {FlowReader} */
export async function read({ evaluate = '', cwd }) {
  const text = evaluate.trim();
  const flow = /^[{['"<]/.test(text) ? await readLiteral(text, cwd) : text;
  if (typeof flow === 'string' && !isUrl(flow) && !flow.startsWith('/')) {
    const cure = 'write a URL such as http://localhost:8000/ or a flow such as "{ get: http://localhost:8000/ }"';
    throw usage(`${flow === '' ? 'the text is empty' : `${flow} is not a URL`}; ${cure}`);
  }
  const got = flowFault(flow);
  if (got) throw usage(`the text is ${got}; write a URL, an array or an object`);
  return flow;
}

/** @type {(text: string, cwd: string) => Promise<unknown>} */
async function readLiteral(text, cwd) {
  const json = parseJson(text);
  if (!json.fault) return json.value;
  const { literal, error } = compileLiteral(text);
  if (!literal) return readYaml(text, error);
  try {
    return literal(createRequire(join(cwd, '-e')));
  } catch (thrown) {
    const cure = thrown instanceof ReferenceError ? 'put text in quotes' : 'correct the text';
    throw usage(`${describe(thrown)}; ${cure}`, thrown);
  }
}

/** @type {(text: string) => { literal?: Function, error?: unknown }} */
function compileLiteral(text) {
  try {
    return { literal: new Function('require', `return (${text}\n)`) };
  } catch (error) {
    return { error };
  }
}

/**
 * `< … >` is `{ … }` for shells that expand braces.
 * @type {(text: string, javascript: unknown) => Promise<unknown>}
 */
async function readYaml(text, javascript) {
  const isAngled = text.startsWith('<') && text.endsWith('>');
  const yaml = isAngled ? `{${text.slice(1, -1)}}` : text;
  const { value, fault } =
    text.startsWith('<') && !isAngled
      ? { value: undefined, fault: { offset: text.length, reason: 'the text starts with < and does not end with >' } }
      : await parseYaml(yaml);
  if (!fault) return value;
  const { line, column } = positionOf(yaml, fault.offset);
  const problem = [
    'the text is neither a JavaScript literal nor YAML; correct it, or put the flow in a file',
    `  JavaScript: ${describe(javascript)}`,
    `  YAML: ${fault.reason} at ${line}:${column}`,
  ].join('\n');
  throw usage(problem, javascript);
}

/** @type {(thrown: unknown) => string} */
function describe(thrown) {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}

/** @type {(problem: string, cause?: unknown) => Error} */
function usage(problem, cause) {
  return makeError('E_USAGE', { problem: `-e: ${problem}` }, { cause });
}
