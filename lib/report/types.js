/**
 * @import { Stats } from '../measure/types.js'
 *
 * @typedef {object} Reporter
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {(stats: Stats, look: { colour: boolean }) => string} render
 */
export {};
