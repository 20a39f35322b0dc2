import { isUtf8 } from 'node:buffer';

/**
 * @typedef {object} ShellCommand a simple command of a POSIX shell
 * @property {string[]} words unquoted; variables are marked, see {@link withTokens}
 * @property {string} [input] its standard input, from a here-document
 * @property {number} line from 1
 * @property {string[]} problems why it cannot be understood
 */

/**
 * Characters around the name of a variable: Unicode has no characters there, and the text of a source never has them.
 */
const [OPEN, CLOSE] = ['\ufdd0', '\ufdd1'];
const MARKS = /[\ufdd0\ufdd1]/g;
const VARIABLE = /\ufdd0(\w+)\ufdd1/g;

/** Writes the variables of a word as tokens: `#{env.NAME}`. @type {(text: string) => string} */
export function withTokens(text) {
  return text.replace(VARIABLE, '#{env.$1}');
}

/** Writes a variable in a word. @type {(name: string) => string} */
export function variableIn(name) {
  return `${OPEN}${name}${CLOSE}`;
}

/**
 * Reads the commands of a script as a POSIX shell does: quotes, `$'…'`, line continuations, comments, here-documents,
 * and variables that the script assigns. Nothing is executed: other variables become tokens of the environment, and a
 * command with `$(…)` has a problem.
 * @type {(text: string) => ShellCommand[]}
 */
export function readCommands(text) {
  return new ShellReader(text.replace(MARKS, '\ufffd').replace(/\r\n?/g, '\n')).commands();
}

