import { formatValue } from '../text/format-value.js';
import { maskText } from '../text/mask.js';
import { EQUAL, compileExpected, placeOf, refuseExpected } from './checks/expected.js';
import { isPlainObject } from './record.js';
import { isToken } from './template.js';
import { hasToken } from './tokens/token-use.js';

/**
 * @import { Complain } from '../ground/problems.js'
 * @import { Refusal } from './checks/index.js'
 * @import { Names } from './names.js'
 * @import { Property } from './properties.js'
 * @import { Operation, Scope, Step } from './types.js'
 *
 * @typedef {object} Control whether and how often an iteration performs an operation
 * @property {((scope: Scope) => unknown) | null} when asked before each time
 * @property {number | ((scope: Scope) => unknown)} repeat asked once
 *
 * @typedef {object} ControlContext
 * @property {Names} names
 * @property {string} where of the operation
 * @property {Complain} complain
 */

/**
 * The properties of an operation that decide whether it is performed, how often, and what it is measured with.
 * @type {Record<'when' | 'repeat' | 'group', Property>}
 */
export const CONTROL_PROPERTIES = {
  when: {
    type: '((scope: Scope) => unknown) | Record<string, string | number | boolean | null | unknown[] | RegExp | Comparisons>',
    check: (v) => typeof v === 'function' || (isPlainObject(v) && Object.keys(v).length > 0),
    expected: 'a function, or variables with what they must be, such as { id: { exists: true } }',
    refuse: refuseCondition,
    schema: {
      type: 'object',
      minProperties: 1,
      additionalProperties: {
        anyOf: [{ type: ['string', 'number', 'boolean', 'null', 'array'] }, { $ref: '#/$defs/comparisons' }],
      },
    },
    about:
      'condition of the operation, with repeat before each time: a function, or variables with values or comparisons',
  },
  repeat: {
    type: 'number | ((scope: Scope) => number | Promise<number>)',
    check: (v) => typeof v === 'function' || (Number.isSafeInteger(v) && v > 0),
    expected: 'a whole number from 1, or a function that returns one',
    schema: { type: 'integer', minimum: 1 },
    default: 1,
    about: 'how often the operation is performed, one after the other',
  },
  group: {
    type: 'string',
    check: (v) => typeof v === 'string' && v.trim() !== '',
    expected: 'the name of a group',
    schema: { type: 'string', minLength: 1 },
    about: 'group of consecutive operations that are measured as one transaction under this name',
  },
};

/**
 * @param {Operation} operation checked
 * @param {ControlContext} context
 * @returns {Pick<Step, 'control' | 'rounds' | 'group'>}
 */
export function controlOf({ when = null, repeat = 1, group }, context) {
  const condition = isPlainObject(when) ? compileCondition(when, context) : when;
  return {
    control: condition === null && repeat === 1 ? null : { when: condition, repeat },
    rounds: typeof repeat === 'function' ? Infinity : repeat,
    group: group === undefined ? null : maskText(group),
  };
}

/** @type {(condition: any) => Refusal[]} */
function refuseCondition(condition) {
  if (!isPlainObject(condition)) return [];
  return Object.entries(condition).flatMap(([name, given]) => {
    const refusals = refuseExpected(given, EQUAL, placeOf(name));
    if (refusals.length > 0 || !hasToken(JSON.stringify(given) ?? '')) return refusals;
    return [{ at: placeOf(name), reason: 'has a token, and tokens are not replaced here: use a function' }];
  });
}

/**
 * All must be as expected.
 * @type {(condition: Record<string, unknown>, context: ControlContext) => (scope: Scope) => boolean}
 */
function compileCondition(condition, { names, where, complain }) {
  const all = Object.entries(condition).map(([name, given]) => ({
    read: readerOf(name, { names, where }, (reason) => complain(`when${placeOf(name)}`, reason)),
    compare: compileExpected(given, { mark: (text) => text, show: formatValue }, EQUAL),
  }));
  return (scope) => all.every(({ read, compare }) => compare(read(scope), scope) === null);
}

/**
 * Reads a variable, or a column of a feeder.
 * @type {(text: string, context: Pick<ControlContext, 'names' | 'where'>, refuse: (reason: string) => void) => (scope:
 *   Scope) => unknown}
 */
function readerOf(text, { names, where }, refuse) {
  const [name, ...rest] = text.split('.');
  const source = names.find(name);
  const member = rest.length > 0 ? rest.join('.') : undefined;
  const isVariable = source?.from === 'flow.vars';
  if (isToken(text)) refuse(`expected the name alone: write ${formatValue(text.slice(2, -1))}`);
  else if (!source) refuse(names.explain(name, where));
  else if (isVariable && member !== undefined) refuse(`reads within the variable ${name}: use a function`);
  if (!source || isVariable) return ({ vars }) => vars?.[name];
  const meaning = source.read({ name, member, argument: undefined, conversion: undefined }, refuse, '');
  if (meaning?.kind === 'value' && !meaning.isOfUser) return meaning.call;
  if (meaning) refuse('is neither a variable nor a column of a feeder: use a function');
  return () => undefined;
}
