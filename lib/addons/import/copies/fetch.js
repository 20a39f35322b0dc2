import { parse } from 'acorn';

import { makeError } from '../../../core/ground/errors.js';
import { draftOfCommands } from '../curl/index.js';
import { readObject } from '../k6/literal.js';
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
  return Object.values(node)
    .flat()
    .flatMap((child) => (typeof child?.type === 'string' ? fetchesIn(child) : []));
}

/** @type {(call: any, text: string) => ShellCommand} */
function commandOf({ arguments: [to, options] }, text) {
  const { value: url } = readObject(text, to?.start ?? text.length);
  const { value: given = {}, unread } = options
    ? readObject(text, options.start)
    : { unread: /** @type {string[]} */ ([]) };
  const problems = [
    ...(typeof url !== 'string' ? ['its URL is an expression'] : []),
    ...(typeof url === 'string' && !/^https?:\/\//i.test(url) ? ['its URL has no origin'] : []),
    ...(typeof (given?.body ?? '') === 'string' ? [] : ['its body is no text']),
    ...unread.map((one) => `${one} is an expression`),
  ];
  return { ...asCommand(requestOf(String(url), given ?? {})), problems };
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
