import { isPlainObject } from './record.js';
import { markPlaceholder, renderTemplate } from './template.js';

/** @import { Scope } from '../contracts/step.js' */
/** @import { Template, Returned } from './types.js' */
/** @import { TokenUse } from './tokens/types.js' */
/** @import { ValuePlace } from './written-value.js' */

/**
 * Stands in an operation for a value that a function of the flow returns for each request, or a token of `tokens`.
 * Before each request, the functions of the operation are called in turn: `scope.values` has what they returned.
 */
export class Placeholder {
  /**
   * @param {number} at its position in `scope.values`
   * @param {string} name the token, as its use is written; empty for a function in the place of a value
   */
  constructor(at, name = '') {
    this.at = at;
    this.name = name;
  }

  /** @type {(place: ValuePlace, use?: TokenUse) => string} */
  mark(place, use) {
    return markPlaceholder(this, place, use);
  }

  /** Creates the function that reads the value of a request. @type {() => (scope: Pick<Scope, 'values'>) => any} */
  reader() {
    const { at } = this;
    return ({ values }) => /** @type {unknown[]} */ (values)[at];
  }

  /** JSON.stringify writes its result in quotes, which `unquoteValues` removes: the value is no text. */
  toJSON() {
    return this.mark('value');
  }
}

/** A value that a function returns, and that JSON can express. @type {Returned} */
export const JSON_VALUE = { check: hasJson, expected: 'a JSON value' };

/** @type {(value: unknown) => boolean} */
function hasJson(value) {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    // A cyclic value, or a bigint.
    return false;
  }
}

/**
 * Creates a function that returns a deep copy with tokens replaced in every string, including keys. Buffers and streams
 * are not copied. `valueOf` is for strings that are not keys.
 * @type {(value: any, template: (text: string) => Template, valueOf?: (text: string) => string | ((scope: Scope) =>
 *   unknown)) => (scope: Scope) => any}
 */
export function copier(value, template, valueOf = template) {
  if (typeof value === 'string') {
    const compiled = valueOf(value);
    return typeof compiled === 'string' ? () => compiled : compiled;
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => copier(item, template, valueOf));
    return (scope) => items.map((item) => item(scope));
  }
  if (value instanceof Placeholder) return value.reader();
  if (!isPlainObject(value)) return () => value;
  if (Object.entries(value).every(([key, item]) => isConstant(key, template) && isConstant(item, template)))
    return () => ({ ...value });
  const entries = Object.entries(value).map(([key, item]) => ({
    key: template(key),
    item: copier(item, template, valueOf),
  }));
  return (scope) => Object.fromEntries(entries.map(({ key, item }) => [renderTemplate(key, scope), item(scope)]));
}

/** @type {(value: unknown, template: (text: string) => Template) => boolean} */
function isConstant(value, template) {
  return typeof value === 'string' ? typeof template(value) === 'string' : typeof value !== 'object' || value === null;
}
