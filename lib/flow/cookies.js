import { createProblems } from '../problems.js';
import { compileTemplate, markTokens, renderTemplate, wordsIn } from './template.js';
import { TOKENS } from './tokens/index.js';

/** @import { Scope } from './types.js' */

/**
 * Compiles the cookies of a run.
 *
 * @param {Record<string, string>} cookies with tokens, whose problems the operations report
 * @returns {(scope: Scope) => Record<string, string>} those of an iteration; outside of iterations, those without tokens
 */
export function compileCookies(cookies) {
  const quiet = { problems: createProblems('E_FLOW'), path: '' };
  const compiled = Object.entries(cookies)
    .filter(([, value]) => wordsIn(value).every(isText))
    .map(([name, value]) => ({ name, template: compileTemplate(markTokens(value, quiet)) }));
  return (scope) =>
    Object.fromEntries(
      compiled.flatMap(({ name, template }) =>
        typeof template === 'string' || scope.index !== undefined ? [[name, renderTemplate(template, scope)]] : [],
      ),
    );
}

/** Operations send cookies with other tokens in their own Cookie field. @type {(word: string) => boolean} */
function isText(word) {
  return TOKENS.some(({ name, compile }) => name === word && compile !== undefined);
}

/**
 * The Cookie field of an operation: its own field, its own cookies, and those of the run that it does not replace.
 *
 * @param {unknown} field of the headers, if any
 * @param {Record<string, string>} own
 * @param {Record<string, string>} ofRun
 * @returns {string | undefined}
 */
export function cookieField(field, own, ofRun) {
  const pairs = Object.entries({ ...ofRun, ...own }).map(([name, value]) => `${name}=${value}`);
  const given = field === undefined ? [] : [field].flat();
  return pairs.length === 0 ? undefined : [...given, ...pairs].join('; ');
}
