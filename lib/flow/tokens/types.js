/**
 * @import { Scope } from '../types.js'
 *
 * @typedef {object} TokenEntry
 * @property {string} name the first word of `#{name}`
 * @property {string} about one sentence for help and documents
 * @property {string} [usage] how to write it, if that is more than its name: `randomInt(from,to)`
 * @property {(use: TokenUse, refuse: (reason: string) => void) => string | ((scope: Scope) => string)} compile called once for each
 *   place that uses the token: constant text, or a function of the iteration; calls refuse for a malformed use
 *
 * @typedef {object} TokenUse a token as the user wrote it: `#{name.member(argument)}`
 * @property {string} name
 * @property {string} [member] after the first dot
 * @property {string} [argument] between the parentheses
 */
export {};
