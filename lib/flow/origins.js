/** @import { CompiledFlow } from './types.js' */

/**
 * The origins that a flow names. Those of tokens and redirects are only known during the run.
 *
 * @param {CompiledFlow} flow
 * @returns {string[]}
 */
export function originsOf(flow) {
  const steps = Object.values(flow).flat();
  return [...new Set(steps.flatMap(({ origin }) => origin ?? []))];
}

/**
 * @param {CompiledFlow} flow
 * @returns {boolean} it has operations of WebSockets
 */
export function usesWebSockets(flow) {
  return socketsOf(flow).length > 0;
}

/**
 * @param {CompiledFlow} flow
 * @returns {number} the connections that its operations name: one for each origin and each WebSocket
 */
export function connectionsOf(flow) {
  return originsOf(flow).length + socketsOf(flow).length;
}

/** @type {(flow: CompiledFlow) => string[]} */
function socketsOf(flow) {
  const steps = Object.values(flow).flat();
  return [...new Set(steps.flatMap(({ webSocket }) => webSocket?.key ?? []))];
}
