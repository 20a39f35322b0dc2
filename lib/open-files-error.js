import { makeError } from './errors.js';

/**
 * E_OPEN_FILES for a file that could not be opened because of the limit of open files. The error of a thread that
 * cannot start for this reason is ERR_WORKER_INIT_FAILED, with the system's code in its message.
 *
 * @param {any} error
 * @returns {Error | null} null for any other error
 */
export function openFilesError(error) {
  const code = error?.code === 'ERR_WORKER_INIT_FAILED' ? /\bE[MN]FILE\b/.exec(error.message)?.[0] : error?.code;
  return code === 'EMFILE' || code === 'ENFILE' ? makeError('E_OPEN_FILES', { code }, { cause: error }) : null;
}
