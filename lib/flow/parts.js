/**
 * @import { RawFlow } from './types.js'
 *
 * Code that only some flows need. It is loaded before such a flow is compiled, so that other starts do not pay for it.
 *
 * @typedef {object} Parts
 * @property {typeof import('./data/open-feeders.js').openFeeders} [openFeeders]
 */

/**
 * @param {Pick<RawFlow, 'data'>} flow
 * @returns {boolean}
 */
export function needsParts({ data }) {
  return Object.keys(data).length > 0;
}

/**
 * @param {Pick<RawFlow, 'data'>} flow
 * @returns {Promise<Parts>}
 */
export async function loadParts(flow) {
  if (!needsParts(flow)) return {};
  const { openFeeders } = await import('./data/open-feeders.js');
  return { openFeeders };
}
