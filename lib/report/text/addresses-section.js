import { counted, ms } from '../numbers.js';
import { wrapped } from './layout.js';

/** @import { AddressFigures } from '../../measure/types.js' */

const MOST_SHOWN = 10;

/** Where the requests of a name with several addresses went. @type {import('./index.js').Section} */
export function addressesSection({ requests: { addresses = [] } }, { paint, width }) {
  const shown = addresses.slice(0, MOST_SHOWN);
  const more = addresses.length - shown.length;
  const size = Math.max(0, ...shown.map(({ address }) => address.length));
  const lines = shown.map((one, i) => {
    const heading = one.name === shown[i - 1]?.name ? [] : [paint('bold', `addresses of ${one.name}`)];
    const text = wrapped(`  ${one.address.padEnd(size)}  ${figures(one)}`, 4 + size, width);
    return [...heading, one.failed > 0 ? paint('yellow', text) : text];
  });
  return [...lines.flat(), ...(more > 0 ? [`  ${more} more addresses in the result (requests.addresses)`] : [])];
}

/** @type {(one: AddressFigures) => string} */
function figures({ connections, failed, requests, time, error }) {
  const attempts = failed > 0 ? [`${counted(failed, 'failed attempt')} to connect (${error})`] : [];
  if (connections === 0)
    return [...attempts, failed > 0 ? 'not used' : 'not used: fewer connections than addresses'].join(', ');
  const mean = requests > 0 ? [`mean ${ms(time / requests)} ms`] : [];
  return [counted(connections, 'connection'), counted(requests, 'request'), ...mean, ...attempts].join(', ');
}
