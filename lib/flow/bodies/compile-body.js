import { randomBytes } from 'node:crypto';

import { ValueSlot } from '../value-slot.js';
import { BODIES } from './index.js';

/**
 * @import { Operation, Scope } from '../types.js'
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
  if (!entry) return { contentType: null, content: null };
  const value = operation[entry.name];
  return value instanceof ValueSlot ? computedBody(entry, value, context) : entry.compile(value, context);
}

/** The body that a function returns for each request. @type {(entry: BodyEntry, slot: ValueSlot, context: BodyContext) => BodyTemplate} */
function computedBody(entry, { at }, context) {
  const known = { ...context, boundary: `bench-rest-${randomBytes(12).toString('hex')}` };
  const each = { ...known, mark: (/** @type {string} */ text) => text, complain: context.refuse };
  return {
    ...entry.compile(entry.blank, known),
    content(/** @type {Scope} */ scope) {
      const { content } = entry.compile(/** @type {unknown[]} */ (scope.values)[at], each);
      return /** @type {Buffer} */ (content);
    },
  };
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
