/** @import { Profile, ProfileFunction } from '../contracts/profile.js' */

/** In the order of reports. @type {Profile['kind'][]} */
export const PROFILE_KINDS = ['cpu', 'heap'];

/** Bytes between two samples of allocations: the default of V8. */
export const HEAP_INTERVAL = 32_768;

export const PROFILE_UNITS = /** @type {const} */ ({ cpu: 'ms', heap: 'B' });

/** The origins of functions, with their names in reports. @type {Record<ProfileFunction['origin'], string>} */
export const PROFILE_ORIGINS = { own: 'own code', package: 'packages', runtime: 'runtime', native: 'native code' };

/** At most so many nodes has the call tree of a result: 100 kB of JSON. The rest has less than 0.1 % of the time. */
export const MOST_NODES = 5000;
/** At most so many functions are in a result although no node of its tree is one of theirs. */
export const MOST_OTHER_FRAMES = 200;
/** At most so many functions has a result: each node may be one of another function. */
export const MOST_FRAMES = MOST_NODES + MOST_OTHER_FRAMES;
