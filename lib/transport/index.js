/** @import { TransportEntry } from './types.js' */

/** How bytes travel; the first is the default. Each is loaded when it is used. @type {TransportEntry[]} */
export const TRANSPORTS = [
  { name: 'wire', about: 'HTTP/1.1 of our own, the fastest', load: () => import('./wire/index.js') },
  { name: 'undici', about: "undici's Client, to check with", load: () => import('./undici/index.js') },
];
