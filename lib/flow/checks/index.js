import body from './body.js';

/** @import { CheckEntry } from './types.js' */

/**
 * The properties of `expect`: what the response of an operation must be.
 * @type {CheckEntry[]}
 */
export const CHECKS = [body];
