/**
 * @import { Step } from '../flow/types.js'
 * @import { Exemplar } from '../measure/exemplars.js'
 * @import { Lane } from './lane.js'
 */

/**
 * The last exchange of a lane as an example: what it was, and when it came how far.
 *
 * @param {Step} step
 * @param {Lane} lane
 * @param {{ now: number, origin: number, status: number | null }} about origin: the instant from which times count
 * @returns {Exemplar}
 */
export function exemplarOf(step, lane, { now, origin, status }) {
  const { startedAt, connectedAt, sentAt, firstByteAt, wasReused } = lane.lastExchange;
  const since = (/** @type {number} */ at) => (at > 0 ? at - origin : null);
  return {
    index: lane.index ?? null,
    operation: `${step.where} ${step.name}`,
    status,
    ms: now - startedAt,
    reused: wasReused,
    scheduled: Number.isNaN(lane.due) ? null : lane.due - origin,
    started: startedAt - origin,
    connected: since(connectedAt),
    sent: since(sentAt),
    firstByte: since(firstByteAt),
    ended: now - origin,
  };
}
