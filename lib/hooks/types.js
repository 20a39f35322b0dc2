/**
 * @import { All } from '../iteration/all.js'
 * @import { Needs } from '../transport/types.js'
 *
 * @typedef {object} HookEntry
 * @property {string} name as flows write it
 * @property {string} about one sentence for help
 * @property {Needs} [reads] the parts of the response that the hook reads; default: `body`, which is everything
 * @property {(operation: { phase: string, opIndex: number, scenario?: string }) => string} [timer] the name of a
 *   timer that it records
 * @property {Hook} hook
 *
 * @typedef {(all: All, next?: (error?: unknown) => void) => (All | void | Promise<All | void>)} Hook next: called
 *   when it has ended
 */
export {};
