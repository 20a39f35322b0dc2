import { basename, dirname } from 'node:path';
import { makeError } from '../../../errors.js';
import { openFilesError } from '../../../open-files-error.js';
import { positionDetails } from '../../../text/code-frame.js';
import { placesIn } from '../../../text/stack-places.js';
import { syntaxPlace } from './syntax-place.js';

/** Messages of V8 about text that ends too early. */
const UNFINISHED = /^Unexpected end of input|^Unterminated|^missing \) /;

/**
 * Makes E_FLOW_FILE of an error that a module threw, with the position in the user's file instead of Node's.
 *
 * @param {string} path of the flow
 * @param {unknown} cause
 * @returns {Promise<Error>}
 */
export async function moduleError(path, cause) {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const shortage = openFilesError(cause);
  if (shortage) return shortage;
  const missing = missingModule(path, error);
  if (missing) return flowFileError(path, { ...missing, cause });
  const reason = `${error.name}: ${error.message.split('\n')[0]}`;
  const cure = mixCure(path, error);
  const frame = frameOf(path, error);
  if (frame || !(error instanceof SyntaxError)) {
    return flowFileError(`${path}${frame}`, { reason, cure: cure ?? 'correct the flow', cause });
  }
  const place = await syntaxPlace(path, error);
  if (place) {
    const remedy =
      cure ?? (UNFINISHED.test(error.message) ? 'a bracket, a text or a comment is not closed' : undefined);
    return flowFileError(place.file, { ...positionDetails(place.file, reason, place, remedy), cause });
  }
  return flowFileError(path, { reason, cure: cure ?? 'check the modules it imports with node --check', cause });
}

/** @type {(path: string, details: { path?: string, reason: string, cure: string, cause: unknown }) => Error} */
function flowFileError(path, { cause, ...details }) {
  return makeError('E_FLOW_FILE', { path, ...details }, { cause });
}

/** @type {(path: string, error: Error) => { reason: string, cure: string } | undefined} */
function missingModule(path, error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined;
  const specifier = /Cannot find (?:package|module) '([^']+)'/.exec(error.message)?.[1];
  if (!specifier) return undefined;
  if (/^([./\\]|[a-z]:|file:)/i.test(specifier)) {
    return { reason: `cannot find ${specifier}`, cure: 'check the path in its import, with the extension' };
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const cure = `install it: cd ${dirname(path)} && npm install ${name}`;
  return { reason: `cannot find package '${name}'`, cure };
}

/** @type {(path: string, error: Error) => string | undefined} */
function mixCure(path, { message }) {
  const stem = basename(path).replace(/\.\w+$/, '');
  if (/^(module|exports) is not defined/.test(message)) return `rename it to ${stem}.cjs, or use export default`;
  if (/^require is not defined/.test(message)) return `use import, or rename it to ${stem}.cjs`;
  if (/^__(file|dir)name is not defined/.test(message)) return `use import.meta.url, or rename it to ${stem}.cjs`;
  if (/Unexpected token 'export'|import statement outside a module/.test(message)) {
    return `rename it to ${stem}.mjs, or use module.exports`;
  }
  return undefined;
}

/**
 * `:3:7` if the flow is in the stack, else nothing.
 * @type {(path: string, error: Error) => string}
 */
function frameOf(path, { stack }) {
  const place = placesIn(stack).find(({ file }) => file === path);
  return place ? `:${place.line}:${place.column}` : '';
}
