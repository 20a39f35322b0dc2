import { offered } from '../ground/addons.js';

/** @import { OfferedReader, ReaderEntry } from './types.js' */

/** @type {OfferedReader[]} */
const OFFERED = offered('readers');

/** The readers of bodies as they arrive: an operation chooses one by its property. @type {ReaderEntry[]} */
export const READERS = OFFERED.map(({ load }) => load());
