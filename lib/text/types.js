/**
 * @typedef {object} Fault the first error in a text
 * @property {number} offset in UTF-16 units
 * @property {string} reason
 *
 * @typedef {object} Position of a character in a text
 * @property {number} line from 1
 * @property {number} column from 1
 * @property {string} code the line
 */
export {};
