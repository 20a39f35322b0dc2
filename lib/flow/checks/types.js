/**
 * @import { Needs, Response } from '../../transport/types.js'
 * @import { Scope } from '../types.js'
 *
 * @typedef {object} Mismatch texts for a message, shortened and without secrets
 * @property {string} expected
 * @property {string} received
 *
 * @typedef {(response: Response, scope: Scope) => Mismatch | null} Check null if the response is as expected
 *
 * @typedef {object} CheckContext
 * @property {(text: string, key: string) => string} mark replaces tokens by marks
 * @property {(key: string, reason: string) => void} complain reports an invalid argument
 *
 * @typedef {object} CheckEntry a property of `expect`
 * @property {string} name of the property
 * @property {string} about a phrase for the schema and documents
 * @property {Needs} reads the parts of the response that it reads
 * @property {string} type in TypeScript, of `lib/public-types.js`
 * @property {Record<string, unknown>} schema JSON Schema
 * @property {(value: any) => boolean} check of its argument
 * @property {string} expected completes "expected …, got …"
 * @property {(argument: any, context: CheckContext) => Check} compile
 *
 * @typedef {object} NamedCheck
 * @property {string} where `flow.main[0].expect.body`
 * @property {Check} check
 */
export {};
