import { isBody, patternOf, sourceOf } from './sources.js';
import { Sym } from './values.js';

/** @typedef {any} Value */
/** @import { OperationDraft } from '../import.js' */
/** @import { Found } from './sources.js' */
/** @typedef {{ draft: OperationDraft, part: Record<string, any> }} Expected a part of `expect`, of a response */

/**
 * Translates the condition of a check; undefined: it has no equivalent; null: it always holds.
 * @type {(value: Value) => Expected[] | undefined | null}
 */
export function expectedOf(value) {
  if (!(value instanceof Sym)) return value === true ? null : undefined;
  const { type, operator, left, right, argument, name, args } = /** @type {any} */ (value);
  if (type === 'logical') return joined(operator, left, right);
  if (type === 'global' && name === 'Boolean') return expectedOf(args[0]);
  if (type === 'unary') {
    const isTwice = operator === '!' && argument?.type === 'unary' && argument.operator === '!';
    return isTwice ? expectedOf(argument.argument) : undefined;
  }
  if (isImplied(value)) return null;
  const found = type === 'binary' ? compared(operator, left, right) : truthy(value);
  return found && [found];
}

/** @type {(operator: string, left: Value, right: Value) => Expected[] | undefined} */
function joined(operator, left, right) {
  if (operator === '&&') return allOf(left, right);
  return operator === '||' ? eitherOf({ left, right }) : undefined;
}

/** A status of 400 or more is an error by itself. @type {(value: any) => boolean} */
function isImplied({ type, operator, left, right }) {
  return type === 'binary' && operator.startsWith('!') && statusOf(left) !== undefined && right >= 400;
}

/** @type {(left: Value, right: Value) => Expected[] | undefined} */
function allOf(left, right) {
  const range = classOf(left, right);
  if (range) return [range];
  const sides = [left, right].map(expectedOf);
  return sides.includes(undefined) ? undefined : sides.flatMap((one) => one ?? []);
}

/** `r.status >= 200 && r.status < 300` @type {(left: any, right: any) => Expected | undefined} */
function classOf(left, right) {
  const draft = left?.type === 'binary' ? statusOf(left.left) : undefined;
  if (!draft || right?.type !== 'binary' || statusOf(right.left) !== draft) return undefined;
  const from = { '>=': left.right, '>': left.right + 1 }[/** @type {string} */ (left.operator)];
  const to = { '<': right.right, '<=': right.right + 1 }[/** @type {string} */ (right.operator)];
  // 299 is the last one that servers have.
  const end = to % 100 === 99 ? to + 1 : to;
  if (from % 100 !== 0 || end % 100 !== 0 || end <= from) return undefined;
  const classes = Array.from({ length: (end - from) / 100 }, (_, i) => `${from / 100 + i}xx`);
  return { draft, part: { status: classes.length === 1 ? classes[0] : classes } };
}

/** `r.status === 200 || r.status === 201` @type {(value: any) => Expected[] | undefined} */
function eitherOf({ left, right }) {
  const [a, b] = [left, right].map(expectedOf).map((one) => (one?.length === 1 ? one[0] : undefined));
  if (!a || !b || a.draft !== b.draft) return undefined;
  const isOfStatus = [a, b].every(({ part }) => Object.keys(part).join() === 'status');
  return isOfStatus ? [{ draft: a.draft, part: { status: [a.part.status, b.part.status].flat() } }] : undefined;
}

/** @type {(value: any) => OperationDraft | undefined} */
function statusOf(value) {
  const isStatus = value?.type === 'member' && value.key === 'status' && value.object?.type === 'response';
  return isStatus && !value.object.isGrpc ? value.object.draft : undefined;
}

/** Comparisons of `expect`, by the operators of JavaScript. @type {Record<string, string>} */
const COMPARISONS = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' };
/** The same with the sides exchanged. @type {Record<string, string>} */
const EXCHANGED = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' };

/** @type {(operator: string) => boolean} */
function isEqual(operator) {
  return operator === '===' || operator === '==';
}

