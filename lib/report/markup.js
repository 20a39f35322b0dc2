/** Escapes for XML 1.0, quotes too: no markup, lone surrogates, noncharacters. @type {(text: string) => string} */
export function xml(text) {
  return Buffer.from(text)
    .toString()
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Of {@link escaped} cells; the first column is left aligned. @type {(head: string[], rows: string[][]) => string} */
export function table(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** What Markdown or HTML would interpret; `#{INDEX}` stays readable. @type {(text: string) => string} */
export function escaped(text) {
  return text.replace(/[\\`*_[\]<>|!~&@]|#(?!\{)|^[-+=]/g, (char) => `&#${char.charCodeAt(0)};`);
}
