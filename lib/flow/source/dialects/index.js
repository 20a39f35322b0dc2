import har from './har.js';
import { openapi } from './imported.js';
import { artillery, postman, savedResult } from './refused.js';

/** @import { Dialect } from '../types.js' */

/**
 * The kinds of documents that are recognized in JSON and YAML; the first that recognizes a document reads it.
 * @type {Dialect[]}
 */
export const DIALECTS = [savedResult, har, openapi, postman, artillery];
