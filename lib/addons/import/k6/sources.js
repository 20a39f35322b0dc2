import { jsonPathOf, memberStep } from '../draft.js';
import { isChanged, Sym } from './values.js';

/** @typedef {any} Value */
/** @import { OperationDraft } from '../import.js' */
/** @typedef {{ draft: OperationDraft, source: any, name: string }} Found a part of a response, as `capture` has it */

/** Finds the part of a response that a value is. @type {(value: Value) => Found | undefined} */
export function sourceOf(value) {
  return isChanged(value) ? undefined : originalOf(value);
}

/** The same, before the script changed members of it. @type {(value: Value) => Found | undefined} */
function originalOf(value) {
  if (!(value instanceof Sym)) return undefined;
  const { type, hint } = /** @type {any} */ (value);
  const found = KINDS[type]?.(value);
  return found && { ...found, name: hint ?? found.name };
}

/** By the types of symbols. @type {Record<string, (value: any) => Found | undefined>} */
const KINDS = {
  member: ({ object, key }) =>
    object?.type === 'response' ? ofResponse(object, key) : isPlainKey(key) ? ofPart(object, key) : undefined,
  call: ofJson,
  parsed: ({ value }) => (isBody(value) ? { draft: value.object.draft, source: '$', name: 'body' } : undefined),
  global: ofText,
};

/** @type {(key: Value) => boolean} */
function isPlainKey(key) {
  return typeof key === 'string' || typeof key === 'number';
}

/** @type {(response: any, key: Value) => Found | undefined} */
function ofResponse({ draft, isGrpc }, key) {
  if (isGrpc) return key === 'message' ? { draft, source: '$', name: 'message' } : undefined;
  if (key === 'status') return { draft, source: { status: true }, name: 'status' };
  return key === 'body' ? { draft, source: { text: '(?s)^(.*)$' }, name: 'body' } : undefined;
}

/** @type {(object: any, key: string | number) => Found | undefined} */
function ofPart(object, key) {
  if (object?.key === 'headers' && object.object?.type === 'response')
    return { draft: object.object.draft, source: { header: String(key) }, name: String(key) };
  const match = matchOf(object);
  if (match) return ofMatch(match, key);
  if (key === 'value' && cookieOf(object)) return cookieOf(object);
  const whole = originalOf(object);
  if (typeof whole?.source !== 'string' || key === 'length') return undefined;
  const step = typeof key === 'number' ? `[${key}]` : memberStep(key);
  return { draft: whole.draft, source: whole.source + step, name: typeof key === 'number' ? whole.name : key };
}

/** `res.cookies.session[0]` @type {(value: any) => Found | undefined} */
function cookieOf(value) {
  if (value?.type !== 'member' || value.key !== 0) return undefined;
  const { object, key } = value.object ?? {};
  if (typeof key !== 'string' || object?.key !== 'cookies' || object.object?.type !== 'response') return undefined;
  return { draft: object.object.draft, source: { cookie: key }, name: key };
}

/** @typedef {{ draft: OperationDraft, text: string }} Match */

/** `res.body.match(/…/)`, `/…/.exec(res.body)` @type {(value: any) => Match | undefined} */
function matchOf(value) {
  if (value?.type !== 'call') return undefined;
  const { method, object, args } = value;
  const [body, pattern] = method === 'match' ? [object, args[0]] : [args[0], object];
  if (!/^(?:match|exec)$/.test(method) || !isBody(body)) return undefined;
  const text = patternOf(pattern);
  return text === undefined ? undefined : { draft: body.object.draft, text };
}

/** @type {(match: Match, key: string | number) => Found | undefined} */
function ofMatch({ draft, text }, key) {
  const hasGroup = /(?<!\\)\((?!\?)/.test(text);
  if (key === 0) return { draft, source: { text: hasGroup ? `(${text})` : text }, name: 'match' };
  return key === 1 && hasGroup ? { draft, source: { text }, name: 'match' } : undefined;
}

/** Reports whether a value is the body of a response as text. @type {(value: any) => boolean} */
export function isBody(value) {
  return value?.type === 'member' && value.key === 'body' && value.object?.type === 'response';
}

/** A regular expression as RE2 has it; undefined: it cannot. @type {(given: any) => string | undefined} */
export function patternOf(given) {
  const { source, flags } = typeof given === 'string' ? { source: given, flags: '' } : (given ?? {});
  if (typeof source !== 'string' || /\(\?<?[=!]|\\[1-9k]/.test(source)) return undefined;
  const own = [...flags].filter((one) => 'ims'.includes(one)).join('');
  return own === '' ? source : `(?${own})${source}`;
}

/** `findBetween(res.body, 'a', 'b')` @type {(value: any) => Found | undefined} */
function ofText({ name, args }) {
  const [body, before, after] = args;
  if (name !== 'findBetween' || !isBody(body) || typeof before !== 'string' || typeof after !== 'string')
    return undefined;
  const [start, end] = [before, after].map((one) => one.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return { draft: body.object.draft, source: { text: `(?s)${start}(.*?)${end}` }, name: 'found' };
}

/** `res.json('a.b')` @type {(value: any) => Found | undefined} */
function ofJson({ object, method, args }) {
  if (object?.type !== 'response' || method !== 'json' || object.isGrpc) return undefined;
  const [path] = args;
  if (path === undefined) return { draft: object.draft, source: '$', name: 'body' };
  // Other paths of GJSON have #, conditions and modifiers.
  if (typeof path !== 'string' || !/^[\w$-]+(?:\.[\w$-]+)*$/.test(path)) return undefined;
  const steps = path.split('.');
  const name = steps.findLast((one) => !/^\d+$/.test(one)) ?? 'item';
  const source = /^[A-Za-z_][\w.]*$/.test(path)
    ? jsonPathOf(path)
    : `$${steps.map((one) => (/^\d+$/.test(one) ? `[${one}]` : memberStep(one))).join('')}`;
  return { draft: object.draft, source, name };
}

/** @typedef {{ leaf: any, factor: number, start: number, isWhole: boolean }} Linear */

/** Finds start + random (0 to 1) * factor; whole: it is rounded down. @type {(value: any) => Linear | undefined} */
export function linearOf(value) {
  if (!(value instanceof Sym)) return undefined;
  const { type, name, args, word } = /** @type {any} */ (value);
  if (type === 'leaf') return word === 'random' ? { leaf: value, factor: 1, start: 0, isWhole: false } : undefined;
  if (type === 'binary') return ofOperator(value);
  if (type !== 'global' || !/^(?:Math\.(?:floor|trunc)|parseInt)$/.test(name)) return undefined;
  const inner = linearOf(args[0]);
  return inner && inner.start >= 0 ? { ...inner, isWhole: true } : undefined;
}

/** @type {(value: any) => Linear | undefined} */
function ofOperator({ operator, left, right }) {
  const [inner, constant] = typeof right === 'number' ? [linearOf(left), right] : [linearOf(right), left];
  if (!inner || typeof constant !== 'number') return undefined;
  const { factor, start, isWhole } = inner;
  if (operator === '|' && right === 0) return { ...inner, isWhole: true };
  if (operator === '+') return { ...inner, start: start + constant };
  if (operator === '-' && typeof right === 'number') return { ...inner, start: start - constant };
  return operator === '*' && !isWhole ? { ...inner, factor: factor * constant, start: start * constant } : undefined;
}
