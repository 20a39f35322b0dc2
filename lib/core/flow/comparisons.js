import { nearest } from '../ground/problems.js';
import { anyText, capitalized, typeName } from '../text/format-value.js';
import { compilePattern, patternFault } from './pattern.js';
import { isContainer, isCyclic, isPlainObject } from './record.js';
import { compileTemplate, unquoteValues } from './template.js';
import { hasTokenInPattern } from './tokens/index.js';

/** @import { Scope } from '../contracts/step.js' */
/** @import { EntryFacts, Literal, Refusal } from './checks/types.js' */
/** @import { Compare, ComparisonContext } from './types.js' */

/**
 * @typedef {EntryFacts & { refuse?: (argument: any) => string | undefined, compile: (argument: any, context:
 *   ComparisonContext) => Compare }} ComparisonEntry
 */

/** Values of `type`. */
const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const ordered = { type: 'number | string', schema: { type: ['number', 'string'] }, expected: 'a number or a text' };
const json = { type: 'unknown', schema: {}, expected: 'a JSON value' };

/** The ways to compare a value, for `expect`, `when` and the like: `{ gte: 1, lt: 10 }`. @type {ComparisonEntry[]} */
export const COMPARISONS = [
  {
    name: 'eq',
    about: 'equal; objects and arrays are compared by their content',
    ...json,
    check: isJson,
    compile: (argument, context) => comparing(argument, context, equality(context), ''),
  },
  {
    name: 'ne',
    about: 'not equal; a missing value is not equal to any other',
    ...json,
    check: isJson,
    compile(argument, context) {
      const isEqual = equality(context);
      return comparing(argument, context, (value, other) => !isEqual(value, other), 'not ');
    },
  },
  order('gt', 'more than this number, or after this text', 'above ', (value, bound) => value > bound),
  order('gte', 'at least this number, or not before this text', 'at least ', (value, bound) => value >= bound),
  order('lt', 'less than this number, or before this text', 'below ', (value, bound) => value < bound),
  order('lte', 'at most this number, or not after this text', 'at most ', (value, bound) => value <= bound),
  {
    name: 'in',
    about: 'equal to one of these values',
    type: 'unknown[]',
    schema: { type: 'array', minItems: 1 },
    check: (argument) => Array.isArray(argument) && argument.length > 0 && isJson(argument),
    expected: 'a list of values',
    compile(argument, context) {
      const isEqual = equality(context);
      return comparing(
        argument,
        context,
        (value, list) => list.some((/** @type {any} */ one) => isEqual(value, one)),
        'one of ',
      );
    },
  },
  {
    name: 'type',
    about: `the type, or a list of types: ${TYPES.join(', ')}`,
    type: 'string | string[]',
    schema: {
      anyOf: [{ enum: TYPES }, { type: 'array', items: { enum: TYPES }, minItems: 1 }],
    },
    check: (argument) => [argument].flat().length > 0 && [argument].flat().every((one) => TYPES.includes(one)),
    expected: `one of ${TYPES.join(', ')}, or a list of them`,
    compile(argument) {
      const types = [argument].flat();
      return (value) => (types.some((type) => isOfType(value, type)) ? null : `the type ${types.join(' or ')}`);
    },
  },
  {
    name: 'exists',
    about: 'true: there is a value, which may be null; false: there is none',
    type: 'boolean',
    schema: { type: 'boolean' },
    check: (argument) => typeof argument === 'boolean',
    expected: 'true or false',
    compile(argument) {
      const expected = argument ? 'a value' : 'no value';
      return (value) => ((value !== undefined) === argument ? null : expected);
    },
  },
  {
    name: 'length',
    about: 'the number of characters of a text or of items of an array: a number, or comparisons such as { gt: 0 }',
    type: 'number | Comparisons',
    schema: { anyOf: [{ type: 'integer', minimum: 0 }, { $ref: '#/$defs/comparisons' }] },
    check: (argument) => (Number.isInteger(argument) && argument >= 0) || isPlainObject(argument),
    expected: 'a whole number, or comparisons such as { gt: 0 }',
    refuse: (argument) => (isPlainObject(argument) ? refuseComparisons(argument) : undefined),
    compile(argument, context) {
      const comparisons = isPlainObject(argument) ? argument : { eq: argument };
      const compare = compileComparisons(comparisons, { ...context, isText: false });
      return (value, scope) => {
        const expected = compare(lengthOf(value), scope);
        return expected === null ? null : `a length: ${expected}`;
      };
    },
  },
  {
    name: 'contains',
    about: 'a text with this text in it, or an array with this item',
    ...json,
    check: isJson,
    compile: (argument, context) => comparing(argument, context, hasInIt, 'one that contains '),
  },
  {
    name: 'matches',
    about: 'a text that matches this regular expression',
    type: 'string | RegExp',
    schema: { type: 'string' },
    check: (argument) => typeof argument === 'string' || argument instanceof RegExp,
    expected: 'a regular expression',
    refuse: refusePattern,
    compile(argument) {
      const pattern = compilePattern(argument);
      const shown = argument instanceof RegExp ? argument : `/${argument}/`;
      return (value) =>
        typeof value === 'string' && pattern.find(value) !== null ? null : `a text that matches ${shown}`;
    },
  },
];

