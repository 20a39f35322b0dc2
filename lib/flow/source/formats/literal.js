import { createRequire } from 'node:module';
import { join } from 'node:path';

import { positionOf } from '../../../text/code-frame.js';
import { parseJson } from '../../../text/parse-json.js';
import { parseYaml } from '../../../text/parse-yaml.js';

/**
 * @typedef {object} LiteralContext
 * @property {string} cwd of `require`
 * @property {(reason: string, cure: string, cause?: unknown) => Error} refusal
 */

/**
 * Reports whether a text begins as a literal: JSON, JavaScript, or YAML in flow style.
 *
 * @param {string} text without spaces around it
 * @returns {boolean}
 */
export function isLiteral(text) {
  return /^[{['"<]/.test(text);
}

/**
 * Reads JSON, a JavaScript literal, or YAML in flow style: the first that the text is.
 *
 * @param {string} text without spaces around it
 * @param {LiteralContext} context
 * @returns {Promise<unknown>}
 */
export async function readLiteral(text, context) {
  const json = parseJson(text);
  if (!json.fault) return json.value;
  const { literal, error } = compileLiteral(text);
  if (!literal) return readYaml(text, error, context);
  try {
    return literal(createRequire(join(context.cwd, '-e')));
  } catch (thrown) {
    const cure = thrown instanceof ReferenceError ? 'put text in quotes' : 'correct the text';
    throw context.refusal(describe(thrown), cure, thrown);
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
 * @type {(text: string, javascript: unknown, context: LiteralContext) => Promise<unknown>}
 */
async function readYaml(text, javascript, { refusal }) {
  const isAngled = text.startsWith('<') && text.endsWith('>');
  const yaml = isAngled ? `{${text.slice(1, -1)}}` : text;
  const { value, fault } =
    text.startsWith('<') && !isAngled
      ? { value: undefined, fault: { offset: text.length, reason: 'the text starts with < and does not end with >' } }
      : await parseYaml(yaml);
  if (!fault) return value;
  const { line, column } = positionOf(yaml, fault.offset);
  const cure = [
    'correct it, or put the flow in a file',
    `  JavaScript: ${describe(javascript)}`,
    `  YAML: ${fault.reason} at ${line}:${column}`,
  ].join('\n');
  throw refusal('the text is neither a JavaScript literal nor YAML', cure, javascript);
}

/** @type {(thrown: unknown) => string} */
function describe(thrown) {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}
