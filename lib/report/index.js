import json from './json.js';
import object from './object.js';

/** @import { Reporter } from './types.js' */

/** How a result is shown. @type {Reporter[]} */
export const REPORTERS = [object, json];
