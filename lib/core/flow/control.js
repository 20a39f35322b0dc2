import { OWN_LABELS } from '../ground/phases.js';
import { nearestOrAll } from '../ground/problems.js';
import { readMs } from '../ground/units.js';
import { anyText, formatValue } from '../text/format-value.js';
import { maskText } from '../text/mask.js';
import { EQUAL, compileExpected, placeOf, refuseExpected } from './comparisons.js';
import { isPlainObject } from './record.js';
import { isToken } from './template.js';
import { hasToken, holdsToken } from './tokens/index.js';

/** @import { Operation, Scope, Step } from '../contracts/step.js' */
/** @import { Complain } from '../ground/types.js' */
/** @import { Refusal } from './checks/types.js' */
/** @import { Names } from './names.js' */
/** @import { Property } from './types.js' */

/** @typedef {{ names: Names, where: string, complain: Complain }} ControlContext where: of the operation */

const MOST_TAGS = 10;
const LONGEST_VALUE = 100;
const COUNT_TYPE = 'number | ((scope: Scope) => number | Promise<number>)';
const COUNT_SCHEMA = { type: 'integer', minimum: 1 };
/** @type {(value: unknown) => boolean} */
const isCount = (value) => typeof value === 'function' || (Number.isSafeInteger(value) && Number(value) > 0);
const TAG_NAME = /^[A-Za-z_][\w-]*$/;

/** The members of `repeat` with a distance. */
export const REPETITION = ['count', 'every'];

/** @type {Record<'skip' | 'when' | 'repeat' | 'group' | 'tags', Property>} */
export const CONTROL_PROPERTIES = {
  skip: {
    type: 'boolean',
    check: (v) => typeof v === 'boolean',
    expected: 'true or false',
    // Hooks of flows for 1.2.4 may read other values of this name
    isOwn: (v) => typeof v !== 'boolean',
    schema: { type: 'boolean' },
    default: false,
    about: 'true: checked with the flow, and left out of every run',
  },
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
    type: `${COUNT_TYPE} | { count: ${COUNT_TYPE}, every: number | string }`,
    check: (v) => isCount(v) || isPlainObject(v),
    expected: "a whole number from 1, a function that returns one, or { count: 50, every: '200ms' }",
    refuse: refuseRepetition,
    schema: {
      oneOf: [
        COUNT_SCHEMA,
        {
          type: 'object',
          properties: {
            count: { ...COUNT_SCHEMA, description: 'how often' },
            every: { $ref: '#/$defs/time', description: 'time from start to start' },
          },
          required: REPETITION,
          additionalProperties: false,
        },
      ],
    },
    default: 1,
    about:
      "how often the operation is performed, one after the other; { count: 50, every: '200ms' }: from start to start, where the time before allows it",
  },
  group: {
    type: 'string',
    check: (v) => typeof v === 'string' && v.trim() !== '',
    expected: 'the name of a group',
    schema: { type: 'string', minLength: 1 },
    about: 'group of consecutive operations that are measured as one transaction under this name',
  },
  tags: {
    type: 'Record<string, string | number | boolean>',
    check: (v) => isPlainObject(v) && Object.keys(v).length <= MOST_TAGS && Object.values(v).every(isTagValue),
    expected: `at most ${MOST_TAGS} tags with their values, such as { team: 'search' }`,
    // Flows for 1.2.4 have lists and texts of this name, which their hooks read
    isOwn: (v) => !isPlainObject(v),
    refuse: refuseTags,
    schema: {
      type: 'object',
      maxProperties: MOST_TAGS,
      propertyNames: { pattern: TAG_NAME.source, not: { enum: OWN_LABELS } },
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    },
    about:
      'tags of the operation: results have the figures of each tag, and thresholds select them: team:search p95<1s',
  },
};

/** @type {(value: unknown) => boolean} */
function isTagValue(value) {
  if (typeof value === 'string') return value.trim() !== '' && value.length <= LONGEST_VALUE;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

/** @type {(repeat: any) => Refusal[]} */
function refuseRepetition(repeat) {
  if (!isPlainObject(repeat)) return [];
  const { count, every, ...others } = repeat;
  const got = (/** @type {unknown} */ value) => (value === undefined ? 'is missing' : `got ${formatValue(value)}`);
  return [
    ...(isCount(count) ? [] : [{ at: '.count', reason: `expected a whole number from 1, ${got(count)}` }]),
    ...(readMs(every) > 0 ? [] : [{ at: '.every', reason: `expected a time above 0, such as '200ms', ${got(every)}` }]),
    ...Object.keys(others).map((name) => ({
      at: `.${name}`,
      reason: `unknown property${nearestOrAll(name, REPETITION)}`,
    })),
  ];
}

/** @type {(tags: any) => Refusal[]} */
function refuseTags(tags) {
  if (!isPlainObject(tags)) return [];
  return Object.entries(tags).flatMap(([name, value]) => {
    const refuse = (/** @type {string} */ reason) => [{ at: placeOf(name), reason }];
    if (OWN_LABELS.includes(name)) return refuse('is a label of every operation: use another name');
    if (!TAG_NAME.test(name)) return refuse('is no name of a tag: use letters, digits, - and _');
    return hasToken(anyText(value)) ? refuse('has a token, and tokens are not replaced here') : [];
  });
}

/**
 * Compiles `when`, `repeat`, `group` and `tags` of a checked operation. `control` is null if it is always performed
 * once; `rounds` are at most as many as it is repeated.
 * @type {(operation: Operation, context: ControlContext) => Pick<Step, 'control' | 'rounds' | 'group' | 'tags'>}
 */
export function controlOf({ when = null, repeat = 1, group, tags }, context) {
  const condition = isPlainObject(when) ? compileCondition(when, context) : when;
  const { count, every = 0 } = isPlainObject(repeat) ? repeat : { count: repeat };
  return {
    control: condition === null && count === 1 ? null : { when: condition, repeat: count, everyMs: readMs(every) },
    rounds: typeof count === 'function' ? Infinity : count,
    group: group === undefined ? null : maskText(group),
    tags: isPlainObject(tags) ? textsOf(tags) : null,
  };
}

/** @type {(tags: Record<string, unknown>) => Record<string, string>} */
function textsOf(tags) {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, maskText(anyText(value))]));
}

/** @type {(condition: any) => Refusal[]} */
function refuseCondition(condition) {
  if (!isPlainObject(condition)) return [];
  return Object.entries(condition).flatMap(([name, given]) => {
    const refusals = refuseExpected(given, EQUAL, placeOf(name));
    if (refusals.length > 0 || !holdsToken(given)) return refusals;
    return [{ at: placeOf(name), reason: 'has a token, and tokens are not replaced here: use a function' }];
  });
}

/** @type {(condition: Record<string, unknown>, context: ControlContext) => (scope: Scope) => boolean} */
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
  // All variables have this source, captured ones too.
  const isVariable = source?.from === 'flow.vars';
  const notHere = names.refuse(name);
  if (isToken(text)) refuse(`expected the name alone: write ${formatValue(text.slice(2, -1))}`);
  else if (!source) refuse(names.explain(name, where));
  else if (notHere) refuse(notHere);
  else if (isVariable && member !== undefined) refuse(`reads within the variable ${name}: use a function`);
  if (!source || isVariable) return ({ vars }) => vars?.[name];
  const meaning = source.read({ name, member, argument: undefined, conversion: undefined }, refuse, '');
  if (meaning?.kind === 'value' && !meaning.isUsersFunction) return meaning.call;
  if (meaning) refuse('is neither a variable nor a column of a feeder: use a function');
  return () => undefined;
}
