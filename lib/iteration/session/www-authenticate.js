/**
 * @typedef {object} Challenge
 * @property {string} scheme in lower case
 * @property {Record<string, string>} parameters names in lower case
 */

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
/** a scheme, or a parameter with its value */
const PART = new RegExp(`(${TOKEN})(?:[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+)))?`, 'g');

/**
 * Reads a WWW-Authenticate field (RFC 9110 11.6.1): challenges, each with parameters, all separated by commas.
 *
 * @param {string} field several fields joined by commas
 * @returns {Challenge[]}
 */
export function readChallenges(field) {
  /** @type {Challenge[]} */
  const all = [];
  for (const [, name, quoted, plain] of field.matchAll(PART)) {
    const value = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1');
    if (value === undefined) all.push({ scheme: name.toLowerCase(), parameters: Object.create(null) });
    else if (all.length > 0) all[all.length - 1].parameters[name.toLowerCase()] = value;
  }
  return all;
}
