/** @typedef {{ name: string, message: string, stack?: string, code?: string, kind?: string }} PlainError */

/** Characters of a message, and of a stack. */
const MAX_LENGTH = 10_000;

/** Copies the parts of a thrown value that another thread can get. @type {(error: any) => PlainError} */
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

/** Shortens a message that may hold a body; a slice would keep all of it in memory. @type {(text: string) => string} */
function bounded(text) {
  return text.length > MAX_LENGTH ? `${Buffer.from(text.slice(0, MAX_LENGTH)).toString()}…` : text;
}

/** @type {(plain: PlainError) => Error} */
export function fromPlain({ name, message, stack, code, kind }) {
  const error = Object.assign(new Error(message), code !== undefined && { code }, kind !== undefined && { kind });
  Object.defineProperties(error, {
    name: { value: name, configurable: true, writable: true },
    stack: { value: stack, configurable: true, writable: true },
  });
  return error;
}
