import { memberStep } from '../draft.js';
import { dottedName } from './evaluate.js';

/** @import { Value } from './evaluate.js' */

/** @typedef {(node: any) => Value | undefined} Evaluate */

/** @type {(expect: Record<string, any>, left: Value | undefined, right: any) => boolean} */
function addEqual(expect, left, right) {
  if (right === undefined || left === undefined) return false;
  if (left.of === 'status') expect.status = right;
  else if (typeof left.source !== 'string') return false;
  else expect.json = { ...expect.json, [left.source]: right };
  return true;
}

/**
 * Statements of tests, by their names, and what each adds; false: it has no equivalent.
 * @type {[RegExp, (expect: Record<string, any>, given: any[], actual: Value | undefined, value: Evaluate,
 *   name: string) => boolean | void][]}
 */
const CHECKS = [
  [
    /^pm\.response\.to\.have\.status$/,
    (expect, [status], _, value) => {
      const given = value(status)?.value;
      if (typeof given !== 'number') return false;
      expect.status = given;
    },
  ],
  [/^pm\.response\.to\.be\.(?:ok|success)$/, (expect) => void (expect.status = '2xx')],
  [
    /^pm\.response\.to\.have\.header$/,
    (expect, [name, content], _, value) => {
      const field = value(name)?.text;
      if (field === undefined || content !== undefined) return false;
      expect.headers = { ...expect.headers, [field]: '*' };
    },
  ],
  [
    /^pm\.expect\(\)\.to\.(?:be\.|deep\.)?(?:eql?|equals?)$/,
    (expect, [right], actual, value) => addEqual(expect, actual, value(right)?.value),
  ],
  [
    /^pm\.expect\(\)\.to\.be\.(?:true|false|null)$/,
    (expect, _given, actual, _value, name) =>
      typeof actual?.source === 'string' && addEqual(expect, actual, JSON.parse(name.replace(/^.*\./, ''))),
  ],
  [/^pm\.expect\(\)\.to\.have\.property$/, addProperty],
  [
    /^pm\.expect\(\)\.to\.(?:include|contain)$/,
    (expect, [part], actual, value) => {
      const { text, value: constant } = value(part) ?? {};
      if (actual?.of !== 'body' || typeof constant !== 'string' || expect.text !== undefined) return false;
      expect.text = text;
    },
  ],
  [
    /^pm\.expect\(\)\.to\.be\.oneOf$/,
    (expect, [list], actual, value) => {
      const all = (list?.elements ?? []).map((/** @type {any} */ one) => value(one)?.value);
      if (actual?.of !== 'status' || all.length === 0 || all.some((/** @type {any} */ one) => !(one >= 100)))
        return false;
      expect.status = all;
    },
  ],
  [
    /^pm\.expect\(\)\.to\.be\.(?:below|lessThan)$/,
    (expect, [most], actual, value) => addTime(expect, actual, value(most)?.value),
  ],
  [/^client\.assert$/, (expect, [condition], _, value) => checksIn(expect, condition, value)],
];

/**
 * `pm.expect(data).to.have.property("id", 7)`; without a value, the member exists.
 * @type {(expect: Record<string, any>, given: any[], actual: Value | undefined, value: Evaluate) => boolean}
 */
function addProperty(expect, [name, right], actual, value) {
  const key = value(name)?.value;
  if (typeof actual?.source !== 'string' || typeof key !== 'string') return false;
  const source = actual.source + memberStep(key);
  if (right) return addEqual(expect, { source }, value(right)?.value);
  expect.json = { [source]: { exists: true }, ...expect.json };
  return true;
}

/** @type {(expect: Record<string, any>, actual: Value | undefined, most: unknown) => boolean} */
function addTime(expect, actual, most) {
  if (actual?.of !== 'time' || typeof most !== 'number') return false;
  expect.within = most;
  return true;
}

/**
 * Adds the check of a statement, `name` is that of its function; false: it has no equivalent.
 * @type {(expect: Record<string, any>, name: string, node: any, value: Evaluate) => boolean}
 */
export function addCheck(expect, name, node, value) {
  const [, add] = CHECKS.find(([pattern]) => pattern.test(name)) ?? [];
  if (!add) return false;
  const actual = expectedIn(node);
  return add(expect, node.arguments ?? [], actual && value(actual), value, name) !== false;
}

/** Finds `x` of `pm.expect(x).to.be.below(5)`. @type {(node: any) => any} */
function expectedIn(node) {
  if (node?.type === 'CallExpression')
    return dottedName(node.callee) === 'pm.expect' ? node.arguments[0] : expectedIn(node.callee);
  return node?.type === 'MemberExpression' ? expectedIn(node.object) : undefined;
}

/**
 * Adds the checks of a condition, such as `responseCode.code === 200 && data.id === 7`; false: it has no equivalent.
 * @type {(expect: Record<string, any>, node: any, value: Evaluate) => boolean}
 */
export function checksIn(expect, node, value) {
  const { operator, left, right } = node ?? {};
  if (operator === '&&') return [left, right].map((one) => checksIn(expect, one, value)).every(Boolean);
  if (operator === '===' || operator === '==')
    return addEqual(expect, value(left), value(right)?.value) || addEqual(expect, value(right), value(left)?.value);
  return operator === '<' && addTime(expect, value(left), value(right)?.value);
}
