import undici from './undici.js';

/** How bytes travel; the first is the default. */
export const TRANSPORTS = [undici];
