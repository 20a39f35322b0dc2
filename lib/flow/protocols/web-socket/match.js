import { formatValue } from '../../../text/format-value.js';
import { EQUAL, compileExpected } from '../../checks/expected.js';
import { compileJsonPath } from '../../checks/json.js';
import { compilePattern } from '../../pattern.js';
import { compileTemplate } from '../../template.js';

/** @import { IsAnswer } from '../../../contracts/request.js' */
/** @import { Scope } from '../../../contracts/step.js' */
/** @import { JsonPath } from '../../types.js' */
/** @import { Mark, MessagePart } from '../types.js' */

/**
 * Compiles the property, valid by `MATCH_PROPERTY`, that tells answers from other messages.
 * @type {(match: any, mark: Mark) => MessagePart<IsAnswer | null>}
 */
export function compileMatch(match, mark) {
  if (match === undefined) return { isConstant: true, render: () => null };
  if (match instanceof RegExp) {
    const pattern = compilePattern(match);
    return { isConstant: true, render: () => (data) => pattern.find(data.toString()) !== null };
  }
  if (typeof match === 'string') {
    const template = compileTemplate(mark(match, 'match'));
    if (typeof template === 'string') return { isConstant: true, render: () => (data) => data.includes(template) };
    return {
      isConstant: false,
      render(scope) {
        const text = template(scope);
        return (data) => data.includes(text);
      },
    };
  }
  return compileValues(match, mark);
}

/**
 * Each path must find a value that passes; a number is equal to its text, because servers and messages write an id in
 * either way.
 * @type {(match: Record<string, any>, mark: Mark) => MessagePart<IsAnswer>}
 */
function compileValues(match, mark) {
  const values = Object.entries(match).map(([text, given]) => {
    const context = {
      mark: (/** @type {string} */ part, /** @type {any} */ place) => mark(part, 'match', place),
      show: formatValue,
    };
    return {
      path: compileJsonPath(text),
      compare: compileExpected(given, context, EQUAL),
      compareText: compileExpected(given, { ...context, isText: true }, EQUAL),
    };
  });
  /** @type {(found: unknown, value: typeof values[number], scope: Scope) => boolean} */
  const passes = (found, { compare, compareText }, scope) =>
    compare(found, scope) === null || (isTextOrNumber(found) && compareText(String(found), scope) === null);
  return {
    // A comparison reads the values of an iteration
    isConstant: false,
    render: (scope) => (data) => {
      const message = parsed(data);
      return (
        message !== undefined &&
        values.every((value) => valuesAt(value, message).some((one) => passes(one, value, scope)))
      );
    },
  };
}

/**
 * Returns the values that a path finds; one that is undefined if there are none, which a comparison may expect.
 * @type {(value: { path: JsonPath }, message: { value: unknown }) => unknown[]}
 */
function valuesAt({ path }, message) {
  const found = path.all(message.value);
  return found.length === 0 ? [undefined] : found;
}

/** @type {(value: unknown) => boolean} */
function isTextOrNumber(value) {
  return typeof value === 'string' || typeof value === 'number';
}

/** @type {(data: Buffer) => { value: unknown } | undefined} undefined if it is not JSON */
function parsed(data) {
  try {
    return { value: JSON.parse(data.toString()) };
  } catch {
    return undefined;
  }
}
