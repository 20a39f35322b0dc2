import { CONSTANTS } from './constants.js';
import iterationIndex from './iteration-index.js';
import { RANDOM } from './random.js';
import { TIME } from './time.js';

/** @import { TokenEntry } from './types.js' */

/**
 * The tokens that a flow can use as `#{name}` or `#<name>`.
 * @type {TokenEntry[]}
 */
export const TOKENS = [iterationIndex, ...CONSTANTS, ...RANDOM, ...TIME];
