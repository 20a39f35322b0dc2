import body from './body.js';
import formData from './form-data.js';
import form from './form.js';
import json from './json.js';
import multipart from './multipart.js';

/** @import { Scope } from '../../contracts/step.js' */
/** @import { Complain } from '../../ground/problems.js' */
/** @import { ValuePlace } from '../written-value.js' */

/** The properties of an operation that hold its body. @type {BodyEntry[]} */
export const BODIES = [json, body, form, formData, multipart];

/**
 * @typedef {object} BodyTemplate
 * @property {string | null} contentType
 * @property {Buffer | null | ((scope: Scope) => string | Buffer | null)} content encoded once if no iteration changes
 *   it
 * @property {(scope: Scope) => boolean} [isGiven] false for a request without this body: a function has returned
 *   nothing
 * @property {boolean} [overridesHeaders] `contentType` is sent even if the operation's headers have another one
 * @property {number} [copied] bytes of files and Buffers that every rendered body copies
 *
 * @typedef {object} BodyContext
 * @property {(text: string, key: string, place?: ValuePlace) => string} mark replaces tokens by marks
 * @property {Complain} complain
 * @property {(key: string, reason: string) => never} refuse the same for one request, during the run
 * @property {string} [boundary] of all bodies of the operation; default: a new one
 * @property {number} [maxBytes] of a file
 * @property {string} [folder] of relative paths of files; default: the working directory
 * @property {boolean} [isJson] the operation has `json: true`
 * @property {string} [givenType] Content-Type among the operation's headers
 *
 * @typedef {object} BodyEntry a property of an operation that holds a request body
 * @property {string} name of the property
 * @property {string} about a phrase for the schema and documents
 * @property {string} type in TypeScript, of `lib/contracts/flows.d.ts`
 * @property {(value: any) => boolean} check
 * @property {string} expected completes "expected …, got …"
 * @property {unknown} blank has the content type of every value
 * @property {Record<string, unknown>} schema JSON Schema of the values in JSON and YAML
 * @property {(value: any) => boolean} [sends] false for a value that sends no body; default: all but undefined send one
 * @property {(value: any, context: BodyContext) => BodyTemplate} compile
 */
