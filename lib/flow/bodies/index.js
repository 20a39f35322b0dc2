import body from './body.js';
import form from './form.js';
import formData from './form-data.js';
import json from './json.js';
import multipart from './multipart.js';

/** @import { BodyEntry } from './types.js' */

/**
 * The properties of an operation that hold its body.
 * @type {BodyEntry[]}
 */
export const BODIES = [json, body, form, formData, multipart];
