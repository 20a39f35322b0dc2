import { typeName } from '../../text/format-value.js';
import { TOKENS } from './index.js';

/**
 * @import { Problems } from '../../problems.js'
 * @import { RawFlow } from '../types.js'
 */

const NAME = /^\w+$/;

/**
 * Checks the tokens that a flow brings.
 *
 * @param {Record<string, any>} tokens
 * @param {Problems} problems
 * @returns {RawFlow['tokens']} the valid ones
 */
export function checkTokens(tokens, problems) {
  const valid = Object.entries(tokens).filter(([name, value]) => {
    const reason = refuseName(name) ?? refuseValue(value);
    if (reason) problems.add(`flow.tokens.${name}`, reason);
    return !reason;
  });
  return Object.fromEntries(valid);
}

/** @type {(name: string) => string | undefined} */
function refuseName(name) {
  if (!NAME.test(name)) return 'is not the name of a token: use letters, digits and _';
  const builtIn = TOKENS.find((token) => token.name.toUpperCase() === name.toUpperCase());
  return builtIn && `#{${builtIn.name}} is a built-in token: use another name`;
}

/** @type {(value: unknown) => string | undefined} */
function refuseValue(value) {
  return typeof value === 'function'
    ? undefined
    : `expected a function that returns the value of #{…}, got ${typeName(value)}`;
}
