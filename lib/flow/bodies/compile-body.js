import { BODIES } from './index.js';

/**
 * @import { Operation } from '../types.js'
 * @import { BodyContext, BodyEntry, BodyTemplate } from './types.js'
 */

/**
 * Compiles the body of an operation.
 *
 * @param {Operation} operation
 * @param {BodyContext} context
 * @returns {BodyTemplate} content and content type are null without a body
 */
export function compileBody(operation, context) {
  const [entry] = bodiesOf(operation);
  return entry ? entry.compile(operation[entry.name], context) : { contentType: null, content: null };
}

/**
 * Finds the bodies of an operation.
 *
 * @param {Operation} operation
 * @returns {BodyEntry[]} at most one if the operation is valid
 */
export function bodiesOf(operation) {
  return BODIES.filter(({ name, sends = isGiven }) => operation[name] !== undefined && sends(operation[name]));
}

/** @type {(value: unknown) => boolean} */
function isGiven(value) {
  return value !== undefined;
}
