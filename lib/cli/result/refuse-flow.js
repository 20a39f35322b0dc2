import { makeError } from '../../errors.js';
import { METHOD_KEYS } from '../../flow/properties.js';

/**
 * Reports whether a value that was saved as JSON is a flow.
 *
 * @param {any} value
 * @returns {boolean}
 */
export function isFlow(value) {
  if (Array.isArray(value))
    return value.length > 0 && value.every((one) => typeof one === 'string' || isOperation(one));
  // the main of a result has a histogram
  return isOperation(value) || (value?.main !== undefined && value.main?.histogram === undefined);
}

/** @type {(value: any) => boolean} */
function isOperation(value) {
  return typeof value === 'object' && value !== null && METHOD_KEYS.some((key) => Object.hasOwn(value, key));
}

/**
 * @param {string} absolute
 * @param {string} path as the user wrote it
 * @returns {Error} E_RESULT
 */
export function flowInsteadOfResult(absolute, path) {
  return makeError('E_RESULT', {
    path: absolute,
    reason: 'is a flow, not a result',
    cure: `run it and save its result: bench-rest -o result.json ${path}`,
  });
}
