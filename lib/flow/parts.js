import { asPhases } from './normalize.js';

/**
 * Code that only some flows need. It is loaded before such a flow is compiled, so that other starts do not pay for it.
 *
 * @typedef {object} Parts
 * @property {typeof import('./data/open-feeders.js').openFeeders} [openFeeders]
 */

/**
 * @param {unknown} raw flow
 * @returns {boolean}
 */
export function needsParts(raw) {
  return asPhases(raw).data !== undefined;
}

/**
 * @param {unknown} raw flow
 * @returns {Promise<Parts>}
 */
export async function loadParts(raw) {
  if (!needsParts(raw)) return {};
  const { openFeeders } = await import('./data/open-feeders.js');
  return { openFeeders };
}