const OPERATORS = /(?:&&|\|\||;;|[;|&\n()])/y;
const REDIRECT = /(?:\d*|&)(?:<<<|<<-?|>>|>\||[<>]&?)/y;
/** A backslash in front of a line end continues the line; spaces between them are a slip that no one means. */
const BLANK = /(?:[^\S\n]|\\[ \t]*\n)+/y;
const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;
const PLAIN = /[^\s\\'"$`;|&()<>]+/y;
/** Words of a shell in front of a command. */
const PREFIXES = ['$', 'export', 'time', 'sudo', 'exec', 'command', 'then', 'do', 'else', '!', '{'];

class ShellReader {
  #text;
  #at = 0;
  #counted = { at: 0, line: 1 };
  /** @type {Map<string, string>} */
  #assigned = new Map();
  /** @type {{ delimiter: string, isQuoted: boolean, isIndented: boolean, command: ShellCommand }[]} */
  #documents = [];
  /** @type {string[]} of the command */
  #problems = [];

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @type {() => ShellCommand[]} */
  commands() {
    /** @type {ShellCommand[]} */
    const all = [];
    while (this.#at < this.#text.length) {
      const command = this.#command();
      if (command.words.length > 0 || command.problems.length > 0) all.push(command);
    }
    return all;
  }

  /** @type {() => ShellCommand} */
  #command() {
    this.#problems = [];
    /** @type {ShellCommand} */
    const command = { words: [], line: 0, problems: this.#problems };
    for (;;) {
      this.#match(BLANK);
      if (this.#at >= this.#text.length) break;
      if (this.#text[this.#at] === '#') this.#skipLine();
      const operator = this.#match(OPERATORS);
      if (operator !== undefined) {
        if (operator === '\n') this.#readDocuments();
        break;
      }
      if (this.#at >= this.#text.length) break;
      command.line ||= this.#line();
      if (!this.#redirect(command)) this.#addWord(command, this.#word());
    }
    return command;
  }

  /** @type {(command: ShellCommand, word: string) => void} */
  #addWord({ words }, word) {
    const assignment = words.length === 0 ? ASSIGNMENT.exec(word) : null;
    if (assignment) this.#assigned.set(assignment[1], assignment[2]);
    else if (words.length > 0 || !PREFIXES.includes(word)) words.push(word);
  }

  /** Reads a redirection, which is of the shell. @type {(command: ShellCommand) => boolean} */
  #redirect(command) {
    const operator = this.#match(REDIRECT)?.replace(/^[\d&]+/, '');
    if (operator === undefined) return false;
    this.#match(BLANK);
    const start = this.#at;
    const word = this.#word();
    if (operator === '<<<') command.input = `${word}\n`;
    else if (operator.startsWith('<<')) {
      const isQuoted = /['"\\]/.test(this.#text.slice(start, this.#at));
      this.#documents.push({ delimiter: word, isQuoted, isIndented: operator === '<<-', command });
    } else if (operator === '<')
      this.#problems.push(`reads its standard input from ${word}: name the file in -d @${word}`);
    return true;
  }

  /** Reads the here-documents after the line that named them. */
  #readDocuments() {
    for (const { delimiter, isQuoted, isIndented, command } of this.#documents) {
      const lines = [];
      while (this.#at < this.#text.length) {
        const line = this.#skipLine();
        this.#at++;
        const own = isIndented ? line.replace(/^\t+/, '') : line;
        if (own === delimiter) break;
        lines.push(own);
      }
      const text = lines.map((line) => `${line}\n`).join('');
      command.input = isQuoted ? text : this.#expanded(text, command.problems);
    }
    this.#documents = [];
  }

  /** @type {(text: string, problems: string[]) => string} */
  #expanded(text, problems) {
    const reader = new ShellReader(text);
    reader.#assigned = this.#assigned;
    reader.#problems = problems;
    return reader.#quotedText('');
  }

  /** Reads a word, which may be empty in front of an operator. @type {() => string} */
  #word() {
    let word = '';
    for (;;) {
      const char = this.#text[this.#at];
      const next = this.#text[this.#at + 1];
      if (char === "'") word += this.#singleQuoted();
      else if (char === '"' || (char === '$' && next === '"')) {
        this.#at += char === '"' ? 1 : 2;
        word += this.#quotedText('"');
      } else if (char === '$' && next === "'") word += this.#ansiQuoted();
      else if (char === '$' || char === '`') word += this.#expansion();
      else if (char === '\\') {
        word += next === '\n' ? '' : (next ?? '');
        this.#at += 2;
      } else {
        const plain = this.#match(PLAIN);
        if (plain === undefined) return word;
        word += plain;
      }
    }
  }

  /** @type {() => string} */
  #singleQuoted() {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end < 0) this.#problems.push(`line ${this.#line()}: a ' has no end`);
    const text = this.#text.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end + 1;
    return text;
  }

  /** Reads text up to a double quote, or the end (`''`). @type {(end: string) => string} */
  #quotedText(end) {
    const line = this.#line();
    let text = '';
    for (; this.#at < this.#text.length;) {
      const char = this.#text[this.#at];
      if (char === end) {
        this.#at++;
        return text;
      }
      if (char === '\\') {
        const next = this.#text[this.#at + 1] ?? '';
        const isEscape = next === '\n' || '$`\\'.includes(next) || next === end;
        text += isEscape ? next.replace('\n', '') : char + next;
        this.#at += 2;
      } else if (char === '$' || char === '`') text += this.#expansion();
      else {
        text += char;
        this.#at++;
      }
    }
    if (end !== '') this.#problems.push(`line ${line}: a ${end} has no end`);
    return text;
  }

  /** Reads `$NAME`, `${NAME}` and what a shell would compute. @type {() => string} */
  #expansion() {
    const variable = this.#match(/\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::?[-=?+][^{}]*)?\})/y);
    if (variable !== undefined) return this.#valueOf(variable.replace(/^\$\{?(\w+).*$/s, '$1'));
    if (
      this.#text.startsWith('$(', this.#at) ||
      this.#text[this.#at] === '`' ||
      this.#text.startsWith('${', this.#at)
    ) {
      const line = this.#line();
      const whole = this.#substitution();
      this.#problems.push(
        `line ${line}: ${whole} is computed by the shell: write its value, or a variable such as $TOKEN`,
      );
      return whole;
    }
    this.#at++;
    return '$';
  }

  /** @type {(name: string) => string} */
  #valueOf(name) {
    return this.#assigned.get(name) ?? variableIn(name);
  }

  /** Skips `$(…)`, `${…}` or `` `…` ``. @type {() => string} */
  #substitution() {
    const start = this.#at;
    if (this.#text[start] === '`') {
      const end = this.#text.indexOf('`', start + 1);
      this.#at = end < 0 ? this.#text.length : end + 1;
      return this.#text.slice(start, this.#at);
    }
    const [open, close] = this.#text[start + 1] === '(' ? ['(', ')'] : ['{', '}'];
    let depth = 0;
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      if (this.#text[this.#at] === open) depth++;
      else if (this.#text[this.#at] === close && --depth === 0) break;
    }
    this.#at++;
    return this.#text.slice(start, this.#at);
  }

  /** Reads `$'…'` with the escapes of bash. @type {() => string} */
  #ansiQuoted() {
    const quoted = this.#match(/\$'((?:[^'\\]|\\[^])*)'/y);
    if (quoted === undefined) {
      this.#problems.push(`line ${this.#line()}: a $' has no end`);
      const rest = this.#text.slice(this.#at + 2);
      this.#at = this.#text.length;
      return rest;
    }
    const bytes = unescaped(quoted.slice(2, -1));
    if (!isUtf8(bytes))
      this.#problems.push(
        `line ${this.#line()}: ${quoted.slice(0, 60)} is not text: name a file in --data-binary @file`,
      );
    return bytes.toString();
  }

  /** @type {(pattern: RegExp) => string | undefined} */
  #match(pattern) {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** Skips the rest of the line, without its end. @type {() => string} */
  #skipLine() {
    const end = this.#text.indexOf('\n', this.#at);
    const line = this.#text.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end;
    return line;
  }

  /** Counts the lines up to here, from where it counted last. @type {() => number} */
  #line() {
    for (; this.#counted.at < this.#at; this.#counted.at++)
      if (this.#text[this.#counted.at] === '\n') this.#counted.line++;
    return this.#counted.line;
  }
}

/** @type {Record<string, string>} */
const ESCAPES = { a: '\u0007', b: '\b', e: '\u001b', E: '\u001b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const ESCAPE =
  /\\(?:u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|c([^])|([^]))/g;

/** Bytes above 0x7f, as \x and octal escapes write them, are UTF-8 together. @type {(text: string) => Buffer} */
function unescaped(text) {
  /** @type {Buffer[]} */
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const [whole, high, low, hex, short, long, octal, control, char] = match;
    parts.push(Buffer.from(text.slice(from, match.index)));
    from = match.index + whole.length;
    if (high !== undefined) parts.push(Buffer.from(String.fromCharCode(parseInt(high, 16), parseInt(low, 16))));
    else if (hex !== undefined) parts.push(Buffer.from([parseInt(hex, 16)]));
    else if (octal !== undefined) parts.push(Buffer.from([parseInt(octal, 8) & 0xff]));
    else if (control !== undefined) parts.push(Buffer.from([control.charCodeAt(0) & 0x1f]));
    else if (char !== undefined) parts.push(Buffer.from(ESCAPES[char] ?? (/['"\\?]/.test(char) ? char : whole)));
    else {
      const point = parseInt(short ?? long, 16);
      parts.push(Buffer.from(point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'));
    }
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(from))]);
}
