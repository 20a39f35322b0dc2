import { makeError } from './errors.js';

/**
 * The working directory of the process.
 *
 * @param {{ cwd: () => string }} process
 * @returns {string}
 * @throws {Error} E_CWD it was removed or cannot be read: getcwd(3)
 */
export function workingFolder(process) {
  try {
    return process.cwd();
  } catch (error) {
    const reason = String(/** @type {NodeJS.ErrnoException} */ (error).code);
    throw makeError('E_CWD', { reason }, { cause: error });
  }
}
