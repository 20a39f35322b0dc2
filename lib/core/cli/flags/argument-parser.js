import { InvalidArgumentError } from 'commander';

import { readCount, readMs } from '../../ground/units.js';
import { readIterations } from '../../run/options/load.js';
import { usageError } from '../usage-error.js';

/**
 * Makes a parser for the argument of a flag, which throws an InvalidArgumentError. `expected` completes "Expected …";
 * `refuseText` explains why a text is refused before it is read, and `refuse` why it is invalid.
 * @type {(read: (text: string) => any, check: (value: any) => boolean, expected: string, refuseText?: (text: string) =>
 *   string | undefined, refuse?: (text: string) => string | undefined) => (text: string) => any}
 */
export function argumentParser(read, check, expected, refuseText = () => undefined, refuse = () => undefined) {
  return (text) => {
    const refusal = refuseText(text);
    if (refusal) throw new InvalidArgumentError(`${refusal}.`);
    // Number('') would be 0; a text may be empty.
    const value = text.trim() === '' && read !== String ? NaN : read(text);
    if (check(value)) return value;
    const reason = refuse(text);
    throw new InvalidArgumentError(`${reason ?? `Expected ${expected}${EXAMPLES.get(read) ?? ''}`}.`);
  };
}

/** The ends of messages that begin with "Expected", by reader. @type {Map<(text: string) => any, string>} */
const EXAMPLES = new Map(
  /** @type {[(text: string) => any, string][]} */ ([
    [readCount, ', such as 1000 or 10k'],
    [readIterations, ', such as 1000 or 10k'],
    [readMs, ', such as 500ms or 1m30s'],
  ]),
);

/**
 * Makes a parser that throws E_USAGE without the argument, which errors of commander repeat: it may be a secret.
 * @type {<T>(flag: string, parse: (text: string, earlier?: any) => T) => (text: string, earlier?: any) => T}
 */
export function secretParser(flag, parse) {
  return (text, earlier) => {
    try {
      return parse(text, earlier);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw usageError(`the argument of option '${flag}' is invalid. ${error.message}`);
    }
  };
}

/** @type {(from: number, to: number) => (text: string) => number} */
export function wholeNumber(from, to) {
  const isWhole = (/** @type {number} */ value) => Number.isInteger(value) && value >= from && value <= to;
  return argumentParser(Number, isWhole, `a whole number from ${from} to ${to}`);
}

/** Collects the arguments of a flag that can be repeated. @type {(text: string, earlier?: string[]) => string[]} */
export function collect(text, earlier = []) {
  return [...earlier, text];
}
