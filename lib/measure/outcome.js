/**
 * @import { Reason } from '../exit-codes.js'
 * @import { Stats } from './types.js'
 */

/**
 * The reasons of a result to call its run failed. Whether its figures can be trusted is another question: the verdict.
 *
 * @param {Pick<Stats, 'errors' | 'thresholds' | 'verdict' | 'report' | 'baseline' | 'agents'>} stats
 * @returns {Set<Reason>}
 */
export function failuresOf({ errors, thresholds = [], verdict, report, baseline, agents }) {
  /** @type {Set<Reason>} */
  const reasons = new Set();
  if (!errors.allowed) reasons.add('errors');
  // a threshold may allow errors, but what was measured is not the server
  if (errors.kinds.server > 0) reasons.add('server');
  if (thresholds.some(({ passed }) => !passed)) reasons.add('threshold');
  if (baseline?.limits.some(({ passed }) => !passed)) reasons.add('regression');
  if (agents && agents.lost > agents.tolerated) reasons.add('agents');
  if (report?.failed) reasons.add('report');
  // a failed accounting check is a bug of bench-rest
  if (verdict.status === 'invalid') reasons.add('internal');
  return reasons;
}
