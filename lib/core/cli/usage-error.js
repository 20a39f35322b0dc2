import { makeError } from '../ground/errors.js';
import { nearest } from '../ground/problems.js';

/** Creates E_USAGE with a problem of the command line, and what to do. @type {(problem: string) => Error} */
export function usageError(problem) {
  return makeError('E_USAGE', { problem });
}

/** E_USAGE with the nearest of the allowed names. @type {(what: string, name: string, allowed: string[]) => Error} */
export function unknownName(what, name, allowed) {
  const near = nearest(name, allowed);
  return usageError(`unknown ${what} '${name}'; ${near ? `did you mean ${near}?` : `use one of ${allowed.join(' ')}`}`);
}
