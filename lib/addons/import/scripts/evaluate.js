import { memberStep } from '../draft.js';
import { member } from '../read-document.js';

/**
 * @typedef {string | Record<string, any>} Source as in `capture`
 *
 * @typedef {object} Value what a script is known to have
 * @property {Source} [source] a part of the response
 * @property {string} [text] a constant, or the value of a variable: `{{name}}`
 * @property {unknown} [value] the constant itself
 * @property {Value[]} [parts] texts that are joined
 * @property {(index: number) => string | undefined} [item] of a list that is not in the response as it is
 * @property {'status' | 'time' | 'body'} [of] the status, the time, or the text of the response
 *
 * @typedef {Map<string, Value>} Scope values by the names of variables
 */

/** Returns the name of the function of a call, such as `pm.expect().to.eql`. @type {(node: any) => string} */
export function dottedName(node) {
  switch (node?.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression':
      return `${dottedName(node.object)}.${node.computed ? (node.property.value ?? '*') : node.property.name}`;
    case 'CallExpression':
      return `${dottedName(node.callee)}()`;
    case 'ChainExpression':
      return dottedName(node.expression);
    default:
      return '';
  }
}

/** Lists the nodes directly below one. @type {(node: any) => any[]} */
export function nodesBelow(node) {
  return Object.values(node)
    .flat()
    .filter((one) => typeof one?.type === 'string');
}

/** Lists the names in a pattern, or in front of a member. @type {(node: any) => string[]} */
export function namesIn(node) {
  return node.type === 'Identifier' ? [node.name] : nodesBelow(node).flatMap(namesIn);
}

/** Parts of a response, by the names that Postman, its older versions and JetBrains have for them. */
const NAMES = /** @type {[RegExp, Value][]} */ ([
  [/^(?:pm\.response\.code|responseCode\.code|response\.status)$/, { of: 'status' }],
  [/^(?:pm\.response\.responseTime|responseTime)$/, { of: 'time' }],
  [/^responseBody$/, { of: 'body' }],
  [/^response\.body$/, { source: '$' }],
]);
const VARIABLE =
  /^(?:pm\.)?(?:environment|globals|collectionVariables|variables|iterationData)\.(?!get$|set$|has$)(\w+)$/;

/**
 * Finds what an expression is without executing it: a part of the response, or a constant; undefined: it is not known.
 * @type {(node: any, scope: Scope, hasResponse: boolean) => Value | undefined}
 */
export function evaluate(node, scope, hasResponse) {
  const inner = (/** @type {any} */ one) => evaluate(one, scope, hasResponse);
  return member(NODES, node.type)?.(node, { inner, scope, hasResponse });
}

/** @typedef {{ inner: (node: any) => Value | undefined, scope: Scope, hasResponse: boolean }} Context */

/** By the type of an expression. @type {Record<string, (node: any, context: Context) => Value | undefined>} */
const NODES = {
  Literal: ({ regex, value }) => (regex ? undefined : { value, text: String(value) }),
  TemplateLiteral: ({ quasis, expressions }, { inner }) =>
    joined(
      quasis.flatMap((/** @type {any} */ { value }, /** @type {number} */ i) => [
        { text: value.cooked },
        ...(expressions[i] ? [inner(expressions[i])] : []),
      ]),
    ),
  ChainExpression: ({ expression }, { inner }) => inner(expression),
  AwaitExpression: ({ argument }, { inner }) => inner(argument),
  // `res.item || {}` is the part of the response; what else comes first decides, and is not known.
  LogicalExpression: ({ operator, left, right }, { inner }) =>
    operator === '&&' ? onlyPart([inner(right)]) : inner(left),
  ConditionalExpression: ({ consequent, alternate }, { inner }) => onlyPart([consequent, alternate].map(inner)),
  UnaryExpression({ operator, argument }, { inner }) {
    const { value } = inner(argument) ?? {};
    return operator === '-' && typeof value === 'number' ? { value: -value, text: String(-value) } : undefined;
  },
  BinaryExpression({ operator, left, right }, { inner }) {
    const sides = [inner(left), inner(right)];
    // Two values that are no texts are added.
    const isText = sides.some((one) => typeof one?.value === 'string' || one?.parts);
    return operator === '+' && isText ? joined(sides) : undefined;
  },
  Identifier: (node, { scope, hasResponse }) => scope.get(node.name) ?? named(node.name, hasResponse),
  MemberExpression: (node, { inner, hasResponse }) => named(dottedName(node), hasResponse) ?? partOf(node, inner),
  CallExpression: called,
};

