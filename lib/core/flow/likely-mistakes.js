import { PHASES } from '../ground/phases.js';
import { createProblems } from '../ground/problems.js';
import { asPhases } from './normalize.js';
import { METHOD_KEYS } from './properties.js';
import { isContainer, isPlainObject } from './record.js';
import { TOKENS } from './tokens/index.js';

/** Placeholders of other tools: `${id}` and `{{id}}`, also with a member or blanks; in URLs those of OpenAPI, too. */
const FOREIGN = /\$\{\s*([\w.-]+)\s*\}|\{\{\s*\$?([\w.-]+)\s*\}\}/g;
const FOREIGN_IN_URL = new RegExp(
  `${FOREIGN.source}|(?<![#$\\w])\\{([A-Za-z_][\\w.-]*)\\}|(?<=/):([A-Za-z_]\\w*)(?=/|\\?|$)`,
  'g',
);
/** The properties whose texts are URLs, or hold operations that are URLs, and those whose texts are sent, too. */
const URLS = [...METHOD_KEYS, ...PHASES, 'oneOf'];
const SENT = ['form', 'formData', 'multipart', 'qs', 'headers', 'graphql'];
/** The properties whose texts may be in a template language that is under test. */
const BODIES = ['body', 'json', 'messages', 'send'];
/** Blocks, comments and partials of templates, tags of HTML, backticks of code, and commands of LaTeX. */
const TEMPLATE = /\{\{\s*[#/^>!&{$~]|\{[%#]|\$\{\{|<[a-z!/][^>]*>|`|\\[a-z]/i;
/** A text that was put together of a missing variable: `Bearer undefined`. */
const ENDS_UNDEFINED = /(?:^|[\s=:])undefined$/;
/** Messages that are listed; more are counted. */
const MOST = 5;
/** Levels of a flow that are searched. */
const DEEPEST = 30;

/**
 * @typedef {'url' | 'sent' | 'body' | 'other'} TextKind what the texts of a property are
 *
 * @typedef {{ path: string, reason: string, isPlaceholder?: true }} Mistake
 *
 * @typedef {object} Walk
 * @property {Set<string>} names of tokens, in lower case
 * @property {Set<string>} headers names of default headers, in lower case
 * @property {unknown} flow null if it is an operation itself
 * @property {Set<object>} seen
 * @property {Mistake[]} mistakes
 * @property {boolean} isSure leaves out what may be prose
 */

/**
 * Finds text that is valid and unlikely to be meant: placeholders in the notation of other tools, which are sent as
 * they are, and headers that are undefined, which are not sent, or end with "undefined". `headers` are those of all
 * operations: undefined removes one of these. Each message says what to write. Texts of bodies that are templates are
 * left out.
 * @type {(flow: unknown, headers?: Record<string, unknown>) => string[]}
 */
export function likelyMistakes(flow, headers = {}) {
  const mistakes = allMistakes(flow, headers);
  const messages = mistakes.map(({ path, reason }) => `${path}: ${reason}`);
  return messages.length > MOST
    ? [...messages.slice(0, MOST), `and ${messages.length - MOST} more like these`]
    : messages;
}

/** @throws {Error} E_FLOW @type {(flow: unknown) => void} */
export function refusePlaceholders(flow) {
  const problems = createProblems('E_FLOW');
  for (const { path, reason, isPlaceholder } of allMistakes(flow, {}, { isSure: true }))
    if (isPlaceholder) problems.add(path, reason);
  problems.throwIfAny();
}

/** @type {(flow: unknown, headers: Record<string, unknown>, options?: { isSure?: boolean }) => Mistake[]} */
function allMistakes(flow, headers, { isSure = false } = {}) {
  const own = isPlainObject(flow) ? ['vars', 'tokens', 'data'].flatMap((key) => keysOf(flow[key])) : [];
  /** @type {Walk} */
  const walk = {
    names: new Set(lower([...TOKENS.map(({ name }) => name), ...own, ...capturedIn(flow, new Set())])),
    headers: new Set(lower(Object.keys(headers))),
    flow: asPhases(flow) === flow ? flow : null,
    seen: new Set(),
    mistakes: [],
    isSure,
  };
  visit(flow, { path: 'flow', kind: 'url' }, walk, 0);
  const ofFlow = isPlainObject(flow) ? lower(keysOf(flow.headers)) : [];
  for (const [name, value] of Object.entries(headers))
    if (!ofFlow.includes(name.toLowerCase())) visit(value, { path: `headers.${name}`, kind: 'sent' }, walk, 0);
  return walk.mistakes;
}

/** @type {(value: any, at: { path: string, kind: TextKind }, walk: Walk, depth: number) => void} */
function visit(value, { path, kind }, walk, depth) {
  if (typeof value === 'string') walk.mistakes.push(...foreignTokens(value, { path, kind }, walk));
  if (!isContainer(value) || walk.seen.has(value) || depth > DEEPEST) return;
  walk.seen.add(value);
  for (const [key, item] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    // The headers of the flow are defaults, which `headers` has.
    if (key === 'headers' && value !== walk.flow && isPlainObject(item))
      walk.mistakes.push(...unsetHeaders(item, at, walk.headers));
    visit(item, { path: at, kind: Array.isArray(value) ? kind : kindOf(key, kind, value) }, walk, depth + 1);
  }
}

/** @type {(key: string, kind: TextKind, owner: any) => TextKind} */
function kindOf(key, kind, { beforeHooks }) {
  if (kind === 'sent' || kind === 'body') return kind;
  // A hook may replace what is in a notation of its own.
  if (beforeHooks !== undefined && !PHASES.some((phase) => phase === key)) return 'other';
  if (URLS.includes(key)) return 'url';
  if (BODIES.includes(key)) return 'body';
  return SENT.includes(key) ? 'sent' : 'other';
}

/**
 * Reports whether a text of a body is prose, whose `${…}` may be of another language.
 * @type {(text: string) => boolean}
 */
function isProse(text) {
  const isJson = /^\s*[{[](?!\{)/.test(text);
  return !isJson && /\s/.test(text.trim().replace(FOREIGN, ''));
}

/** @type {(text: string, at: { path: string, kind: TextKind }, walk: Walk) => Mistake[]} */
function foreignTokens(text, { path, kind }, { names, isSure }) {
  if (!text.includes('{') && kind !== 'url') return [];
  return [...text.matchAll(kind === 'url' ? FOREIGN_IN_URL : FOREIGN)].flatMap(([whole, ...sources]) => {
    const source = sources.find((one) => one !== undefined) ?? '';
    const [name] = source.split('.');
    const builtIn = TOKENS.find((token) => token.name.toLowerCase() === name.toLowerCase());
    const ours = `#{${builtIn ? builtIn.name + source.slice(name.length) : source}}`;
    if (names.has(name.toLowerCase()))
      return [{ path, reason: `${whole} is sent as it is; write ${ours}`, isPlaceholder: /** @type {const} */ (true) }];
    const sparesProse = isSure || whole.startsWith('$');
    if (kind === 'other' || (kind === 'body' && (TEMPLATE.test(text) || (sparesProse && isProse(text))))) return [];
    const reason = `is ${whole} a placeholder? It is sent as it is. Write ${ours}, or keep the text in vars`;
    return [{ path, reason, isPlaceholder: /** @type {const} */ (true) }];
  });
}

/** @type {(headers: Record<string, unknown>, path: string, defaults: Set<string>) => Mistake[]} */
function unsetHeaders(headers, path, defaults) {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (typeof value === 'string' && ENDS_UNDEFINED.test(value))
      return [{ path: `${path}.${name}`, reason: 'ends with "undefined", which is sent; is a variable missing?' }];
    return value === undefined && !defaults.has(name.toLowerCase())
      ? [
          {
            path: `${path}.${name}`,
            reason: 'is undefined and not sent; is a variable missing? null leaves it out silently',
          },
        ]
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
