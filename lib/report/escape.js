// C0, DEL and C1 controls, line separators, and the marks that turn the direction of text (Unicode TR 36)
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Text of a server or a flow, safe to show in a terminal: what could move the cursor or hide something is spelled out.
 *
 * @param {string} text
 * @returns {string} of one line
 */
export function escapeText(text) {
  return text.replace(UNSAFE, (char) => NAMED[char] ?? spelled(char.charCodeAt(0)));
}

/** The same for the text of a JSON document, which stays what it is. @type {(json: string) => string} */
export function escapeJson(json) {
  return json.replace(UNSAFE, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** @type {Record<string, string>} */
const NAMED = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** @type {(code: number) => string} */
function spelled(code) {
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
