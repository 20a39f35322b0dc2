import { makeError } from './errors.js';

/**
 * Loads an optional peer dependency.
 *
 * @template T
 * @param {string} name of the package
 * @param {string} feature what needs it: `--agents`
 * @param {() => Promise<T>} load imports it
 * @returns {Promise<T>}
 * @throws {Error} E_PACKAGE with the command that installs it
 */
export async function loadOptional(name, feature, load) {
  try {
    return await load();
  } catch (error) {
    const { code, message = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error;
    throw makeError('E_PACKAGE', { name, feature }, { cause: error });
  }
}