/** Returns the only part of the response among values. @type {(values: (Value | undefined)[]) => Value | undefined} */
function onlyPart(values) {
  const parts = values.filter((one) => one?.source !== undefined);
  return parts.length === 1 ? parts[0] : undefined;
}

/** @type {(parts: (Value | undefined)[]) => Value | undefined} */
function joined(parts) {
  const all = parts.flatMap((one) => one?.parts ?? [one]);
  if (all.some((one) => one?.text === undefined && one?.source === undefined)) return undefined;
  const known = /** @type {Value[]} */ (all);
  return known.every(({ source }) => source === undefined)
    ? constant(known.map(({ text }) => text).join(''))
    : { parts: known };
}

/** @type {(text: string) => Value} */
function constant(text) {
  return { value: text, text };
}

/** @type {(name: string, hasResponse: boolean) => Value | undefined} */
function named(name, hasResponse) {
  const [, value] = NAMES.find(([pattern]) => pattern.test(name)) ?? [];
  if (value) return hasResponse ? value : undefined;
  const [, field] = /^responseHeaders\.(.+)$/.exec(name) ?? [];
  if (field !== undefined) return hasResponse ? headerOf(field) : undefined;
  const [, variable] = VARIABLE.exec(name) ?? [];
  return variable === undefined ? undefined : { text: `{{${variable}}}` };
}

/** @type {(name: string) => Value} */
function headerOf(name) {
  return { source: { header: name.toLowerCase() } };
}

/** @type {(node: any, inner: (node: any) => Value | undefined) => Value | undefined} */
function partOf({ object, property, computed }, inner) {
  const whole = inner(object);
  if (!computed) return whole && memberOf(whole, property.name);
  // list[list.length - 1]
  const isLast =
    property.operator === '-' &&
    property.right.value > 0 &&
    dottedName(property.left) === `${dottedName(object)}.length`;
  const key = isLast ? -property.right.value : inner(property)?.value;
  const split = typeof key === 'number' ? splitPart(object, key, inner) : undefined;
  return split ?? (whole && memberOf(whole, /** @type {any} */ (key)));
}

/**
 * Returns a member of a part of the response; undefined of another value.
 * @type {(whole: Value, key: string | number | undefined) => Value | undefined}
 */
export function memberOf({ source, item }, key) {
  const own = typeof key === 'number' ? item?.(key) : undefined;
  if (own !== undefined) return { source: own };
  // The cookie of Postman is an object, and its value is what a capture takes.
  if (typeof source === 'object' && source.cookie !== undefined && key === 'value') return { source };
  if (typeof source !== 'string' || key === undefined || key === 'length') return undefined;
  return { source: source + (typeof key === 'number' ? `[${key}]` : memberStep(key)) };
}

/**
 * What functions return, by their names, from their first argument and its text.
 * @type {[RegExp, (text: string | undefined, first: Value | undefined) => Value | undefined][]}
 */
const CALLS = [
  [
    /^(?:pm\.(?:environment|collectionVariables|globals|variables)|client\.global|request\.environment)\.get$|^postman\.get(?:Environment|Global)Variable$/,
    (text) => (text === undefined ? undefined : { text: `{{${text}}}` }),
  ],
  [/^(?:pm\.variables\.replaceIn|String)$/, (_, first) => first],
];
/** The same for those that read the response. @type {typeof CALLS} */
const CALLS_AFTER = [
  [/^pm\.response\.json$/, () => ({ source: '$' })],
  [/^pm\.response\.text$/, () => ({ of: 'body' })],
  [/^JSON\.parse$/, (_, first) => (first?.of === 'body' ? { source: '$' } : undefined)],
  [
    /^(?:pm\.response\.headers\.get|postman\.getResponseHeader|response\.headers\.valueOf)$/,
    (text) => (text === undefined ? undefined : headerOf(text)),
  ],
  [
    /^(?:pm\.cookies\.get|postman\.getResponseCookie)$/,
    (text) => (text === undefined ? undefined : { source: { cookie: text } }),
  ],
];

