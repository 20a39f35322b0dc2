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