/** All of them must pass. @type {(comparisons: Record<string, any>, context: ComparisonContext) => Compare} */
export function compileComparisons(comparisons, context) {
  const all = COMPARISONS.filter(({ name }) => comparisons[name] !== undefined).map(({ name, compile }) =>
    compile(comparisons[name], context),
  );
  if (all.length === 1) return all[0];
  return (value, scope) => {
    for (const compare of all) {
      const expected = compare(value, scope);
      if (expected !== null) return expected;
    }
    return null;
  };
}

/** @type {(comparisons: Record<string, any>) => string | undefined} */
export function refuseComparisons(comparisons) {
  const given = Object.entries(comparisons).filter(([, argument]) => argument !== undefined);
  if (given.length === 0) return 'expected a comparison such as { gte: 1 }, got an empty object';
  for (const [name, argument] of given) {
    const entry = COMPARISONS.find((one) => one.name === name);
    if (!entry) {
      const names = COMPARISONS.map((one) => one.name);
      const near = nearest(name, names);
      return `unknown comparison ${name}${near ? `, did you mean ${near}?` : `: use ${names.join(', ')}; an object is compared by { eq: … }`}`;
    }
    const reason = entry.refuse?.(argument);
    if (reason) return `${name}: ${reason}`;
    if (!entry.check(argument)) return `${name}: expected ${entry.expected}, got ${typeName(argument)}`;
  }
  return undefined;
}

/** The meaning of most literals: the value itself, as in `{ eq: value }`. @type {Literal} */
export const EQUAL = {
  check: isJson,
  expected: 'a JSON value, a regular expression, or a comparison such as { gte: 1 }',
  compile: (value, context) => compileComparisons({ eq: value }, context),
};

/**
 * Compiles the expected value that {@link refuseExpected} accepts: a literal, a regular expression, or an object of
 * comparisons.
 * @type {(given: any, context: ComparisonContext, literal: Literal) => Compare}
 */
export function compileExpected(given, context, literal) {
  if (given instanceof RegExp) return compileComparisons({ matches: given }, context);
  return isPlainObject(given) ? compileComparisons(given, context) : literal.compile(given, context);
}

/** @type {(given: any, literal: Literal, at?: string) => Refusal[]} */
export function refuseExpected(given, literal, at) {
  const reason = reasonAgainst(given, literal);
  return reason === undefined ? [] : [{ at, reason }];
}

/** @type {(given: any, literal: Literal) => string | undefined} */
function reasonAgainst(given, literal) {
  if (given instanceof RegExp) return refuseComparisons({ matches: given });
  if (isPlainObject(given)) return refuseComparisons(given);
  return literal.check(given) ? undefined : `expected ${literal.expected}, got ${typeName(given)}`;
}

/** Returns the place of a name that may have any characters: `["x-id"]`. @type {(name: string) => string} */
export function placeOf(name) {
  return `[${JSON.stringify(name)}]`;
}

/** The properties of an object of comparisons, for the JSON Schema of flows. */
export const COMPARISONS_SCHEMA = {
  type: 'object',
  properties: describedSchemas(COMPARISONS),
  minProperties: 1,
  additionalProperties: false,
};

/**
 * Returns the schemas of a table of entries by name, each with its text, for the JSON Schema of flows.
 * @type {(entries: { name: string, about: string, schema: Record<string, unknown> }[]) => Record<string, Record<string,
 *   unknown>>}
 */
export function describedSchemas(entries) {
  return Object.fromEntries(
    entries.map(({ name, about, schema }) => [name, { ...schema, description: capitalized(about) }]),
  );
}

