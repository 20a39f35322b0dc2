/** Substitutions in substitutions: a deeper one is left to the shell. */
export const MOST_LEVELS = 20;
/** @type {Record<string, string>} */
const CLOSING = { '$(': ')', '${': '}', '`': '`' };
/**
 * The next piece that decides where a substitution ends: a quote, a bracket, or the end of the text (empty). A bracket
 * in an escaped character, `'…'` or a here-document (`<<EOF` to the line `EOF`) closes nothing: each is one piece.
 */
const PIECE = /\\[^]|'[^']*'|<<-?[ \t]*(["']?)(\w+)\1[^]*?\n[ \t]*\2[ \t]*(?=\n|\)|$)|["`(){}]|$/g;

/**
 * Returns the substitution that begins at an index: `$(…)`, `${…}` or `` `…` ``. `script` is that of a command in it.
 * @type {(text: string, start: number) => { text: string, script?: string }}
 */
export function substitutionAt(text, start) {
  const open = text[start] === '`' ? '`' : text.slice(start, start + 2);
  const whole = text.slice(start, endOfSubstitution(text, start + open.length, CLOSING[open]));
  const isCommand = open !== '${' && !whole.startsWith('$((');
  return isCommand ? { text: whole, script: whole.slice(open.length, -1) } : { text: whole };
}

/**
 * Returns the index behind the end of a substitution. `level` counts the substitutions around it that are in quotes.
 * @type {(text: string, from: number, close: string, level?: number) => number}
 */
function endOfSubstitution(text, from, close, level = 0) {
  let at = from;
  for (let depth = 1; at < text.length && level <= MOST_LEVELS;) {
    PIECE.lastIndex = at;
    const found = /** @type {RegExpExecArray} */ (PIECE.exec(text));
    const [piece] = found;
    at = found.index + piece.length;
    if (piece === '') return text.length;
    if (piece === close && --depth === 0) return at;
    if (piece === '"' && close !== '`') at = endOfQuoted(text, at, level);
    else if ((piece === '(' && close === ')') || (piece === '{' && close === '}')) depth++;
  }
  return text.length;
}

/** Returns the index behind a closing quote. @type {(text: string, from: number, level: number) => number} */
function endOfQuoted(text, from, level) {
  for (let at = from; at < text.length;) {
    if (text[at] === '"') return at + 1;
    if (text[at] === '\\') at += 2;
    else if (text.startsWith('$(', at)) at = endOfSubstitution(text, at + 2, ')', level + 1);
    else at++;
  }
  return text.length;
}
