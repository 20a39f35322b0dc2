import { readMs } from '../../ground/units.js';
import { typeName } from '../../text/format-value.js';
import { COMPARISONS, compileComparisons, isJson, refuseComparisons } from '../comparisons.js';
import { isPlainObject } from '../record.js';

/** @import { Comparator, ComparisonContext } from '../types.js' */
/** @import { CheckEntry, Refusal, Literal } from './types.js' */

/** A value to compare with: JSON, as of `{ eq: value }`. @type {Literal} */
export const EQUAL = {
  check: isJson,
  expected: 'a JSON value, a regular expression, or a comparison such as { gte: 1 }',
  compile: (value, context) => compileComparisons({ eq: value }, context),
};

/**
 * Compiles the expected value that {@link refuseExpected} accepts: a literal, a regular expression, or an object of
 * comparisons.
 * @type {(given: any, context: ComparisonContext, literal: Literal) => Comparator}
 */
export function compileExpected(given, context, literal) {
  if (given instanceof RegExp) return compileComparisons({ matches: given }, context);
  return isPlainObject(given) ? compileComparisons(given, context) : literal.compile(given, context);
}

/**
 * Explains why a value cannot be expected; `at` is its place in the argument of the check.
 * @type {(given: any, literal: Literal, at?: string) => Refusal[]}
 */
export function refuseExpected(given, literal, at) {
  const reason = reasonAgainst(given, literal);
  return reason === undefined ? [] : [{ at, reason }];
}

/**
 * Returns the members of a property whose value is a time above 0.
 * @type {(example: string) => Pick<CheckEntry, 'type' | 'schema' | 'check' | 'expected'>}
 */
export function timeProperty(example) {
  return {
    type: 'number | string',
    schema: { $ref: '#/$defs/time' },
    check: (value) => readMs(value) > 0,
    expected: `milliseconds above 0, or a time such as '${example}'`,
  };
}

/** Returns the place of a name that may have any characters: `["x-id"]`. @type {(name: string) => string} */
export function placeOf(name) {
  return `[${JSON.stringify(name)}]`;
}

/** @type {(given: any, literal: Literal) => string | undefined} */
function reasonAgainst(given, literal) {
  if (given instanceof RegExp) return refuseComparisons({ matches: given });
  if (isPlainObject(given)) return refuseComparisons(given);
  return literal.check(given) ? undefined : `expected ${literal.expected}, got ${typeName(given)}`;
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
    entries.map(({ name, about, schema }) => [
      name,
      { ...schema, description: `${about[0].toUpperCase()}${about.slice(1)}` },
    ]),
  );
}
