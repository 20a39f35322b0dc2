import { counted, ms } from './numbers.js';

/**
 * @import { AddressFigures } from '../measure/types.js'
 * @import { Result } from './types.js'
 *
 * @typedef {object} AddressRow
 * @property {string} name and port
 * @property {string} address
 * @property {string} figures in words
 * @property {boolean} hasFailed an attempt to connect
 */

const MOST_SHOWN = 10;

/**
 * Where the requests of a name with several addresses went.
 *
 * @param {Pick<Result, 'requests'>} result
 * @returns {{ rows: AddressRow[], more: string }} more: words about those that are left out; empty if there are none
 */
export function addressRows({ requests: { addresses = [] } }) {
  const more = addresses.length - MOST_SHOWN;
  return {
    rows: addresses.slice(0, MOST_SHOWN).map((one) => ({
      name: one.name,
      address: one.address,
      figures: figuresOf(one),
      hasFailed: one.failed > 0,
    })),
    more: more > 0 ? `${more} more addresses in the result (requests.addresses)` : '',
  };
}

/** @type {(one: AddressFigures) => string} */
function figuresOf({ connections, failed, requests, time, error }) {
  const attempts = failed > 0 ? [`${counted(failed, 'failed attempt')} to connect (${error})`] : [];
  if (connections === 0)
    return [...attempts, failed > 0 ? 'not used' : 'not used: fewer connections than addresses'].join(', ');
  const mean = requests > 0 ? [`mean ${ms(time / requests)} ms`] : [];
  return [counted(connections, 'connection'), counted(requests, 'request'), ...mean, ...attempts].join(', ');
}
