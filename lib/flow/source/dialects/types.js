/**
 * @import { Problems } from '../../../problems.js'
 *
 * @typedef {object} Dialect a kind of document in JSON or YAML that is not a flow
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {(value: any) => boolean} recognizes decides by a marker of the format, never true for a flow
 * @property {(value: any, problems: Problems) => unknown} toFlow the raw flow; adds a problem for each part it cannot translate
 */
export {};
