import { makeError } from '../ground/errors.js';
import { wrapped } from '../text/format-value.js';
import { safeLines } from '../text/safe.js';

/** @import { Writable } from 'node:stream' */
/** @import { Reason } from '../ground/exit-codes.js' */
/** @import { ColorChoice } from './types.js' */

const DEFAULT_COLUMNS = 80;
/** Indentation of the further lines of a message. */
const CONTINUED = 2;

/**
 * Keeps errors of streams from ending the process: with `| head` stdout fails with EPIPE. `write()` reports all others.
 * @type {(...streams: Writable[]) => void}
 */
export function ignoreStreamErrors(...streams) {
  for (const stream of streams) stream.on('error', () => {});
}

/**
 * Writes a text and waits until the stream has flushed it; returns the error, if any. A closed pipe (EPIPE) is not an
 * error. A stream that has failed and does not destroy itself would keep the text and never call back.
 * @type {(stream: Writable, text: string) => Promise<NodeJS.ErrnoException | null>}
 */
export async function write(stream, text) {
  const error = await tryWrite(stream, text);
  return isClosedPipe(error) ? null : error;
}

/** Does the same, and returns the error of a closed pipe, too. @type {typeof write} */
export async function tryWrite(stream, text) {
  return stream.errored ?? new Promise((resolve) => void stream.write(text, (error) => resolve(error ?? null)));
}

/** @type {(error: NodeJS.ErrnoException | null) => boolean} */
export function isClosedPipe(error) {
  return ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(error?.code ?? '');
}

/** Writes a text without control characters or secrets. @type {(stream: Writable, text: string) => Promise<unknown>} */
export function writeSafe(stream, text) {
  return write(stream, safeLines(text));
}

/**
 * Prints a message for people, in lines as wide as the terminal. Source code with a caret below it and stacks keep
 * their lines.
 * @type {(stream: Writable, text: string) => Promise<unknown>}
 */
export function printMessage(stream, text) {
  return write(stream, `${wrapLines(safeLines(`bench-rest: ${text}`), columnsOf(stream))}\n`);
}

/** Returns the width of messages and of the help. @type {(stream: Writable & { columns?: number }) => number} */
export function columnsOf(stream) {
  return terminalColumns(stream) || Number(process.env.COLUMNS) || DEFAULT_COLUMNS;
}

/**
 * Returns the columns of a terminal; undefined for another stream, and for a terminal that does not tell them (0).
 * @type {(stream: { columns?: number }) => number | undefined}
 */
export function terminalColumns({ columns }) {
  return columns || undefined;
}

/** @type {(text: string, width: number) => string} */
function wrapLines(text, width) {
  const lines = text.split('\n');
  // A caret, a line of a stack, and the source code above a caret.
  const isVerbatim = (/** @type {number} */ i) =>
    /^ *(\^|at )/.test(lines[i] ?? '') || /^ *\^/.test(lines[i + 1] ?? '');
  return lines.map((line, i) => (isVerbatim(i) ? line : wrapLine(line, width))).join('\n');
}

/** @type {(line: string, width: number) => string} */
function wrapLine(line, width) {
  const [indent] = /** @type {RegExpExecArray} */ (/^ */.exec(line));
  return indent + wrapped(line.slice(indent.length), indent.length + CONTINUED, width);
}

/**
 * Prints a result on stdout, or on stderr if stdout fails; resolves with the reasons for an exit code other than 0.
 * @type {(text: string, io: { stdout: Writable, stderr: Writable }) => Promise<Reason[]>}
 */
export async function print(text, { stdout, stderr }) {
  const error = await write(stdout, text);
  if (!error) return [];
  await write(
    stderr,
    `bench-rest: ${makeError('E_RESULT_NOT_WRITTEN', { reason: error.message, cure: 'it follows here' }).message}\n${text}`,
  );
  return ['notWritten'];
}

/**
 * Reads something, and prints the notices about it when all of it has been read: if it is refused, only the error is
 * printed.
 * @type {<T>(io: { stderr: Writable }, read: (onNotice: (text: string) => void) => T | Promise<T>) => Promise<T>}
 */
export async function withNotices({ stderr }, read) {
  /** @type {string[]} */
  const notices = [];
  const value = await read((text) => void notices.push(text));
  for (const notice of notices) await printMessage(stderr, notice);
  return value;
}

/**
 * Decides if colors are printed. The flag wins, then FORCE_COLOR, NO_COLOR, CLICOLOR_FORCE and CLICOLOR in the
 * environment, as Node, no-color.org and bixense.com/clicolors have them; empty ones count as not set.
 * @type {(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv, choice?: ColorChoice) => boolean}
 */
export function hasColors(stream, env, choice = 'auto') {
  if (choice !== 'auto') return choice === 'always';
  if (env.FORCE_COLOR) return !isOff(env.FORCE_COLOR);
  if (env.NO_COLOR) return false;
  if (env.CLICOLOR_FORCE) return !isOff(env.CLICOLOR_FORCE);
  return Boolean(stream.isTTY) && env.TERM !== 'dumb' && env.CLICOLOR !== '0';
}

/** @type {(value: string) => boolean} */
function isOff(value) {
  return value === '0' || value === 'false';
}

/** The variables of the locale, the strongest first. */
const LOCALES = ['LC_ALL', 'LC_CTYPE', 'LANG'];
/** A terminal of Windows that has more than the characters of a code page sets one of these. */
const WINDOWS_TERMINALS = ['WT_SESSION', 'TERM_PROGRAM', 'TERM', 'ConEmuTask'];

/** @type {(env: NodeJS.ProcessEnv, platform?: string) => boolean} */
export function hasUnicode(env, platform = process.platform) {
  // The console of Linux has few characters.
  if (env.TERM === 'linux') return false;
  if (platform === 'win32') return Boolean(env.CI) || WINDOWS_TERMINALS.some((name) => env[name]);
  const locale = LOCALES.map((name) => env[name]).find(Boolean);
  // Without a locale: macOS has UTF-8, and so has the reader of the log of a CI job.
  return locale ? /utf-?8/i.test(locale) : platform === 'darwin' || Boolean(env.CI);
}
