const WIDTH = 120;

/**
 * Breaks a text into lines of at most 120 characters.
 *
 * @param {string} text
 * @param {{ first: string, rest: string }} prefixes of the first line and of those after it
 * @returns {string}
 */
export function wrapped(text, { first, rest }) {
  const lines = [first];
  // a type in braces stays on one line
  for (const word of text.match(/\{[^}]*\}+\S*|\S+/g) ?? []) {
    const line = lines[lines.length - 1];
    const isEmpty = line === first || line === rest;
    if (!isEmpty && line.length + 1 + word.length > WIDTH) lines.push(rest + word);
    else lines[lines.length - 1] += isEmpty ? word : ` ${word}`;
  }
  return lines.join('\n');
}

/**
 * A column without a head describes what the first one names.
 * @type {(heads: string[], rows: string[][]) => string}
 */
export function table(heads, rows) {
  return [heads.map((head) => head || 'meaning'), heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

/**
 * A list of names with their meaning, which has fewer marks to read past than a table of two columns.
 * @type {(rows: [name: string, about: string][]) => string}
 */
export function list(rows) {
  return rows.map(([name, about]) => `- ${name}: ${about}\n`).join('');
}

/** @type {(text: string) => string} */
export const code = (text) => `\`${text.replaceAll('|', '\\|')}\``;

/** A type in few words, without the members of its objects: editors and schemas have them. @type {(type: string) => string} */
export function typeText(type) {
  return code(type.replace(/\{ (?:[^{}]|\{[^{}]*\})* \}/g, '{…}').replaceAll(' | ', '|'));
}

/** What documents say of a name with a default. @type {(about: string, value: unknown) => string} */
export function withDefaultOf(about, value) {
  return `${escaped(about)}${value === undefined ? '' : `. Default: ${code(typeof value === 'string' ? value : JSON.stringify(value))}`}`;
}

/** @type {(text: string) => string} */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @type {(text: string) => string} */
export const escaped = (text) => text.replace(/[|<*]/g, '\\$&');

/** @type {(text: string) => string} */
export const cell = (text) => escaped(sentence(text));

/**
 * The text that an editor shows for a property.
 *
 * @param {string} about a phrase
 * @param {unknown} value the default; undefined: none
 * @returns {string} sentences
 */
export function withDefault(about, value) {
  return `${sentence(about)}.${value === undefined ? '' : ` Default: \`${JSON.stringify(value)}\`.`}`;
}
