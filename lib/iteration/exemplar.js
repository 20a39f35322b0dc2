/**
 * @import { Step } from '../flow/types.js'
 * @import { Exemplar } from '../measure/exemplars.js'
 * @import { Lane } from './lane.js'
 */

/**
 * The last exchange of a lane as an example of a slow or failed request.
 *
 * @param {Step} step
 * @param {Lane} lane
 * @param {{ now: number, origin: number, status: number | null }} about `origin`: instant from which times count
 * @returns {Exemplar}
 */
export function exemplarOf(step, lane, { now, origin, status }) {
  const { startedAt, connectedAt, sentAt, firstByteAt, wasReused } = lane.lastExchange;
  const { due } = lane.iteration;
  const since = (/** @type {number} */ at) => (at > 0 ? at - origin : null);
  return {
    index: lane.iteration.index ?? null,
    operation: `${step.where} ${step.name}`,
    status,
    ms: now - startedAt,
    reused: wasReused,
    scheduled: Number.isNaN(due) ? null : due - origin,
    started: startedAt - origin,
    connected: since(connectedAt),
    sent: since(sentAt),
    firstByte: since(firstByteAt),
    ended: now - origin,
  };
}
