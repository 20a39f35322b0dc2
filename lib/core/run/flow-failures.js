import { findSourceMap } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

import { ERRORS, isOurs } from '../ground/errors.js';
import { classify, describe, uncaughtError } from '../iteration/failure.js';
import { isOutside, nameInPrivateFolder } from '../process/confinement.js';
import { readTextFile } from '../process/read-file.js';
import { maskLine, positionOf } from '../text/code-frame.js';
import { filePathOf, placesIn } from '../text/error-text.js';
import { clock } from './clock.js';

/** @import { Step } from '../contracts/step.js' */
/** @import { CodePlace } from '../contracts/summaries.js' */
/** @import { Phase } from '../ground/phases.js' */
/** @import { Recorder } from '../measure/recorder.js' */
/** @import { StackPlace } from '../text/types.js' */

/**
 * Counts an error of a flow in the group of its kind, code and operation.
 * @param {Pick<Recorder, 'failure'>} recorder
 * @param {Error} error
 * @param {{ phase: Phase, step?: Step, index?: number, exchange?: () => string[] | null }} at step: none if no
 *   operation caused it; index: none outside of iterations; exchange: lines of the request and its response
 * @param {string | null} flowPath the module of the flow, if it is one
 */
export function recordFailure(recorder, error, { phase, step, index, exchange = () => null }, flowPath) {
  const { kind, code } = classify(error);
  recorder.failure({
    kind,
    code,
    phase,
    path: step?.where,
    operation: step?.name,
    index,
    now: clock.now(),
    message: () => describe(error, code),
    location: () => codePlace(error, flowPath),
    exchange,
  });
}

const OURS = dirname(dirname(dirname(fileURLToPath(import.meta.url)))) + sep;
const INSTALLED = `${sep}node_modules${sep}`;
/** A stack may come from elsewhere: nothing but code is quoted. */
const CODE = /\.[cm]?[jt]s$/i;
/** A frame of code in no file, such as `webpack://app/x.ts:1:2` or `evalmachine.<anonymous>:1:2`. */
const IN_NO_FILE = /^\s+at (?:.* \()?(?:async )?(?!file:|node:|\/|[a-z]:\\)[^\s()]+:\d+:\d+\)?$/im;
const MOST_BYTES = 4 * 1024 * 1024;
/** Characters around the column that a report can show; more is code that was minified. */
const AROUND = 100;
const LONGEST_LINE = 1000;

/**
 * Finds the user's code that a counted error of a hook or a function of the flow comes from; null if it is not known.
 * `flowPath` is the module of the flow, if it is one.
 * @type {(error: any, flowPath: string | null) => CodePlace | null}
 */
export function codePlace(error, flowPath) {
  if (ERRORS[error.code]?.hasCause) return thrownPlace(error.cause);
  return error.returnedBy && flowPath ? placeOfFunction(error.returnedBy, flowPath) : null;
}

/** Finds the user's code that threw a value; null if it is not known. @type {(thrown: any) => CodePlace | null} */
export function thrownPlace(thrown) {
  return quoted(usersPlace(placesIn(stackOf(thrown))));
}

/**
 * Tells an internal error from one of the flow, by its stack: it was thrown by our code, and no code of the user was
 * running. Values without a stack, and errors with a code of ours, which a flow may have awaited, are the flow's.
 * @type {(thrown: unknown) => boolean}
 */
export function isInternal(thrown) {
  const stack = stackOf(thrown);
  const places = placesIn(stack);
  return (
    places.length > 0 &&
    !IN_NO_FILE.test(String(stack)) &&
    isOwn(places[0]) &&
    places.every((place) => isOwn(place) || isInstalled(place)) &&
    !isOurs(thrown)
  );
}

/**
 * Reports whether a frame is of our own code. That of text that our code evaluated, such as the flow of `-e`, reads
 * `eval at … (/…/lib/x.js:1:2), <anonymous>:1:2`: its file begins like one of ours, but does not end like one.
 * @type {(place: StackPlace) => boolean}
 */
