import { firstDuplicate, isSame } from '../same-value.js';

/**
 * Keywords in place of those of ajv. Its `uniqueItems` compares all objects with each other: 20,000 take 9 s, 300,000 hours.
 * Its `const` and `enum` call methods of the response: one with a property `valueOf` is an exception.
 *
 * @type {import('ajv').FuncKeywordDefinition[]}
 */
export const KEYWORDS = [
  checking('const', {}, (constant, value) =>
    isSame(value, constant) ? null : { message: 'must be equal to constant', params: { allowedValue: constant } },
  ),
  checking('enum', { schemaType: 'array' }, (allowedValues, value) =>
    allowedValues.some((/** @type {unknown} */ one) => isSame(value, one))
      ? null
      : { message: 'must be equal to one of the allowed values', params: { allowedValues } },
  ),
  checking('uniqueItems', { type: 'array', schemaType: 'boolean' }, (isWanted, items) => {
    const at = isWanted ? firstDuplicate(items) : -1;
    return at < 0 ? null : { message: `must NOT have duplicate items: item ${at} is one`, params: {} };
  }),
];

/**
 * @param {string} keyword
 * @param {{ type?: 'array', schemaType?: 'array' | 'boolean' }} types of the values that it is for, and of its own value
 * @param {(wanted: any, value: any) => { message: string, params: Record<string, unknown> } | null} violationOf
 * @returns {import('ajv').FuncKeywordDefinition}
 */
function checking(keyword, types, violationOf) {
  /** @type {import('ajv').SchemaValidateFunction} */
  const validate = (wanted, value) => {
    const violation = violationOf(wanted, value);
    validate.errors = violation === null ? [] : [{ keyword, ...violation }];
    return violation === null;
  };
  return { keyword, ...types, validate, errors: true };
}