/** @type {(node: any, context: Context) => Value | undefined} */
function called({ callee, arguments: given }, { inner, scope, hasResponse }) {
  const name = dottedName(callee);
  const [first, second] = given.map(inner);
  const [, found] = (hasResponse ? [...CALLS, ...CALLS_AFTER] : CALLS).find(([pattern]) => pattern.test(name)) ?? [];
  if (found) return found(first?.text, first);
  if (name === 'jsonPath') return first?.source === '$' && second?.text ? { source: second.text } : undefined;
  if (callee.type !== 'MemberExpression') return undefined;
  return methodOf(callee, first, inner) ?? selected(inner(callee.object), callee.property.name, given[0], scope);
}

/**
 * Items of a list by `find`, `filter` and `map`, whose function compares members with constants, or returns one.
 * @type {(list: Value | undefined, method: string, fn: any, scope: Scope) => Value | undefined}
 */
function selected(list, method, fn, scope) {
  const result = resultOf(fn?.body);
  if (!list || !result || fn.params[0]?.type !== 'Identifier') return undefined;
  const names = new Map([...scope, [fn.params[0].name, { source: '@' }]]);
  const inner = (/** @type {any} */ node) => evaluate(node, names, false);
  if (method === 'map') return mapped(list, inner(result)?.source);
  const condition = conditionOf(result, inner);
  if (condition === undefined || typeof list.source !== 'string') return undefined;
  // The first one that a path finds is captured.
  const first = `${list.source}[?${condition}]`;
  if (method === 'find') return { source: first };
  return method === 'filter' ? { item: (index) => (index === 0 ? first : undefined) } : undefined;
}

/** What a function returns that does nothing else. @type {(body: any) => any} */
function resultOf(body) {
  if (body?.type !== 'BlockStatement') return body;
  return body.body.length === 1 ? body.body[0].argument : undefined;
}

/** @type {(list: Value, part?: Source) => Value | undefined} */
function mapped({ source, item }, part) {
  if (typeof part !== 'string' || !part.startsWith('@')) return undefined;
  const itemOf = item ?? ((index) => (typeof source === 'string' ? `${source}[${index}]` : undefined));
  return { item: (index) => itemOf(index)?.concat(part.slice(1)) };
}

/** @type {Record<string, string>} */
const SIGNS = { '===': '==', '==': '==', '!==': '!=', '!=': '!=', '<': '<', '<=': '<=', '>': '>', '>=': '>=' };

/**
 * Writes a condition as in JSONPath.
 * @type {(node: any, inner: (node: any) => Value | undefined) => string | undefined}
 */
function conditionOf({ type, operator, left, right }, inner) {
  if (type === 'LogicalExpression' && operator !== '??') {
    const sides = [left, right].map((one) => conditionOf(one, inner));
    return sides.every(Boolean) ? `(${sides.join(` ${operator} `)})` : undefined;
  }
  const sign = type === 'BinaryExpression' ? member(SIGNS, operator) : undefined;
  const [path, value] = sign === undefined ? [] : [inner(left)?.source, inner(right)?.value];
  const isKnown = ['string', 'number', 'boolean'].includes(typeof value) && !String(value).includes('#');
  return typeof path === 'string' && path.startsWith('@') && isKnown
    ? `${path} ${sign} ${JSON.stringify(value)}`
    : undefined;
}

/**
 * The value that a method of a part of the response returns.
 * @type {(callee: any, first: Value | undefined, inner: (node: any) => Value | undefined) => Value | undefined}
 */
function methodOf({ object, property }, first, inner) {
  if (property.name === 'toString') return inner(object);
  if (property.name === 'pop') return splitPart(object, -1, inner);
  return property.name === 'at' ? splitPart(object, Number(first?.value), inner) : undefined;
}

/**
 * `location.split('/')`, and then its part from the start, or the last one (-1).
 * @type {(node: any, index: number, inner: (node: any) => Value | undefined) => Value | undefined}
 */
function splitPart(node, index, inner) {
  if (node.type !== 'CallExpression' || node.callee.property?.name !== 'split' || !(index >= -1)) return undefined;
  const { source } = inner(node.callee.object) ?? {};
  const sign = inner(node.arguments[0])?.text;
  if (source === undefined || sign?.length !== 1) return undefined;
  const other = `[^${sign.replace(/[\\\]^-]/g, '\\$&')}]*`;
  const before = sign.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const match = index < 0 ? `(${other})$` : `^${`${other}${before}`.repeat(Math.min(index, 20))}(${other})`;
  return { source: { ...(typeof source === 'string' ? { json: source } : source), match } };
}
