import { fileURLToPath } from 'node:url';

import { formatValue, typeName } from './format-value.js';
import { maskText } from './mask.js';

/** @import { StackPlace } from './types.js' */

/** node:net adds the local address of a failed connect even if the socket never had one. */
const NO_LOCAL_ADDRESS = ' - Local (undefined:undefined)';
/** Characters of a message that are kept: it may contain a whole body. */
const MAX_LENGTH = 2000;
/** A write that fails in the handshake has no `reason`: `error:0A00010B:SSL routines:ssl3_get_record:REASON:file.c`. */
const OPENSSL = /:SSL routines:[^:]*:([^:]+):/;

/** Truncated; its secrets are masked where it is printed. Never throws. @type {(error: any) => string} */
export function messageOf(error) {
  try {
    const text = textOf(error);
    // It is masked before it is cut: half a secret would not be recognized as one.
    return text.length > MAX_LENGTH ? `${maskText(text.slice(0, 2 * MAX_LENGTH)).slice(0, MAX_LENGTH)}…` : text;
  } catch {
    // A thrown Proxy or getter may throw again
    return 'an error that cannot be converted to text';
  }
}

/** @type {(error: any) => string} */
function textOf(error) {
  // The message of OpenSSL is made for its developers
  const reason = reasonOfTls(error);
  if (typeof reason === 'string') return `TLS: ${reason}`;
  if (typeof error?.message === 'string' && error.message) return error.message.replace(NO_LOCAL_ADDRESS, '');
  if (Array.isArray(error?.errors) && error.errors.length > 0) return error.errors.map(messageOf).join(', ');
  const text = String(error?.code ?? error);
  if (text === '') return typeName(error);
  return text === '[object Object]' ? formatValue(error) : text;
}

/** @type {(error: any) => unknown} no text: it is none of OpenSSL */
function reasonOfTls(error) {
  if (typeof error?.code !== 'string') return undefined;
  if (/^ERR_(SSL|OSSL)_/.test(error.code)) return error.reason;
  return error.code === 'EPROTO' ? OPENSSL.exec(error.message)?.[1] : undefined;
}

/** Characters of a stack: a program may have set it. */
const LONGEST = 20_000;
/** One pattern for a frame and its file would take quadratic time. */
const FRAME = /^\s+at (.*):(\d+):(\d+)\)?$/;
const FILE = /^(?:.* \()?(?:async )?((?:file:\/\/|\/|[a-z]:\\).*)$/i;

/** The innermost is the first; no stack has none. @type {(stack: unknown) => StackPlace[]} */
export function placesIn(stack) {
  if (typeof stack !== 'string') return [];
  return stack
    .slice(0, LONGEST)
    .split('\n')
    .flatMap((text) => {
      const [, place = '', line, column] = FRAME.exec(text) ?? [];
      const [, name] = FILE.exec(place) ?? [];
      const file = name === undefined ? null : filePathOf(name);
      return file === null ? [] : [{ file, line: Number(line), column: Number(column) }];
    });
}

/** Returns the path of a file: URL, and of a path; null if it has none. @type {(name: string) => string | null} */
export function filePathOf(name) {
  if (!name.startsWith('file:')) return name;
  try {
    return fileURLToPath(name);
  } catch {
    // A program has written it
    return null;
  }
}
