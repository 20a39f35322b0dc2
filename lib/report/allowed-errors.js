/** @import { Result } from './types.js' */

/** Whether the errors there were are no failure: who says by a threshold how many are allowed, decides. @type {(result: Pick<Result, 'errors' | 'thresholds'>) => boolean} */
export function areErrorsAllowed({ errors, thresholds = [] }) {
  return errors.count === 0 || thresholds.some(({ expression }) => /^errors\s*[<>=!]/.test(expression));
}
