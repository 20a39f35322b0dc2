/**
 * @import { Received } from '../checks/types.js'
 * @import { Needs } from '../../transport/types.js'
 *
 * @typedef {object} CaptureEntry a place of a response from which a value can be captured
 * @property {string} name of the property: `{ header: 'etag' }`
 * @property {string} about a phrase for the schema and documents
 * @property {Needs} reads the part of the response
 * @property {boolean} hasMessages the messages of a WebSocket have such a place
 * @property {string} type in TypeScript, of `lib/public-types.js`
 * @property {Record<string, unknown>} schema JSON Schema
 * @property {(argument: any) => boolean} check
 * @property {string} expected completes "expected …, got …"
 * @property {(argument: any) => Source} compile
 * @throws {Error} whose message explains what is wrong with the argument
 *
 * @typedef {object} Source
 * @property {(received: Received) => unknown} read the value; undefined if the response has none
 * @property {(received: Received) => string} explain why it has none: completes a sentence
 *
 * @typedef {object} Capture a value that an operation captures
 * @property {string} name
 * @property {string} where `flow.main[0].capture.id`
 * @property {Source['read']} read
 * @property {Source['explain']} explain
 * @property {{ value: unknown } | null} fallback
 */
export {};