/** @type {(operator: string, left: any, right: any) => Expected | undefined} */
function compared(operator, left, right) {
  if (!(left instanceof Sym))
    return right instanceof Sym ? compared(EXCHANGED[operator] ?? operator, right, left) : undefined;
  if (right instanceof Sym) return undefined;
  const { type, object, key } = /** @type {any} */ (left);
  if (type === 'call') {
    const found = comparedCall(left, operator, right);
    if (found) return found;
  }
  if (type === 'unary') return typed(left, operator, right);
  if (type === 'member' && object?.type === 'response') return ofResponse(left, operator, right);
  if (type === 'member' && key === 'length') return ofLength(object, operator, right);
  const found = sourceOf(left);
  return found && ofSource(found, isEqual(operator) ? right : comparisonOf(operator, right));
}

/** `r.body.indexOf('x') !== -1` @type {(call: any, operator: string, right: any) => Expected | undefined} */
function comparedCall({ object, method, args }, operator, right) {
  const isFound = (right === -1 && /^(?:>|!==?)$/.test(operator)) || (right === 0 && operator === '>=');
  if (/^(?:indexOf|search)$/.test(method) && isFound)
    return ofCall(object, method === 'search' ? 'match' : 'includes', args[0]);
  return method === 'match' && right === null && operator.startsWith('!') ? ofCall(object, method, args[0]) : undefined;
}

/** @type {(member: any, operator: string, right: any) => Expected | undefined} */
function ofResponse(member, operator, right) {
  const { object, key } = member;
  const { draft, isGrpc } = object;
  if (isGrpc) return key === 'status' && isEqual(operator) ? { draft, part: { status: right } } : undefined;
  if (isBody(member)) return ofBody(draft, operator, right);
  const status = Number(right);
  if (key !== 'status') return undefined;
  if (isEqual(operator) && status >= 100 && status <= 599) return { draft, part: { status } };
  return operator === '<' && status === 400 ? { draft, part: { status: ['2xx', '3xx'] } } : undefined;
}

/** @type {(draft: OperationDraft, operator: string, right: any) => Expected | undefined} */
function ofBody(draft, operator, right) {
  if (isEqual(operator)) return typeof right === 'string' ? { draft, part: { body: right } } : undefined;
  const isFilled = operator.startsWith('!') && (right === '' || right === null || right === undefined);
  return isFilled ? { draft, part: { text: { length: { gt: 0 } } } } : undefined;
}

/** @type {(object: any, operator: string, right: any) => Expected | undefined} */
function ofLength(object, operator, right) {
  if (operator.startsWith('!')) return right === 0 ? withLength(object, { gt: 0 }) : undefined;
  const length = isEqual(operator) ? right : { [COMPARISONS[operator]]: right };
  return typeof right === 'number' ? withLength(object, length) : undefined;
}

/** @type {(operator: string, right: any) => any} */
function comparisonOf(operator, right) {
  const isNothing = right === null || right === undefined;
  if (operator === '!=' && isNothing) return { exists: true, ne: null };
  if (operator === '!==' && right === undefined) return { exists: true };
  if (operator.startsWith('!')) return { ne: right };
  return isNothing ? undefined : { [COMPARISONS[operator]]: right };
}

/** @type {(found: Found, expected: any) => Expected | undefined} */
function ofSource({ draft, source }, expected) {
  if (expected === undefined) return undefined;
  if (typeof source === 'string') return { draft, part: { json: { [source]: expected } } };
  if (source.header === undefined) return undefined;
  const isThere = expected?.exists === true || expected?.ne === '';
  if (typeof expected === 'object' ? !isThere : /\*/.test(String(expected))) return undefined;
  return { draft, part: { headers: { [source.header]: isThere ? '*' : String(expected) } } };
}

/** @type {(object: any, length: any) => Expected | undefined} */
function withLength(object, length) {
  if (isBody(object)) return { draft: object.object.draft, part: { text: { length } } };
  const found = sourceOf(object);
  return typeof found?.source === 'string' ? ofSource(found, { length }) : undefined;
}

/** `typeof r.json('a') === 'string'` @type {(unary: any, operator: string, right: any) => Expected | undefined} */
function typed({ operator: own, argument }, operator, right) {
  const found = own === 'typeof' ? sourceOf(argument) : undefined;
  if (!found) return undefined;
  if (right === 'undefined' && operator.startsWith('!')) return ofSource(found, { exists: true });
  const isType = isEqual(operator) && ['string', 'number', 'boolean'].includes(right);
  return isType ? ofSource(found, { type: right }) : undefined;
}

