/**
 * @import { Reason } from '../exit-codes.js'
 * @import { Stats } from './types.js'
 */

/**
 * The reasons of a result to call its run failed. Whether its figures can be trusted is another question: the verdict.
 *
 * @param {Pick<Stats, 'errors' | 'thresholds' | 'verdict' | 'report'>} stats
 * @returns {Set<Reason>}
 */
export function failuresOf({ errors, thresholds = [], verdict, report }) {
  /** @type {Set<Reason>} */
  const reasons = new Set();
  if (!errors.allowed) reasons.add('errors');
  if (thresholds.some(({ passed }) => !passed)) reasons.add('threshold');
  if (report?.failed) reasons.add('report');
  // a failed accounting check is a bug of bench-rest
  if (verdict.status === 'invalid') reasons.add('internal');
  return reasons;
}
