/** @import { Timings } from './types.js' */

/** Where nobody wants to know how long things took. @type {Timings} */
export const UNTIMED = { connect() {}, tls() {}, ttfb() {} };
