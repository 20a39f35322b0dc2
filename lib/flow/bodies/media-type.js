import { createRequire } from 'node:module';

/** @type {((name: string) => string | false) | undefined} */
let lookup;

/**
 * The media type of a file by its extension. The table of mime-types, which bench-rest 1 used too, is loaded when the first
 * file is named.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export function mediaTypeOf(name) {
  lookup ??= /** @type {typeof import('mime-types')} */ (createRequire(import.meta.url)('mime-types')).lookup;
  return lookup(name) || undefined;
}
