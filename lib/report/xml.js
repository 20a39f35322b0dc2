/**
 * Text for an XML 1.0 document, between quotes too: no markup, no lone surrogates, no noncharacters.
 *
 * @param {string} text without control characters
 * @returns {string}
 */
export function xml(text) {
  return Buffer.from(text)
    .toString()
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