/** Reports whether JSON can express a value. @type {(value: unknown) => boolean} */
export function isJson(value) {
  return !isCyclic(value) && isJsonPart(value);
}

/** @type {(value: unknown) => boolean} */
function isJsonPart(value) {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return isContainer(value) && Object.values(value).every(isJsonPart);
}

/**
 * The value of an argument. Tokens in its texts are replaced for each request; one that is the whole text keeps its
 * type.
 * @type {(argument: unknown, context: Pick<ComparisonContext, 'mark'>) => (scope: Scope) => any}
 */
function wantedValue(argument, { mark }) {
  const template = compileTemplate(unquoteValues(mark(JSON.stringify(argument), 'json')));
  return typeof template === 'string' ? () => argument : (scope) => JSON.parse(template(scope));
}

/**
 * Compiles one comparison; `phrase` stands before the wanted value in its message.
 * @type {(argument: unknown, context: ComparisonContext, passes: (value: any, wanted: any) => boolean, phrase: string)
 *   => Compare}
 */
function comparing(argument, context, passes, phrase) {
  const wanted = wantedValue(argument, context);
  return (value, scope) => {
    const bound = wanted(scope);
    return passes(value, bound) ? null : `${phrase}${context.show(bound)}`;
  };
}

/**
 * Makes the row of a comparison by order. Numbers are compared with numbers, texts with texts.
 * @type {(name: string, about: string, phrase: string, passes: (value: any, bound: any) => boolean) => ComparisonEntry}
 */
function order(name, about, phrase, passes) {
  return {
    name,
    about,
    ...ordered,
    check: (argument) => typeof argument === 'string' || Number.isFinite(argument),
    compile: (argument, context) =>
      comparing(
        argument,
        context,
        (value, bound) => {
          const own = context.isText && typeof bound === 'number' ? numberIn(value) : value;
          return (
            (typeof own === 'number' || typeof own === 'string') && typeof own === typeof bound && passes(own, bound)
          );
        },
        phrase,
      ),
  };
}

/** @type {(context: ComparisonContext) => (value: any, wanted: any) => boolean} */
function equality({ isText }) {
  return isText ? (value, wanted) => isSame(typeof wanted === 'number' ? numberIn(value) : value, wanted) : isSame;
}

/** @type {(text: any) => number | undefined} */
function numberIn(text) {
  return typeof text === 'string' && text.trim() !== '' ? Number(text) : undefined;
}

/** Reports whether an array has an item, or a text has a part. @type {(value: any, part: any) => boolean} */
function hasInIt(value, part) {
  if (Array.isArray(value)) return value.some((item) => isSame(item, part));
  return typeof value === 'string' && value.includes(anyText(part));
}

/** @type {(value: unknown, type: string) => boolean} */
function isOfType(value, type) {
  if (value === null) return type === 'null';
  if (type === 'integer') return Number.isInteger(value);
  if (Array.isArray(value)) return type === 'array';
  return typeof value === type;
}

/** @type {(given: any) => string | undefined} */
function refusePattern(given) {
  if (typeof given !== 'string' && !(given instanceof RegExp)) return undefined;
  const source = given instanceof RegExp ? given.source : given;
  if (hasTokenInPattern(source)) return 'a regular expression cannot have tokens: use contains or eq';
  return patternFault(given);
}

/**
 * Reports whether a value is equal to one of the flow, as JSON: the order of properties does not matter. Recursion ends
 * where the flow's own value ends.
 * @type {(value: any, wanted: any) => boolean}
 */
export function isSame(value, wanted) {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(wanted)) return false;
  const keys = Object.keys(wanted);
  return (
    keys.length === Object.keys(value).length &&
    keys.every((key) => Object.hasOwn(value, key) && isSame(value[key], wanted[key]))
  );
}

/**
 * Counts the characters of a text, of which a pair of surrogates is one, or the items of an array; undefined for
 * another value.
 * @type {(value: unknown) => number | undefined}
 */
export function lengthOf(value) {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'string') return undefined;
  let pairs = 0;
  for (let i = 1; i < value.length; i++) if (isPair(value.charCodeAt(i - 1), value.charCodeAt(i))) pairs++;
  return value.length - pairs;
}

/** @type {(first: number, second: number) => boolean} */
function isPair(first, second) {
  return (first & 0xfc00) === 0xd800 && (second & 0xfc00) === 0xdc00;
}
