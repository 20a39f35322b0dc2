import har from './har.js';
import { artillery, openapi, postman, savedResult } from './refused.js';

/** @import { Problems } from '../../../ground/problems.js' */

/**
 * The kinds of documents that are recognized in JSON and YAML; the first that recognizes a document reads it.
 * @type {Dialect[]}
 */
export const DIALECTS = [savedResult, har, openapi, postman, artillery];

/**
 * @typedef {object} Dialect a kind of document in JSON or YAML that is not a flow
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {boolean} [isRecording] its flow depends on {@link RecordingOptions}
 * @property {(value: any) => boolean} recognizes decides by a marker of the format, never true for a flow
 * @property {(value: any, problems: Problems, context: DialectContext) => unknown} toFlow the raw flow; adds a
 *   problem for each part it cannot translate
 *
 * @typedef {object} DialectContext
 * @property {RecordingOptions} recording
 * @property {(text: string) => void} notice reports the parts of the document that are not in the flow
 *
 * @typedef {object} RecordingOptions run options that decide what of a recording is sent
 * @property {boolean} [cookies] send the recorded cookies
 * @property {boolean} [timing] pause as long as the recording did
 * @property {string} [baseUrl] where its requests are sent
 * @property {string[]} [headers] names of the fields that the run sets
 */
