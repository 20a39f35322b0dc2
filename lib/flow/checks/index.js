import body from './body.js';
import headers from './headers.js';
import json from './json.js';
import schema from './schema.js';
import status from './status.js';
import text from './text.js';
import within from './within.js';

/** @import { Check, NamedCheck } from '../../contracts/expectation.js' */
/** @import { Needs } from '../../contracts/response.js' */

/** The properties of `expect`: what the response of an operation must be. @type {CheckEntry[]} */
export const CHECKS = [status, headers, json, schema, text, body, within];

/**
 * @typedef {(text: string, place?: import('../written-value.js').ValuePlace, at?: string) => string} MarkPart at: the
 *   part of the argument, as in {@link CheckPart}
 *
 * @typedef {object} CheckContext what the argument of an entry is compiled with
 * @property {MarkPart} mark replaces tokens by marks
 * @property {(reason: string, at?: string) => void} complain reports an invalid argument
 * @property {string} [folder] of relative paths of files; default: the working directory
 *
 * @typedef {object} CheckPart
 * @property {string} name in results, unless the user gives one: `status 201`
 * @property {string} [at] the part of the argument: `["$.owner"]`
 * @property {Check} check
 *
 * @typedef {object} CheckEntry a property of `expect`
 * @property {string} name of the property
 * @property {string} about a phrase for the schema and documents
 * @property {Needs} reads the parts of the response that it reads
 * @property {string} type in TypeScript, of `lib/contracts/flows.d.ts`
 * @property {Record<string, unknown>} schema JSON Schema
 * @property {(value: any) => boolean} check of its argument
 * @property {string} expected completes "expected …, got …"
 * @property {(value: any) => Refusal[]} [refuse] says more than `expected` about a value that passes `check`
 * @property {(argument: any, context: CheckContext) => CheckPart[]} compile
 *
 * @typedef {{ at?: string, reason: string }} Refusal at: the part of the argument that is
 *   refused, as in {@link CheckPart}
 *
 * @typedef {object} Expect `expect` of an operation, compiled
 * @property {NamedCheck[]} checks
 * @property {Needs[]} reads
 * @property {((status: number) => boolean) | null} acceptsStatus which statuses of 400 or more are no error; null:
 *   none of them
 */
