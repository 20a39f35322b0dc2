import body from './body.js';
import headers from './headers.js';
import json from './json.js';
import schema from './schema.js';
import status from './status.js';
import text from './text.js';
import within from './within.js';

/** @import { CheckEntry } from './types.js' */

/**
 * The properties of `expect`: what the response of an operation must be.
 * @type {CheckEntry[]}
 */
export const CHECKS = [status, headers, json, schema, text, body, within];
