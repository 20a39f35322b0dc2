import { asPhases } from './normalize.js';
import { isContainer, isPlainObject } from './record.js';
import { TOKENS } from './tokens/index.js';

/** Tokens as other tools write them: `${INDEX}` and `{{INDEX}}`, also with a member or blanks. */
const FOREIGN = /\$\{\s*([\w.-]+)\s*\}|\{\{\s*\$?([\w.-]+)\s*\}\}/g;
/** A text that was put together of a missing variable: `Bearer undefined`. */
const ENDS_UNDEFINED = /(?:^|[\s=:])undefined$/;
/** Messages that are listed; more are counted. */
const MOST = 5;
/** Levels of a flow that are searched. */
const DEEPEST = 30;

/**
 * @typedef {object} Walk
 * @property {Set<string>} names of tokens, in lower case
 * @property {Set<string>} headers names of default headers, in lower case
 * @property {unknown} flow null if it is an operation itself
 * @property {Set<object>} seen
 * @property {string[]} messages
 */

/**
 * Finds text that is valid and unlikely to be meant: tokens in the notation of other tools, which are sent as they are,
 * and headers that are undefined, which are not sent, or end with "undefined". `headers` are those of all operations:
 * undefined removes one of these. Each message says what to write.
 * @type {(flow: unknown, headers?: Record<string, unknown>) => string[]}
 */
export function likelyMistakes(flow, headers = {}) {
  const own = isPlainObject(flow) ? ['vars', 'tokens', 'data'].flatMap((key) => keysOf(flow[key])) : [];
  /** @type {string[]} */
  const messages = [];
  /** @type {Walk} */
  const walk = {
    names: new Set(lower([...TOKENS.map(({ name }) => name), ...own, ...capturedIn(flow, new Set())])),
    headers: new Set(lower(Object.keys(headers))),
    flow: asPhases(flow) === flow ? flow : null,
    seen: new Set(),
    messages,
  };
  visit(flow, 'flow', walk, 0);
  return messages.length > MOST
    ? [...messages.slice(0, MOST), `and ${messages.length - MOST} more like these`]
    : messages;
}

/** @type {(value: any, path: string, walk: Walk, depth: number) => void} */
function visit(value, path, walk, depth) {
  if (typeof value === 'string') for (const one of foreignTokens(value, path, walk.names)) walk.messages.push(one);
  if (!isContainer(value) || walk.seen.has(value) || depth > DEEPEST) return;
  walk.seen.add(value);
  for (const [key, item] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    // The headers of the flow are defaults, which `headers` has.
    if (key === 'headers' && value !== walk.flow && isPlainObject(item))
      for (const one of unsetHeaders(item, at, walk.headers)) walk.messages.push(one);
    visit(item, at, walk, depth + 1);
  }
}

/** @type {(text: string, path: string, names: Set<string>) => string[]} */
function foreignTokens(text, path, names) {
  if (!text.includes('{')) return [];
  return [...text.matchAll(FOREIGN)].flatMap(([whole, dollar, braces]) => {
    const source = dollar ?? braces;
    const [name] = source.split('.');
    if (!names.has(name.toLowerCase())) return [];
    const builtIn = TOKENS.find((token) => token.name.toLowerCase() === name.toLowerCase());
    return [
      `${path}: ${whole} is sent as it is; write #{${builtIn ? builtIn.name + source.slice(name.length) : source}}`,
    ];
  });
}

/** @type {(headers: Record<string, unknown>, path: string, defaults: Set<string>) => string[]} */
function unsetHeaders(headers, path, defaults) {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (typeof value === 'string' && ENDS_UNDEFINED.test(value))
      return [`${path}.${name} ends with "undefined", which is sent; is a variable missing?`];
    return value === undefined && !defaults.has(name.toLowerCase())
      ? [`${path}.${name} is undefined and not sent; is a variable missing? null leaves it out silently`]
      : [];
  });
}

/** The names that operations capture. @type {(value: any, seen: Set<object>, depth?: number) => string[]} */
function capturedIn(value, seen, depth = 0) {
  if (!isContainer(value) || seen.has(value) || depth > DEEPEST) return [];
  seen.add(value);
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'capture' ? keysOf(item) : capturedIn(item, seen, depth + 1),
  );
}

/** @type {(value: any) => string[]} */
function keysOf(value) {
  return isPlainObject(value) ? Object.keys(value) : [];
}

/** @type {(names: string[]) => string[]} */
function lower(names) {
  return names.map((name) => name.toLowerCase());
}