/** @type {(value: any) => Expected | undefined} */
function truthy(value) {
  const { type, object, method, args = [], name } = value;
  if (type === 'global' && name === 'Array.isArray') {
    const found = sourceOf(args[0]);
    return found && ofSource(found, { type: 'array' });
  }
  if (type === 'call' && method !== 'json') return ofCall(object, method, args[0]);
  if (isBody(value)) return { draft: value.object.draft, part: { text: { length: { gt: 0 } } } };
  if (type === 'member' && value.key === 'length') return withLength(object, { gt: 0 });
  const found = sourceOf(value);
  return found && ofSource(found, { exists: true, ne: null });
}

/** @type {(object: any, method: string, given: any) => Expected | undefined} */
function ofCall(object, method, given) {
  if (Array.isArray(object)) return method === 'includes' ? ofList(object, given) : undefined;
  if (method === 'test' || method === 'exec') return isBody(given) ? matching(given, object) : undefined;
  if (isBody(object)) {
    if (method === 'match') return matching(object, given);
    return method === 'includes' && typeof given === 'string'
      ? { draft: object.object.draft, part: { text: given } }
      : undefined;
  }
  const found = sourceOf(object);
  return found && given !== undefined && !(given instanceof Sym) ? ofValue(found, method, given) : undefined;
}

/** `[200, 201].includes(r.status)` @type {(list: any[], given: any) => Expected | undefined} */
function ofList(list, given) {
  const draft = statusOf(given);
  if (draft) return list.every((one) => one >= 100 && one <= 599) ? { draft, part: { status: list } } : undefined;
  const found = sourceOf(given);
  return typeof found?.source === 'string' ? ofSource(found, { in: list }) : undefined;
}

/** @type {(found: Found, method: string, given: any) => Expected | undefined} */
function ofValue({ draft, source }, method, given) {
  if (typeof source === 'string') {
    if (method === 'includes') return ofSource({ draft, source, name: '' }, { contains: given });
    const isName = method === 'hasOwnProperty' && /^[A-Za-z_]\w*$/.test(given);
    return isName ? ofSource({ draft, source: `${source}.${given}`, name: '' }, { exists: true }) : undefined;
  }
  const pattern = { includes: `*${given}*`, startsWith: `${given}*`, endsWith: `*${given}` }[method];
  const isKnown = source.header !== undefined && pattern !== undefined && !String(given).includes('*');
  return isKnown ? { draft, part: { headers: { [source.header]: pattern } } } : undefined;
}

/** @type {(body: any, given: any) => Expected | undefined} */
function matching(body, given) {
  const pattern = patternOf(given);
  return pattern === undefined ? undefined : { draft: body.object.draft, part: { text: { matches: pattern } } };
}

/** The limit of a response time. @type {(value: any) => { draft: OperationDraft, most: number } | undefined} */
export function timeIn(value) {
  const { type, operator, left, right } = value instanceof Sym ? /** @type {any} */ (value) : {};
  const timings = type === 'binary' && /^<=?$/.test(operator) && typeof right === 'number' ? left?.object : undefined;
  const isDuration = left?.key === 'duration' && timings?.key === 'timings' && timings.object?.type === 'response';
  return isDuration ? { draft: timings.object.draft, most: right } : undefined;
}

/**
 * Adds a part to what an operation expects; false: it expects something else at that place.
 * @type {(expect: Record<string, any>, part: Record<string, any>) => boolean}
 */
export function addExpected(expect, part) {
  const pairs = Object.entries(part).flatMap(([key, value]) =>
    isByName(key) ? Object.entries(value).map(([name, one]) => [expect[key]?.[name], one]) : [[expect[key], value]],
  );
  if (
    pairs.some(([known, one]) => known !== undefined && JSON.stringify(known) !== JSON.stringify(one) && !isWeaker(one))
  )
    return false;
  for (const [key, value] of Object.entries(part)) expect[key] = isByName(key) ? { ...value, ...expect[key] } : value;
  return true;
}

/** @type {(key: string) => boolean} */
function isByName(key) {
  return key === 'json' || key === 'headers';
}

/** That a value exists follows from any other condition. @type {(one: any) => boolean} */
function isWeaker(one) {
  return one?.exists === true;
}
