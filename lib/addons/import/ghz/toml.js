/** A key, its sign, and a value in one line, which may be followed by a comment. */
const PAIR = /^(?:"([^"]+)"|'([^']+)'|([\w-]+))\s*=\s*(.+)$/;
const STRING = /"(?:[^"\\]|\\.)*"|'[^']*'/;

/**
 * Reads the TOML that ghz uses: tables, and keys with a text, a number, a boolean or a list; undefined: it has others.
 * @type {(text: string) => Record<string, any> | undefined}
 */
export function tomlIn(text) {
  /** @type {Record<string, any>} */
  const root = Object.create(null);
  let table = root;
  for (const whole of text.split(/\r?\n/)) {
    const line = whole.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, name] = /^\[([\w.-]+)\]\s*(?:#.*)?$/.exec(line) ?? [];
    if (name !== undefined) {
      table = name.split('.').reduce((at, part) => (at[part] ??= Object.create(null)), root);
      continue;
    }
    const [, quoted, literal, bare, written] = PAIR.exec(line) ?? [];
    const value = written === undefined ? undefined : valueIn(written);
    if (value === undefined) return undefined;
    table[quoted ?? literal ?? bare] = value;
  }
  return JSON.parse(JSON.stringify(root));
}

/** A value of TOML as JSON has it: texts in single quotes have no escapes. @type {(written: string) => any} */
function valueIn(written) {
  const bare = written.replace(new RegExp(`(${STRING.source})|#.*$`, 'g'), (_, text) =>
    text === undefined ? '' : text.startsWith("'") ? JSON.stringify(text.slice(1, -1)) : text,
  );
  try {
    return JSON.parse(bare.replace(/,\s*\]/g, ']').replace(/(?<=\d)_(?=\d)/g, ''));
  } catch {
    return undefined;
  }
}
