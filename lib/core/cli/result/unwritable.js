import { existsSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { usageError } from '../usage-error.js';

/** Returns E_USAGE: why a file cannot be written. @type {(path: string, error: NodeJS.ErrnoException) => Error} */
export function unwritable(path, error) {
  const place = error.code === 'ELOOP' ? path : withoutLinks(path);
  return usageError(
    `cannot write to ${path}${place === path ? '' : `, which leads to ${place}`}: ${reasonOf(error, place)}`,
  );
}

/** @type {(error: NodeJS.ErrnoException, path: string) => string} */
function reasonOf({ code, message }, path) {
  const folder = dirname(path);
  if (code === 'ENOENT') return `the folder ${folder} does not exist; create it: mkdir -p ${folder}`;
  if (code === 'ENOTDIR') return `${folder} is not a folder; use another path`;
  if (code === 'EISDIR') return 'it is a directory; name a file in it';
  if (code === 'EEXIST') return 'a file or a link has this name, or that of its folder; remove it, or use another path';
  if (code === 'ELOOP') return 'its symbolic links lead back to themselves; use another path';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `no permission to write there (${code}); use another ${existsSync(path) ? 'path' : 'folder'}`;
  return code ?? message;
}

/** Follows links that lead to nothing, which explain ENOENT. @type {(path: string) => string} */
function withoutLinks(path) {
  const parent = dirname(path);
  if (parent === path || existsSync(path)) return path;
  const file = join(withoutLinks(parent), basename(path));
  const target = linkedFrom(file);
  return target === null ? file : withoutLinks(resolve(dirname(file), target));
}

/** @type {(path: string) => string | null} null: it is no link */
function linkedFrom(path) {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
