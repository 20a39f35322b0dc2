import { makeError } from '../errors.js';

/**
 * @import { Check, NamedCheck } from '../flow/checks/types.js'
 * @import { Scope } from '../flow/types.js'
 * @import { Response } from '../transport/types.js'
 *
 * @typedef {(response: Response, scope: Scope) => Error | null} Expectation null if the response is as expected
 */

/**
 * Joins the checks of an operation.
 *
 * @param {NamedCheck[]} checks
 * @returns {Expectation | null} null if there are none; otherwise, its error is that of the first check that fails
 */
export function expectationOf(checks) {
  if (checks.length === 0) return null;
  return (response, scope) => {
    for (const { where, check } of checks) {
      const mismatch = check(response, scope);
      if (mismatch !== null) return makeError('E_EXPECT', { where, status: response.statusCode, ...mismatch });
    }
    return null;
  };
}
