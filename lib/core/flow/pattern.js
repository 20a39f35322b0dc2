import { createRequire } from 'node:module';

/**
 * A regular expression that takes time linear in the length of the text.
 *
 * @typedef {object} Pattern
 * @property {(text: string) => (string | null)[] | null} find the first match, then its groups, null for one that did
 *   not take part; null without a match
 */

/** Characters of a pattern. */
const LONGEST = 1000;
/** The flags that RE2 has. Others have no effect: g and y are for several matches, and RE2 reads code points (u). */
const FLAGS = 'ims';

/**
 * Compiles a regular expression for RE2 (re2js, which is loaded with the first one): the RegExp of JavaScript tries out
 * all ways to match, so that a text of 30 characters can keep a thread busy for minutes (test/faults/capture.test.js).
 * @throws {Error} whose message completes "the pattern …"
 * @type {(given: string | RegExp) => Pattern}
 */
export function compilePattern(given) {
  const { source, flags } = typeof given === 'string' ? { source: given, flags: '' } : given;
  if (flags.includes('v'))
    throw new Error('has the flag v, whose sets of characters RE2 does not know: write it with u');
  if (source.length > LONGEST) throw new Error(`is longer than ${LONGEST} characters`);
  /** @type {typeof import('re2js')} */
  const { RE2JS } = createRequire(import.meta.url)('re2js');
  const bits = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL };
  let compiled;
  try {
    const used = /** @type {(keyof typeof bits)[]} */ ([...flags].filter((flag) => FLAGS.includes(flag)));
    compiled = RE2JS.compile(
      RE2JS.translateRegExp(source),
      used.reduce((all, flag) => all | bits[flag], 0),
    );
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const isTooPowerful = /\(\?<?[=!]|\\[1-9]|\\k</.test(source);
    throw new Error(isTooPowerful ? TOO_POWERFUL : `is malformed: ${message.split('\n')[0]}`);
  }
  return {
    find(text) {
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return null;
      return Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? null);
    },
  };
}

/** Explains why a regular expression cannot be used. @type {(given: string | RegExp) => string | undefined} */
export function patternFault(given) {
  try {
    compilePattern(given);
    return undefined;
  } catch (error) {
    return `the pattern ${/** @type {Error} */ (error).message}`;
  }
}

const TOO_POWERFUL =
  'has a lookahead, a lookbehind or a backreference, which cannot be matched in linear time: write it without';
