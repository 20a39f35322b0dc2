/**
 * @typedef {(string | number)[]} Path keys and indexes from the root of a document: `['log', 'entries', 3]`
 *
 * @typedef {object} Wanted a node of the tree of paths
 * @property {number[]} below numbers of the paths that end at this node or below it
 * @property {Map<string | number, Wanted>} children
 */

const SPACE = /[ \t\r\n]*/y;
const STRING = /"[^"\\]*"/y;
const LINE_END = /\r\n|\n|\r/g;

/**
 * Finds the lines and columns (from 1) of values in valid JSON, reading it once. A path that the document lacks has the
 * position of its nearest part.
 * @type {(text: string, paths: Path[]) => { line: number, column: number }[]}
 */
export function positionsOf(text, paths) {
  const offsets = new Scanner(text, paths.length).find(treeOf(paths));
  const order = offsets.map((_, i) => i).sort((a, b) => offsets[a] - offsets[b]);
  /** @type {{ line: number, column: number }[]} */
  const positions = [];
  let line = 1;
  let start = 0;
  LINE_END.lastIndex = 0;
  let end = LINE_END.exec(text);
  for (const i of order) {
    while (end && end.index < offsets[i]) {
      line++;
      start = LINE_END.lastIndex;
      end = LINE_END.exec(text);
    }
    positions[i] = { line, column: offsets[i] - start + 1 };
  }
  return positions;
}

/** @type {(paths: Path[]) => Wanted} */
function treeOf(paths) {
  /** @type {Wanted} */
  const root = { below: [], children: new Map() };
  paths.forEach((path, i) => {
    let node = root;
    node.below.push(i);
    for (const key of path) {
      const child = node.children.get(key) ?? { below: [], children: new Map() };
      node.children.set(key, child);
      node = child;
      node.below.push(i);
    }
  });
  return root;
}

/** Walks through a valid JSON text, down to the wanted values only. */
class Scanner {
  #at = 0;
  #text;
  /** @type {number[]} */
  #offsets;

  /** @param {string} text @param {number} count of paths */
  constructor(text, count) {
    this.#text = text;
    this.#offsets = new Array(count).fill(0);
  }

  /** @type {(root: Wanted) => number[]} */
  find(root) {
    this.#value(root);
    return this.#offsets;
  }

  /** @type {(wanted: Wanted | undefined) => void} */
  #value(wanted) {
    this.#match(SPACE);
    for (const i of wanted?.below ?? []) this.#offsets[i] = this.#at;
    const opening = this.#text[this.#at];
    const children = wanted && wanted.children.size > 0 ? wanted.children : null;
    if (children && opening === '{') this.#members((key) => children.get(key), true);
    else if (children && opening === '[') this.#members((index) => children.get(index), false);
    else this.#skip();
    this.#match(SPACE);
  }

  /** @type {(wantedAt: (key: string | number) => Wanted | undefined, hasKeys: boolean) => void} */
  #members(wantedAt, hasKeys) {
    this.#at++;
    this.#match(SPACE);
    for (let index = 0; this.#text[this.#at] !== '}' && this.#text[this.#at] !== ']'; index++) {
      const key = hasKeys ? this.#key() : index;
      this.#value(wantedAt(key));
      if (this.#text[this.#at] === ',') this.#at++;
      this.#match(SPACE);
    }
    this.#at++;
  }

  /** @type {() => string} */
  #key() {
    const start = this.#at;
    this.#string();
    const key = JSON.parse(this.#text.slice(start, this.#at));
    this.#match(SPACE);
    this.#at++;
    return key;
  }

  /** Passes a value, at any depth. */
  #skip() {
    let depth = 0;
    do {
      const one = this.#text[this.#at];
      if (one === '"') this.#string();
      else this.#at++;
      if (one === '{' || one === '[') depth++;
      else if (one === '}' || one === ']') depth--;
    } while (depth > 0);
    if (!',}] \t\r\n'.includes(this.#text[this.#at] ?? ',')) this.#word();
  }

  /** Passes the rest of a number or a word. */
  #word() {
    while (!',}] \t\r\n'.includes(this.#text[this.#at] ?? ',')) this.#at++;
  }

  #string() {
    if (this.#match(STRING)) return;
    // A text with escapes.
    for (this.#at++; this.#text[this.#at] !== '"'; this.#at++) if (this.#text[this.#at] === '\\') this.#at++;
    this.#at++;
  }

  /** @param {RegExp} pattern */
  #match(pattern) {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}
