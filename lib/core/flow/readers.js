import { offered } from '../ground/addons.js';

/** @import { Offered } from '../ground/types.js' */
/** @import { ReaderEntry } from './types.js' */

/** @type {Offered<ReaderEntry>[]} */
const OFFERED = offered('readers');

/** The readers of bodies as they arrive: an operation chooses one by its property. @type {ReaderEntry[]} */
export const READERS = OFFERED.map(({ load }) => load());
