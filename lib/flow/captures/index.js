import cookie from './cookie.js';
import header from './header.js';
import json from './json.js';
import status from './status.js';
import text from './text.js';

/** @import { CaptureEntry } from './types.js' */

/**
 * The places of a response from which `capture` of an operation takes values.
 * @type {CaptureEntry[]}
 */
export const CAPTURES = [json, header, cookie, status, text];