function isOwn({ file }) {
  return file.startsWith(OURS) && CODE.test(file);
}

/** @type {(place: StackPlace) => boolean} */
function isInstalled({ file }) {
  return file.includes(INSTALLED);
}

/** @type {(thrown: any) => unknown} */
function stackOf(thrown) {
  try {
    return thrown?.stack;
  } catch {
    // A thrown Proxy or getter may throw again.
    return undefined;
  }
}

/** Finds the innermost place in the user's own code. @type {(places: StackPlace[]) => StackPlace | undefined} */
function usersPlace(places) {
  return places.find((place) => CODE.test(place.file) && !isOwn(place) && !isInstalled(place));
}

/** @type {(place: StackPlace | undefined) => CodePlace | null} */
function quoted(place) {
  return place ? placeFor(place, textOf(place.file)) : null;
}

/** Finds a function by its text, if that is unique. @type {(fn: Function, file: string) => CodePlace | null} */
function placeOfFunction(fn, file) {
  const text = textOf(file);
  const own = String(fn);
  const offset = text === null ? -1 : text.indexOf(own);
  if (text === null || offset < 0 || text.includes(own, offset + 1)) return null;
  const { line, column } = positionOf(text, offset);
  return originalPlace({ file, line, column }) ?? placeFor({ file, line, column }, text);
}

/**
 * Finds the place in the file that a bundle was made from; null without a source map, or if the file is not there: a
 * bundler may name it `webpack://app/x.ts`.
 * @type {(place: StackPlace) => CodePlace | null}
 */
function originalPlace({ file, line, column }) {
  const origin = /** @type {any} */ (findSourceMap(file)?.findOrigin(line, column));
  const path = filePathOf(origin?.fileName ?? '');
  const source = path ? resolve(dirname(file), path) : '';
  const text = path ? textOf(source) : null;
  return text === null ? null : placeFor({ file: source, line: origin.lineNumber, column: origin.columnNumber }, text);
}

/** Quotes the line; empty if the file was not read. @type {(place: StackPlace, text: string | null) => CodePlace} */
function placeFor({ file, line, column }, text) {
  const code = text?.split(/\r\n|\n|\r/)[line - 1] ?? '';
  // The whole line is masked: half of a secret would not be recognized as one.
  const source = column > LONGEST_LINE ? '' : maskLine(code).slice(0, column + AROUND);
  return { file: shortPath(file), line, column, source };
}

/** Returns a path for people: relative in the working directory, or if it was sent. @type {(file: string) => string} */
function shortPath(file) {
  const received = nameInPrivateFolder(file);
  if (received !== null) return received;
  try {
    const path = relative(process.cwd(), file);
    return isOutside(path) ? file : path;
  } catch {
    // The working directory was removed.
    return file;
  }
}

/** Reads a file; null if it cannot be read. @type {(file: string) => string | null} */
function textOf(file) {
  try {
    return readTextFile(file, { maxBytes: MOST_BYTES });
  } catch {
    return null;
  }
}

/**
 * Counts the errors of a flow that nothing catches, in a thread that runs nothing else: they would end it in the middle
 * of the run. The main thread belongs to the program. Internal errors end the thread in any case; other errors are
 * not counted if the flow, or a library of it, has a listener of its own.
 * @type {(count: (error: Error) => void) => void}
 */
export function countUncaught(count) {
  if (isMainThread) return;
  process.on('uncaughtException', (thrown, origin) => {
    if (!isInternal(thrown)) {
      if (process.listenerCount('uncaughtException') === 1) count(uncaughtError(thrown, origin));
      return;
    }
    process.removeAllListeners('uncaughtException');
    // The error is thrown again, without a listener.
    process.nextTick(() => {
      throw thrown;
    });
  });
}
