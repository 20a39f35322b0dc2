// Prints the words of $TEXT, each followed by NUL: split at white space, with the quotes and backslashes of a shell (POSIX
// 2.2), and without its expansions and comments. Exits with 1 if a quote is not closed.

const SPACE = /(?:[ \t\r\n]|\\\n)*/y;
const WORD = /(?:[^ \t\r\n'"\\]|\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*")+/y;
const PART = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|[^'"\\]+/g;

const text = process.env.TEXT ?? '';
for (let at = endOf(SPACE, 0); at < text.length; at = endOf(SPACE, at)) {
  const end = endOf(WORD, at);
  if (end === at) process.exit(1);
  process.stdout.write(`${wordOf(text.slice(at, end))}\0`);
  at = end;
}

/** Where a match ends that begins at an index; the index itself if there is none. @type {(pattern: RegExp, from: number) => number} */
function endOf(pattern, from) {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** @type {(written: string) => string} */
function wordOf(written) {
  return written.replace(PART, (plain, single, double, escaped) => {
    if (single !== undefined) return single;
    if (double !== undefined) return double.replace(/\\(?:([$`"\\])|\n)/g, '$1');
    return escaped === undefined ? plain : escaped.replace('\n', '');
  });
}
