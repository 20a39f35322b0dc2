import { parse } from 'acorn';

import { makeError } from '../../../core/ground/errors.js';
import { convertible } from '../../../core/text/convertible.js';
import { draftOfCommands } from '../curl/index.js';
import { nodesBelow } from '../scripts/evaluate.js';
import { asCommand } from './as-command.js';

/** @import { FlowDraft, ImportOptions, Supported } from '../import.js' */
/** @import { ShellCommand } from '../curl/shell.js' */
/** @import { CopiedRequest } from './as-command.js' */

/** @type {Supported[]} */
export const supported = [
  { part: '`fetch(url, { method, headers, body })`', becomes: 'an operation' },
  { part: '`referrer`', becomes: '`headers: { Referer }`' },
  { part: '`mode`, `credentials`, `referrerPolicy` and other members', becomes: null },
];

/** Members that say how a browser sends a request, not what it sends. */
const OF_BROWSER = new Set(['mode', 'credentials', 'referrerPolicy', 'cache', 'redirect', 'keepalive', 'priority']);
const CURE = 'copy it again: "Copy as fetch" in the developer tools of the browser';

/**
 * Reads calls of fetch; nothing is run.
 * @throws {Error} E_FLOW_FILE if none can be sent
 * @type {(text: string, options: ImportOptions) => FlowDraft}
 */
export function read(text, options) {
  const commands = callsIn(text, options.from).map((call) => commandOf(call, text));
  return draftOfCommands(commands, options, { noun: 'fetch call', label: 'fetch', cure: CURE });
}

/** @type {(text: string, from: string) => any[]} */
function callsIn(text, from) {
  try {
    const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowAwaitOutsideFunction: true });
    return body.flatMap(fetchesIn);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw makeError(
      'E_FLOW_FILE',
      { path: from, reason: `is no JavaScript: ${message}`, cure: CURE },
      { cause: error },
    );
  }
}

/** Finds calls of fetch within a node. @type {(node: any) => any[]} */
function fetchesIn(node) {
  if (node.type === 'CallExpression' && node.callee.name === 'fetch') return [node];
  return nodesBelow(node).flatMap(fetchesIn);
}

/** @type {(call: any, text: string) => ShellCommand} */
function commandOf({ arguments: [to, options] }, text) {
  /** @type {any[]} */
  const expressions = [];
  const url = to && literalOf(to, () => {});
  const given = (options && literalOf(options, (node) => expressions.push(node))) ?? {};
  const problems = [
    ...(typeof url !== 'string' ? ['its URL is an expression'] : []),
    ...(typeof url === 'string' && !/^https?:\/\//i.test(url) ? ['its URL has no origin'] : []),
    ...(typeof (given.body ?? '') === 'string' ? [] : ['its body is no text']),
    ...expressions.map(({ start, end }) => `${text.slice(start, Math.min(end, start + LONGEST))} is an expression`),
  ];
  return { ...asCommand(requestOf(String(url), given)), problems };
}

/** Characters of an expression in a problem. */
const LONGEST = 80;

/**
 * Returns the value of a literal; undefined for another expression, which `refuse` gets, as it does those within: with
 * the members that they are the value of.
 * @type {(node: any, refuse: (node: any) => void) => any}
 */
function literalOf(node, refuse) {
  const { type, value, regex, expressions, quasis, elements, properties } = node;
  if (type === 'Literal' && !regex) return value;
  if (type === 'TemplateLiteral' && expressions.length === 0) return quasis[0].value.cooked;
  if (type === 'ArrayExpression') return elements.map((/** @type {any} */ one) => one && literalOf(one, refuse));
  if (type !== 'ObjectExpression') return void refuse(node);
  const members = properties.map((/** @type {any} */ one) => [nameOf(one), memberOf(one, refuse)]);
  return convertible(Object.fromEntries(members));
}

/** @type {(property: any) => string} */
function nameOf({ key }) {
  return String(key?.name ?? key?.value);
}

/** @type {(property: any, refuse: (node: any) => void) => any} */
function memberOf(property, refuse) {
  const { value, computed, kind } = property;
  if (computed || kind !== 'init') return void refuse(property);
  return literalOf(value, (node) => refuse(node === value ? property : node));
}

/** @type {(url: string, given: Record<string, any>) => CopiedRequest} */
function requestOf(url, { method, headers, body, referrer, ...others }) {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers ?? {});
  const given = pairs.map(([name, value]) => /** @type {[string, string]} */ ([String(name), String(value)]));
  // A text has this type, unless the call names another one (Fetch standard).
  const hasType = typeof body !== 'string' || given.some(([name]) => name.toLowerCase() === 'content-type');
  /** @type {[string, string][]} */
  const fields = hasType ? given : [...given, ['Content-Type', 'text/plain;charset=UTF-8']];
  const hasReferer = fields.some(([name]) => name.toLowerCase() === 'referer');
  const isReferer = typeof referrer === 'string' && /^https?:/.test(referrer) && !hasReferer;
  const unknown = Object.keys(others).filter((name) => !OF_BROWSER.has(name));
  return {
    url,
    ...(typeof method === 'string' && { method }),
    headers: isReferer ? [...fields, ['Referer', referrer]] : fields,
    ...(typeof body === 'string' && { body }),
    notes: unknown.map((name) => `${name} of fetch has no equivalent`),
  };
}
