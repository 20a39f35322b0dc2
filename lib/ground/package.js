import { makeError } from './errors.js';

/** The major version of the package, whose schemas editors load. The repository has a tag of that name. */
const VERSION = 2;

/**
 * The address of a JSON Schema of the package. It is the `$id` of the schema, and resolves to the published file.
 *
 * @param {'flow.schema.json' | 'result.schema.json'} name of a file of the package
 * @returns {string}
 */
export function schemaUrl(name) {
  return `https://unpkg.com/bench-rest@${VERSION}/${name}`;
}

/** The repository of the package, which has the documents that the package does not ship. */
export const REPOSITORY = 'https://github.com/jeffbski/bench-rest';

/**
 * The address of a document of this major version.
 *
 * @param {string} path in docs, such as `guide/hooks.md#sign-requests`
 * @returns {string}
 */
export function docUrl(path) {
  return `${REPOSITORY}/blob/v${VERSION}/docs/${path}`;
}

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
