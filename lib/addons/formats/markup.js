/**
 * Escapes a text for an XML 1.0 document, between quotes too: no markup, no noncharacters, and no lone surrogates,
 * which a `Buffer` replaces. Control characters have to be escaped before.
 * @type {(text: string) => string}
 */
export function xml(text) {
  return Buffer.from(text)
    .toString()
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Cells are escaped already, and no end of line follows. @type {(head: string[], rows: string[][]) => string} */
export function table(head, rows) {
  if (rows.length === 0) return '';
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** Tokens such as `#{INDEX}` remain readable in a text that is not rendered. @type {(text: string) => string} */
export function escaped(text) {
  return text.replace(/[\\`*_[\]<>|!~&@]|#(?!\{)|^[-+=]/g, (char) => `&#${char.charCodeAt(0)};`);
}
