import { usesWebSockets } from '../../flow/origins.js';

/**
 * @import { TransportEntry } from '../../transport/types.js'
 * @import { LoadPlan } from '../plan.js'
 */

/**
 * Loads the HTTP client of a plan, and the client of WebSockets if the flow has any.
 *
 * @param {Pick<LoadPlan, 'flow' | 'transport'>} plan
 * @returns {Promise<Awaited<ReturnType<TransportEntry['load']>>['open']>}
 */
export async function loadTransport({ flow, transport }) {
  const { open } = await transport.load();
  if (!usesWebSockets(flow)) return open;
  const { withWebSockets } = await import('../../transport/ws/index.js');
  return withWebSockets(open);
}
