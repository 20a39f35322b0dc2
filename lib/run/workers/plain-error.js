/** @import { PlainError } from './types.js' */

/** Characters of a message, and of a stack. */
const MAX_LENGTH = 10_000;

/**
 * Copies the parts of an error that can be sent to another thread.
 *
 * @param {any} error anything that was thrown
 * @returns {PlainError}
 */
export function toPlain(error) {
  const { name, message, stack, code, kind } = error ?? {};
  return {
    name: bounded(String(name ?? 'Error')),
    message: bounded(String(message ?? error)),
    stack: stack && bounded(String(stack)),
    code,
    kind,
  };
}

/** A message may hold a whole body. Copying the slice lets the rest be freed. @type {(text: string) => string} */
function bounded(text) {
  return text.length > MAX_LENGTH ? `${Buffer.from(text.slice(0, MAX_LENGTH)).toString()}…` : text;
}

/**
 * @param {PlainError} plain
 * @returns {Error}
 */
export function fromPlain({ name, message, stack, code, kind }) {
  const error = Object.assign(new Error(message), code !== undefined && { code }, kind !== undefined && { kind });
  Object.defineProperties(error, {
    name: { value: name, configurable: true, writable: true },
    stack: { value: stack, configurable: true, writable: true },
  });
  return error;
}
