import { failuresOf } from '../../measure/outcome.js';

/**
 * @import { Outcome } from '../engine/engine.js'
 * @import { Reason } from '../../exit-codes.js'
 *
 * @typedef {Exclude<Outcome, { kind: 'refused' }>} RunOutcome
 */

/**
 * The reasons of a run for an exit code other than 0.
 *
 * @param {RunOutcome} outcome
 * @param {{ failIfSaturated: boolean }} options
 * @returns {Set<Reason>}
 */
export function judgeOutcome(outcome, { failIfSaturated }) {
  const reasons = outcome.stats ? failuresOf(outcome.stats) : /** @type {Set<Reason>} */ (new Set());
  if (outcome.kind === 'lost') reasons.add(outcome.isFault ? 'internal' : 'errors');
  if (outcome.kind === 'ended' && outcome.why === 'agent') reasons.add('agents');
  if (outcome.kind === 'aborted') reasons.add('interrupted');
  if (failIfSaturated && outcome.stats?.client.saturated) reasons.add('saturated');
  return reasons;
}

/**
 * @param {RunOutcome} outcome
 * @returns {string | undefined} why the run ended; undefined if it ended as planned
 */
export function outcomeMessage(outcome) {
  if (outcome.kind === 'aborted')
    return outcome.stats ? 'aborted; running iterations count as cancelled' : 'aborted before the first result';
  if (outcome.kind === 'lost')
    return `the run was lost: ${outcome.message}${outcome.stats ? '\nshowing the last results received' : ''}`;
  return ENDINGS.get(outcome.why);
}

const ENDINGS = new Map([
  ['before', 'no iterations were run, because before failed'],
  ['bailout', 'stopped at the error limit of --bailout'],
  ['threshold', 'stopped, because a threshold failed'],
  ['hook', 'stopped by a hook'],
  ['server', 'stopped, because the server of --start ended'],
  ['agent', 'stopped, because an agent was stopped'],
  ['worker', 'stopped, because a worker was lost'],
  ['unreachable', 'stopped, because no connection succeeded; is the server running? (--keep-going ignores this)'],
]);
