import argument from './argument.js';
import iterationIndex from './iteration-index.js';

/** @import { TokenEntry } from './types.js' */

/**
 * The tokens that a flow can use as `#{name}` or `#<name>`.
 * @type {TokenEntry[]}
 */
export const TOKENS = [iterationIndex, argument];
