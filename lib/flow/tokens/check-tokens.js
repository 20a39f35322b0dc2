import { typeName } from '../../text/format-value.js';
import { isObject } from '../record.js';
import { TOKENS } from './index.js';

/** @import { Problems } from '../../ground/problems.js' */
/** @import { RawFlow } from '../normalize.js' */

const NAME = /^\w+$/;

/**
 * Checks the tokens that a flow brings, and returns the valid ones.
 * @type {(tokens: Record<string, any>, problems: Problems) => RawFlow['tokens']}
 */
export function checkTokens(tokens, problems) {
  const valid = Object.entries(tokens).filter(([name, value]) => {
    const reason = refuseName(name) ?? refuseValue(value);
    if (reason) problems.add(`flow.tokens.${name}`, reason);
    return !reason;
  });
  return Object.fromEntries(valid);
}

/**
 * Checks the variables that a flow brings, and returns the valid ones. `tokens` are those of the flow.
 * @type {(vars: Record<string, unknown>, tokens: unknown, problems: Problems) => RawFlow['vars']}
 */
export function checkVariables(vars, tokens, problems) {
  const valid = Object.entries(vars).filter(([name, value]) => {
    const reason =
      refuseName(name) ??
      (isObject(tokens) && Object.hasOwn(/** @type {object} */ (tokens), name)
        ? nameTakenBy(`flow.tokens.${name}`)
        : undefined) ??
      (typeof value === 'function' ? `expected a value, got a function: write it in flow.tokens` : undefined);
    if (reason) problems.add(`flow.vars.${name}`, reason);
    return !reason;
  });
  return Object.fromEntries(valid);
}

/** Explains why a token cannot have a name. @type {(name: string) => string | undefined} */
export function refuseName(name) {
  if (!NAME.test(name)) return 'is not the name of a token: use letters, digits and _';
  const builtIn = TOKENS.find((token) => token.name.toUpperCase() === name.toUpperCase());
  return builtIn && `#{${builtIn.name}} is a built-in token: use another name`;
}

/**
 * Explains that two things of a flow have one name. `other` is the second: `flow.tokens.user`.
 * @type {(other: string) => string}
 */
export function nameTakenBy(other) {
  return `is the name of ${other}, too: rename one`;
}

/** @type {(value: unknown) => string | undefined} */
function refuseValue(value) {
  return typeof value === 'function'
    ? undefined
    : `expected a function that returns the value of #{…}, got ${typeName(value)}`;
}
