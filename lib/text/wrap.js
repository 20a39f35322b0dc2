const NARROWEST = 12;

/**
 * Breaks a text into lines between its words. A word that is too long gets a line of its own.
 * @param {string} text
 * @param {number} indent columns before each line but the first
 * @param {number} width columns of a line
 * @param {(text: string) => number} [widthOf] columns of a text
 * @returns {string}
 */
export function wrapped(text, indent, width, widthOf = ({ length }) => length) {
  const room = Math.max(NARROWEST, width - indent);
  /** @type {string[]} */
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last && widthOf(last) + 1 + widthOf(word) > room) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}
