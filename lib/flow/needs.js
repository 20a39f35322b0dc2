/** @import { Needs } from '../transport/types.js' */

/**
 * The parts of a response that several readers need: each includes those before it.
 *
 * @param {Needs[]} all
 * @returns {Needs}
 */
export function mostOf(all) {
  if (all.includes('body')) return 'body';
  return all.includes('head') ? 'head' : 'status';
}
