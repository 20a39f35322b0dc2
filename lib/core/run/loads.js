import { offered } from '../ground/addons.js';

/** @import { LoadsEntry, LoadsModule } from './types.js' */

/** @type {LoadsEntry | undefined} */
const ENTRY = offered('loads')[0];

/** Reports whether a run can have several loads. */
export const HAS_SEVERAL = ENTRY !== undefined;

/** Returns what a run with several loads needs: most runs have one. @type {() => LoadsModule} */
export const severalLoads = () => /** @type {LoadsEntry} */ (ENTRY).load();
