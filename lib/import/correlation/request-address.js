import { Leaf } from './leaf.js';
import { decodePercent } from '../../text/decode.js';

/** @import { RequestPart } from './types.js' */

/** @typedef {{ leaf: Leaf, raw: string }} AddressPart */

/**
 * Reads the URL of a request: each segment of its path and each parameter is a value. The written URL is relative to
 * the origin of the flow, if it has this origin.
 * @type {(url: URL, origin: string) => RequestPart<string>}
 */
export function readAddress(url, origin) {
  const segments = url.pathname.split('/').map((raw, i, all) => ({
    raw,
    leaf: new Leaf({
      place: 'path',
      name: i > 1 ? decodePercent(all[i - 1]) : '',
      label: 'the path',
      value: decodePercent(raw),
    }),
  }));
  const pairs = url.search.length > 1 ? url.search.slice(1).split('&').map(readPair) : [];
  return {
    leaves: [...segments, ...pairs.flatMap(({ value }) => value ?? [])].map(({ leaf }) => leaf),
    written() {
      const path = segments.map(written).join('/');
      const query = pairs.map(({ name, value }) => (value ? `${name}=${written(value)}` : name)).join('&');
      const start = url.origin === origin ? '' : url.origin;
      // A path that begins with // would be a host.
      const dot = start === '' && path.startsWith('//') ? '/.' : '';
      return `${start}${dot}${path}${query === '' ? '' : `?${query}`}`;
    },
  };
}

/** @type {(pair: string) => { name: string, value: AddressPart | null }} */
function readPair(pair) {
  const at = pair.indexOf('=');
  if (at < 0) return { name: pair, value: null };
  const name = pair.slice(0, at);
  const raw = pair.slice(at + 1);
  const shown = decodePercent(name.replaceAll('+', ' '));
  const value = decodePercent(raw.replaceAll('+', ' '));
  const leaf = new Leaf({ place: 'query', name: shown, label: `the query parameter ${shown}`, value });
  return { name, value: { raw, leaf } };
}

/** Without a token it keeps the encoding of its client. @type {(part: AddressPart) => string} */
function written({ leaf, raw }) {
  return leaf.isReplaced ? leaf.written(encodeURIComponent) : raw;
}
