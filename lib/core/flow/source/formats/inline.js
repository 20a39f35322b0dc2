import { createRequire } from 'node:module';
import { join } from 'node:path';

import { makeError } from '../../../ground/errors.js';
import { positionOf } from '../../../text/code-frame.js';
import { parseJson } from '../../../text/parse-json.js';
import { parseYaml } from '../../../text/parse-yaml.js';
import { flowFault } from '../../record.js';
import { noticeOfDigits } from './document.js';
import { readerOfOther } from './other-texts.js';
import { isUrl } from './url.js';

/** @import { Fault, LostDigits } from '../../../text/types.js' */
/** @import { FlowReader } from '../types.js' */

/** @type {FlowReader} */
export async function read({ evaluate = '', cwd, findings }) {
  const text = evaluate.trim();
  const readOther = await readerOfOther(text, { isArgument: true });
  if (readOther) return readOther({ from: '-e', cwd, findings });
  /** @type {LiteralContext['onLost']} */
  const onLost = (lost, within) => void findings?.notices.push(noticeOfDigits('-e', within, lost));
  const flow = isLiteral(text) ? await readLiteral(text, { cwd, refusal, onLost }) : text;
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

/**
 * @typedef {object} LiteralContext
 * @property {string} cwd of `require`
 * @property {(reason: string, cure: string, cause?: unknown) => Error} refusal
 * @property {(lost: LostDigits, text: string) => void} onLost called if numbers of data lose digits
 */

/** Reports whether a trimmed text begins as a literal: JSON, JavaScript or YAML. @type {(text: string) => boolean} */
export function isLiteral(text) {
  return /^[{['"<]/.test(text);
}

/** It is JSON, JavaScript or YAML in flow style. @type {(text: string, context: LiteralContext) => Promise<unknown>} */
export async function readLiteral(text, context) {
  const json = parseJson(text);
  if (json.lost) context.onLost(json.lost, text);
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
    return { error: endsTooEarly(text) ? new SyntaxError('Unexpected end of the text') : error };
  }
}

/** Reports whether our bracket after the text is what JavaScript does not expect. @type {(text: string) => boolean} */
function endsTooEarly(text) {
  try {
    new Function(`return (${text}\n;`);
  } catch (/** @type {any} */ error) {
    return /Unexpected token ';'/.test(error.message) && !/;/.test(text);
  }
  return false;
}

/**
 * Reads a text that is no JavaScript (whose error is `javascript`) as YAML. `< … >` stands for `{ … }`, for shells that
 * expand braces.
 * @type {(text: string, javascript: unknown, context: LiteralContext) => Promise<unknown>}
 */
async function readYaml(text, javascript, { refusal, onLost }) {
  const isOpen = text.startsWith('<');
  const isAngled = isOpen && text.endsWith('>');
  const tokens = new TokenMarks();
  const yaml = tokens.mark(isAngled ? `{${text.slice(1, -1)}}` : text);
  const {
    value,
    fault,
    lost = undefined,
  } = isOpen && !isAngled
    ? { value: undefined, fault: { offset: text.length, reason: 'the text starts with < and does not end with >' } }
    : await parseYaml(yaml).then((read) => ({ fault: strayBracket(yaml), ...read }));
  if (lost) onLost(lost, yaml);
  if (!fault) return tokens.restore(value);
  const { line, column } = positionOf(yaml, fault.offset);
  const cure = [
    isAngled && /[<>]/.test(text.slice(1, -1))
      ? 'only the outer braces are < and >: write { and } inside of them, or put the flow in a file'
      : 'correct it, or put the flow in a file',
    `  JavaScript: ${describe(javascript)}`,
    `  YAML: ${fault.reason} at ${line}:${column}`,
  ].join('\n');
  throw refusal('the text is neither a JavaScript literal nor YAML', cure, javascript);
}

const QUOTED = /"[^"]*"|'[^']*'/g;
const STRAY = /(?<=[:,[]\s*)[();]+(?=\s*[,}\]])/;

/** Finds a value `)`: YAML reads a mistake in JavaScript as a text. @type {(yaml: string) => Fault | undefined} */
function strayBracket(yaml) {
  const found = STRAY.exec(yaml.replace(QUOTED, (text) => text.replaceAll(/[^]/g, '_')));
  return found ? { offset: found.index, reason: `unexpected ${found[0]}; a text needs quotes` } : undefined;
}

/**
 * Replaces the tokens of a text, such as `#{INDEX}`, whose braces would end a value in YAML, and puts them back into
 * the parsed value. A mark, from an area of Unicode without characters, is as long as its token, so that the positions
 * in messages are right.
 */
class TokenMarks {
  /** @type {string[]} */
  #tokens = [];

  /** @type {(text: string) => string} */
  mark(text) {
    return text.replace(/#\{[^{}]*\}/g, (token) => {
      const number = this.#tokens.push(token) - 1;
      return number > LAST_MARK - FIRST_MARK
        ? token
        : String.fromCharCode(FIRST_MARK + number).padEnd(token.length, FILLER);
    });
  }

  /** @type {(value: any) => any} */
  restore(value) {
    if (typeof value === 'string')
      return value.replace(MARKS, (mark) => this.#tokens[mark.charCodeAt(0) - FIRST_MARK] ?? mark);
    if (Array.isArray(value)) return value.map((item) => this.restore(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.restore(key), this.restore(item)]));
  }
}

const [FIRST_MARK, LAST_MARK, FILLER] = [0xe100, 0xefff, '\ue000'];
const MARKS = /[\ue100-\uefff]\ue000*/g;

/** @type {(thrown: unknown) => string} */
function describe(thrown) {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}
