import { makeError } from '../../core/ground/errors.js';

/**
 * Loads an optional peer dependency. `feature` is what needs it, such as `--agents`.
 * @throws {Error} E_PACKAGE with the command that installs it
 * @type {<T>(name: string, feature: string, load: () => Promise<T>) => Promise<T>}
 */
export async function loadOptional(name, feature, load) {
  try {
    return await load();
  } catch (error) {
    const { code, message = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error;
    throw makeError('E_PACKAGE', { name, feature, what: `the package ${name}, which is` }, { cause: error });
  }
}

/**
 * Loads several of them, which are all named if they are missing.
 * @throws {Error} as {@link loadOptional}
 * @type {<T>(feature: string, loads: Record<string, () => Promise<T>>) => Promise<T[]>}
 */
export async function loadAllOptional(feature, loads) {
  const names = Object.keys(loads);
  const results = await Promise.allSettled(names.map((name) => loadOptional(name, feature, loads[name])));
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const missing = names.filter((_, i) => /** @type {any} */ (results[i]).reason?.code === 'E_PACKAGE');
  if (failed.length > 1 && missing.length === failed.length)
    throw makeError(
      'E_PACKAGE',
      { name: missing.join(' '), feature, what: `the packages ${missing.join(' and ')}, which are` },
      { cause: failed[0] },
    );
  if (failed.length > 0) throw failed[0];
  return results.map((result) => /** @type {PromiseFulfilledResult<any>} */ (result).value);
}
