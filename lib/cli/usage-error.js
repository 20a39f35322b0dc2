import { makeError } from '../ground/errors.js';
import { nearest } from '../ground/problems.js';

/**
 * @param {string} problem what is wrong with the command line, and what to do
 * @returns {Error} E_USAGE
 */
export function usageError(problem) {
  return makeError('E_USAGE', { problem });
}

/**
 * @param {string} what kind of name
 * @param {string} name
 * @param {string[]} allowed
 * @returns {Error} E_USAGE with the nearest of the allowed names
 */
export function unknownName(what, name, allowed) {
  const near = nearest(name, allowed);
  return usageError(`unknown ${what} '${name}'; ${near ? `did you mean ${near}?` : `use one of ${allowed.join(' ')}`}`);
}
