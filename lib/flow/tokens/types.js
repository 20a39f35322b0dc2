/**
 * @import { CONVERSIONS } from './token-use.js'
 * @import { Scope } from '../types.js'
 *
 * @typedef {object} TokenEntry one of `compile` and `value`
 * @property {string} name the first word of `#{name}`
 * @property {string} about one sentence for help and documents
 * @property {string} [usage] how to write it, if that is more than its name: `randomInt(from,to)`
 * @property {boolean} [needsIndex] only iterations have it, not `before` and `after`
 * @property {(use: TokenUse, refuse: (reason: string) => void) => string | ((scope: Scope) => string)} [compile] called for each
 *   place that uses the token: constant text, or a function of the iteration; calls refuse for a malformed use. The text is
 *   written as it is into every place
 * @property {(use: TokenUse, context: ValueContext) => (scope: Scope) => unknown} [value] called for each place that uses the
 *   token: a function whose value has a type and is encoded for its place. It is called once for each request of an operation
 *
 * @typedef {object} ValueContext
 * @property {(reason: string) => void} refuse for a malformed use
 * @property {string} where of the operation: `flow.main[0]`
 * @property {number} seed of the run
 *
 * @typedef {object} TokenUse a token as the user wrote it: `#{name.member(argument):conversion}`
 * @property {string} name
 * @property {string} [member] after the first dot
 * @property {string} [argument] between the parentheses
 * @property {typeof CONVERSIONS[number]} [conversion] after the colon
 */
export {};
