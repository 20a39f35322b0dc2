import { addressRows } from '../address-rows.js';
import { wrapped } from './layout.js';

/** Where the requests of a name with several addresses went. @type {import('./index.js').Section} */
export function addressesSection(result, { paint, width }) {
  const { rows, more } = addressRows(result);
  const size = Math.max(0, ...rows.map(({ address }) => address.length));
  const lines = rows.flatMap(({ name, address, figures, hasFailed }, i) => {
    const heading = name === rows[i - 1]?.name ? [] : [paint('bold', `addresses of ${name}`)];
    const text = wrapped(`  ${address.padEnd(size)}  ${figures}`, 4 + size, width);
    return [...heading, hasFailed ? paint('yellow', text) : text];
  });
  return [...lines, ...(more ? [`  ${more}`] : [])];
}
