import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';

/** @import { CheckEntry } from '../../core/flow/checks/types.js' */

const requireHere = createRequire(import.meta.url);

/** Most commands run no flow. @type {() => typeof import('./render.js')} */
const loadRender = () => requireHere('./render.js');
/** @type {() => typeof import('../../core/text/format-value.js')} */
const loadFormat = () => requireHere('../../core/text/format-value.js');

/**
 * A property of `expect` that compares a part of what a call returned, or of the JSON of a response.
 *
 * @typedef {object} OwnCheck
 * @property {string} name of the property
 * @property {string} about a phrase for documents
 * @property {(value: any) => unknown} read the part that is compared
 * @property {(received: any, expected: any) => boolean} [passes] default: both are equal
 *
 * @typedef {OwnCheck & Pick<CheckEntry, 'type' | 'schema' | 'check' | 'expected' | 'refuse'>} CheckFacts
 */

/**
 * Returns the row of a check. Tokens in what a flow expects are replaced before it is compared.
 *
 * @param {CheckFacts} facts
 * @returns {CheckEntry}
 * @throws {TypeError} a fact is missing
 */
export function defineCheck({ read, passes = isDeepStrictEqual, ...row }) {
  if (typeof read !== 'function') throw new TypeError(`the check ${row.name} has no read of the type function`);
  return {
    ...row,
    reads: 'body',
    compile(given, { mark }) {
      const { formatValue, shortened } = loadFormat();
      const at = (/** @type {string[]} */ path) => path.map((one) => `.${one}`).join('');
      const expected = loadRender().rendererOf(given, (text, path) => mark(text, 'text', at(path)));
      const shown = typeof given === 'string' ? shortened(given, MOST_CHARACTERS) : formatValue(given, MOST_CHARACTERS);
      return [
        {
          name: `${row.name} ${shown}`,
          check({ json: { value, fault } }, scope) {
            const wanted = typeof expected === 'function' ? expected(scope) : expected;
            if (fault !== null) return { expected: formatValue(wanted), received: fault };
            const received = read(value);
            return passes(received, wanted) ? null : { expected: formatValue(wanted), received: formatValue(received) };
          },
        },
      ];
    },
  };
}

/** Of the expected value in the name of a check. */
const MOST_CHARACTERS = 60;
