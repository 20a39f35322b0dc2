/** @import { Profile, ProfileFunction } from '../profile.js' */

/** In the order of reports. @type {Profile['kind'][]} */
export const PROFILE_KINDS = ['cpu', 'heap'];

/** Bytes between two samples of allocations: the default of V8. */
export const HEAP_INTERVAL = 32_768;

export const PROFILE_UNITS = /** @type {const} */ ({ cpu: 'ms', heap: 'B' });

/** The origins of functions, with their names in reports. @type {Record<ProfileFunction['origin'], string>} */
export const PROFILE_ORIGINS = { own: 'own code', package: 'packages', runtime: 'runtime', native: 'native code' };

/** The most nodes of the call tree of a result: 100 kB of JSON. Calls without one have less than 0.1 % of the time. */
export const MOST_NODES = 5000;
/** The most functions of a result that have no node in its tree. */
export const MOST_OTHER_FRAMES = 200;
