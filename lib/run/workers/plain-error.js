/** @import { PlainError } from './types.js' */

/** What of an error can go to another thread. @type {(error: any) => PlainError} */
export function toPlain(error) {
  const { name, message, stack, code, kind } = error ?? {};
  return { name: String(name ?? 'Error'), message: String(message ?? error), stack, code, kind };
}

/** The error again. @type {(plain: PlainError) => Error} */
export function fromPlain({ name, message, stack, code, kind }) {
  const error = Object.assign(new Error(message), code !== undefined && { code }, kind !== undefined && { kind });
  Object.defineProperties(error, {
    name: { value: name, configurable: true, writable: true },
    stack: { value: stack, configurable: true, writable: true },
  });
  return error;
}
