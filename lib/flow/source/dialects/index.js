import har from './har.js';
import { artillery, insomnia, openapi, postman } from './imported.js';
import { savedResult } from './saved-result.js';

/** @import { Dialect } from '../types.js' */

/** The documents that are recognized in JSON and YAML; the first that recognizes one reads it. @type {Dialect[]} */
export const DIALECTS = [savedResult, har, openapi, postman, insomnia, artillery];
