import { isUtf8 } from 'node:buffer';

import { variableName } from '../environment-names.js';
import { addCapture } from '../variables.js';
import { isCurl, meaningOf, readPipe } from './computed.js';
import { unescaped } from './escapes.js';
import { MARKS, splittable, splitWord, tokenIn, unsplit, variableIn } from './marks.js';
import { MOST_LEVELS, substitutionAt } from './substitution.js';

/**
 * @typedef {object} ShellCommand a simple command of a POSIX shell
 * @property {string[]} words unquoted; variables are marked, see marks.js
 * @property {string} [input] its standard input, from a here-document or a pipe
 * @property {boolean} [isPiped] it reads what the command before it prints
 * @property {boolean} [isShown] it only shows a response
 * @property {string} [variable] the one that it is computed for, of a command without words
 * @property {string[]} problems why it cannot be understood
 * @property {string[]} notes
 * @property {Record<string, any>} captures values of its response that the script stores
 */

/**
 * Reads the commands of a script as a POSIX shell does: quotes, `$'…'`, line continuations, comments, here-documents,
 * pipes, and variables that the script assigns. Nothing is executed: a value that a script takes from a response is
 * captured there, other variables become tokens of the environment, and a command with another `$(…)` has a problem.
 * @type {(text: string) => ShellCommand[]}
 */
export function readCommands(text) {
  const reader = new ShellReader(text.replace(MARKS, '\ufffd').replace(/\r\n?/g, '\n'));
  const all = reader.commands().filter(({ words, problems }) => words.length + problems.length > 0);
  const sent = all.filter(isCurl);
  // A variable that has a whole response is captured only if a request uses it.
  /** @type {(name: string) => boolean} */
  const isUsed = (name) =>
    sent.some(({ words, input = '' }) => `${words.join(' ')} ${input}`.includes(variableIn(name)));
  for (const [name, { captures }] of reader.script.responses) {
    if (!isUsed(name)) continue;
    const token = tokenIn(addCapture(captures, camelCase(name), FIRST_WORD));
    for (const command of sent) {
      command.words = command.words.map((word) => word.replaceAll(variableIn(name), token));
      command.input = command.input?.replaceAll(variableIn(name), token);
    }
  }
  return all.filter(({ variable }) => variable === undefined || isUsed(variable));
}

/**
 * @typedef {object} Script state that the readers of one script share
 * @property {Map<string, string>} values of the variables that it assigns
 * @property {Map<string, ShellCommand>} responses the commands whose whole responses variables have
 * @property {number} left characters to which variables may still be expanded
 */

/** Characters of all expanded variables: a variable may double itself. */
const MOST_EXPANDED = 16 * 1024 * 1024;
/** A variable that has a whole response is used as a text without spaces. */
const FIRST_WORD = { text: '^\\s*(\\S+)' };
const OPERATORS = /(?:&&|\|\||;;|[;|&\n()])/y;
/** `> file`, `2>&1`, `&> file`, `<<EOF`, `<<< text`: without the file or word behind it. */
const REDIRECT = /(?:\d*|&)(?:<<<|<<-?|>>|>\||[<>]&?)/y;
/** A backslash in front of a line end continues the line; spaces between them are a slip that no one means. */
const BLANK = /(?:[^\S\n]|\\[ \t]*\n)+/y;
const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;
const PLAIN = /[^\s\\'"$`;|&()<>]+/y;
/** Words of a shell in front of a command. */
const PREFIXES = new Set([
  ...['$', 'export', 'local', 'readonly', 'time', 'sudo', 'env', 'nohup', 'exec', 'command', '!', '{'],
  ...['if', 'elif', 'then', 'else', 'while', 'until', 'do'],
]);
/** A name that documentation leaves to the reader, without quotes: `/items/<id>`, and not `<in>>out` of a shell. */
const PLACEHOLDER = /<([A-Za-z][\w.-]*)>(?![>&])/y;
/** Characters that programs for texts put in place of quotes and hyphens. */
const TYPOGRAPHIC = /^[\u2013\u2014\u2018-\u201f]|[\u2018-\u201f]$/;

/**
 * Reads a script from left to right: commands, words, and what is in quotes. The script of a `$(…)`, and a text in
 * which a shell expands variables, have readers of their own, which share `script`.
 */
class ShellReader {
  /** @type {Script} */
  script;
  #text;
  /** The number of texts around this one. @type {number} */
  #level;
  #at = 0;
  /** The index up to which lines were counted, and the line there. */
  #counted;
  /**
   * Here-documents that the current line has named.
   * @type {{ delimiter: string, isQuoted: boolean, isIndented: boolean, command: ShellCommand }[]}
   */
  #documents = [];
  /** Those of the command that is being read. @type {string[]} */
  #problems = [];
  /** Commands of `$(…)`: the shell runs them before the command that they are in. @type {ShellCommand[]} */
  #before = [];
  /** The variable that the current word assigns: a captured value gets its name. */
  #hint = '';

  /**
   * @param {string} text
   * @param {number} [line] its first one in the script
   * @param {ShellReader} [outer] the reader of the text around it
   */
  constructor(text, line = 1, outer) {
    this.#text = text;
    this.#counted = { at: 0, line };
    this.#level = outer ? outer.#level + 1 : 0;
    this.script = outer?.script ?? { values: new Map(), responses: new Map(), left: MOST_EXPANDED };
  }

  /** @type {() => ShellCommand[]} */
  commands() {
    /** @type {ShellCommand[]} */
    const all = [];
    /** The command in front of a pipe. @type {ShellCommand | null} */
    let printing = null;
    while (this.#at < this.#text.length) {
      const { command, operator } = this.#command();
      all.push(...this.#before.splice(0));
      const isEmpty = command.words.length === 0 && command.problems.length === 0;
      // A pipe goes on in the next line.
      if (isEmpty && operator === '\n') continue;
      if (!isEmpty) all.push(command);
      if (printing && !isEmpty) readPipe(printing, command);
      printing = operator === '|' && !isEmpty ? command : null;
    }
    return all;
  }

  /** Reads a command up to its operator. @type {() => { command: ShellCommand, operator?: string }} */
  #command() {
    this.#problems = [];
    /** @type {ShellCommand} */
    const command = { words: [], problems: this.#problems, notes: [], captures: {} };
    for (;;) {
      this.#match(BLANK);
      if (this.#at >= this.#text.length) break;
      if (this.#text[this.#at] === '#') this.#skipLine();
      const operator = this.#match(OPERATORS);
      if (operator !== undefined) {
        if (operator === '\n') this.#readDocuments();
        if (operator === '&' && this.#isInUrl())
          command.notes.push('The shell ends the command at &: write the URL in quotes');
        // name() { … } defines a function.
        if (operator === '(' && (command.words.length === 1 || command.words[0] === 'function')) command.words = [];
        return { command, operator };
      }
      if (this.#at >= this.#text.length) break;
      if (!this.#redirect(command)) this.#readWord(command);
    }
    return { command };
  }

  /** Reports whether the & that was read seems to separate parameters. @type {() => boolean} */
  #isInUrl() {
    return (
      /[?&][^\s&]*&$/.test(this.#text.slice(Math.max(0, this.#at - 200), this.#at)) &&
      /\w+=/y.test(this.#text.slice(this.#at, this.#at + 100))
    );
  }

  /** Reads a word, or a variable that is assigned in front of a command. @type {(command: ShellCommand) => void} */
  #readWord(command) {
    const { words, problems } = command;
    const known = problems.length;
    const start = this.#at;
    const line = this.#line();
    const read = this.#word();
    const [, name, value] = (words.length === 0 && ASSIGNMENT.exec(unsplit(read))) || [];
    if (name !== undefined) {
      // The problems of the value are not those of the command behind it: NAME=$(…) curl …
      this.#assign(name, value, { ...command, words: [], problems: problems.splice(known) });
      return;
    }
    const [sign] = TYPOGRAPHIC.exec(this.#text.slice(start, this.#at)) ?? [];
    if (sign !== undefined)
      problems.push(
        `line ${line}: ${sign} is a sign of a program for texts: write ' or " around words, and - before flags`,
      );
    const [word, ...more] = splitWord(read);
    if (word === '{' && words.length === 2 && words[0] === 'function') words.length = 0;
    else if (words.length > 0 || !PREFIXES.has(word)) words.push(word, ...more);
  }

  /**
   * Sets a variable. If only a shell could compute its value, requests read the variable from the environment, and
   * `computing`, a command without words, carries the problems: they advise to write the value, which is then needless.
   * @type {(name: string, value: string, computing: ShellCommand) => void}
   */
  #assign(name, value, computing) {
    if (computing.problems.length === 0) {
      this.script.values.set(name, value);
      return;
    }
    this.script.values.delete(name);
    const problems = computing.problems.map((problem) =>
      problem.replace(/: write [^:]*$/, `: ${name} is read from the environment`),
    );
    this.#before.push({ ...computing, variable: name, problems });
  }

  /** Reads a redirection, which is of the shell. @type {(command: ShellCommand) => boolean} */
  #redirect(command) {
    if (this.#isAt(PLACEHOLDER)) return false;
    const operator = this.#match(REDIRECT)?.replace(/^[\d&]+/, '');
    if (operator === undefined) return false;
    this.#match(BLANK);
    const start = this.#at;
    const word = unsplit(this.#word());
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
      const first = this.#line();
      const lines = [];
      while (this.#at < this.#text.length) {
        const line = this.#skipLine();
        this.#at++;
        const own = isIndented ? line.replace(/^\t+/, '') : line;
        if (own === delimiter) break;
        lines.push(own);
      }
      const text = lines.map((line) => `${line}\n`).join('');
      command.input = isQuoted ? text : this.#expanded(text, command.problems, first);
    }
    this.#documents = [];
  }

  /** Expands a text as in double quotes. @type {(text: string, problems: string[], line: number) => string} */
  #expanded(text, problems, line) {
    const reader = new ShellReader(text, line, this);
    reader.#problems = problems;
    const expanded = reader.#quotedText('');
    this.#before.push(...reader.#before);
    return expanded;
  }

  /** Reads a word, which may be empty in front of an operator. @type {() => string} */
  #word() {
    /** @type {string[]} */
    const parts = [];
    for (;;) {
      this.#hint = (parts.length === 1 && /^([A-Za-z_]\w*)=$/.exec(parts[0])?.[1]) || '';
      const part = this.#quoted() ?? this.#match(PLAIN);
      if (part === undefined) return parts.join('');
      parts.push(part);
    }
  }

  /** Reads quotes, a variable, an escaped character, or a placeholder. @type {() => string | undefined} */
  #quoted() {
    const char = this.#text[this.#at];
    const next = this.#text[this.#at + 1];
    if (char === "'") return this.#singleQuoted();
    if (char === '"' || (char === '$' && next === '"')) {
      this.#at += char === '"' ? 1 : 2;
      return this.#quotedText('"');
    }
    if (char === '$' && next === "'") return this.#ansiQuoted();
    if (char === '$' || char === '`') return splittable(this.#expansion());
    if (char === '\\') {
      this.#at += 2;
      return next === '\n' ? '' : (next ?? '');
    }
    const placeholder = this.#match(PLACEHOLDER);
    return placeholder === undefined ? undefined : variableIn(variableName(placeholder));
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
    const line = this.#line();
    const [whole, plain, name = plain, sign = '', other = ''] = this.#exec(EXPANSION) ?? [];
    if (whole !== undefined) return this.#variable(whole, { name, sign, other, line });
    const argument = this.#match(ARGUMENT);
    if (argument !== undefined) return this.#problem(line, argument, SHELL_ONLY);
    const [, workflowName] = this.#exec(WORKFLOW_EXPRESSION) ?? [];
    if (workflowName !== undefined) return variableIn(workflowName);
    if (!/^(?:\$[({]|`)/.test(this.#text.slice(this.#at, this.#at + 2))) {
      this.#at++;
      return '$';
    }
    const { text, script } = substitutionAt(this.#text, this.#at);
    this.#at += text.length;
    const isRead = script !== undefined && this.#level < MOST_LEVELS;
    const value = isRead ? this.#computed(script, this.#hint, line) : undefined;
    if (value !== undefined) return value;
    return this.#problem(line, text, 'is computed by the shell: write its value, or a variable such as $TOKEN');
  }

  /**
   * Returns the value of a variable, the default that it is written with, or a mark. `${NAME:-text}` has the sign `:-`
   * and the other text `text`; with `:+` that text replaces a value, so only a shell can tell whether it is used.
   * @type {(whole: string, parts: { name: string, sign: string, other: string, line: number }) => string}
   */
  #variable(whole, { name, sign, other, line }) {
    const known = this.script.values.get(name);
    if (known !== undefined && !sign.endsWith('+') && known.length <= this.script.left) {
      this.script.left -= known.length;
      return known;
    }
    if (/[-=]$/.test(sign) && other !== '')
      return this.#expanded(/^(["'])([^]*)\1$/.exec(other)?.[2] ?? other, this.#problems, line);
    return /^\d/.test(name) || sign.endsWith('+') ? this.#problem(line, whole, SHELL_ONLY) : variableIn(name);
  }

  /** Notes what only a shell can compute. @type {(line: number, expansion: string, why: string) => string} */
  #problem(line, expansion, why) {
    const shown = withoutWords(expansion);
    this.#problems.push(`line ${line}: ${shown} ${why}`);
    return shown;
  }

  /**
   * Returns what `$(…)` stands for, if that is evident: a text, a token, or a value of a response, which is captured.
   * @type {(script: string, hint: string, line: number) => string | undefined}
   */
  #computed(script, hint, line) {
    const commands = new ShellReader(script, line, this).commands();
    const { responses } = this.script;
    const { text, token, response, capture, isWhole } = meaningOf(script, commands, responses);
    if (text !== undefined) return text;
    if (token !== undefined) return tokenIn(token);
    this.#before.push(...commands.filter(isCurl));
    if (response === undefined) return undefined;
    if (capture !== undefined)
      return tokenIn(addCapture(response.captures, camelCase(hint || lastWordIn(capture)), capture));
    if (hint === '') return undefined;
    if (isWhole) responses.set(hint, response);
    else response.notes.push(`The script computes ${hint} from the response: write a capture, or set the variable`);
    return variableIn(hint);
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
      this.#problems.push(`line ${this.#line()}: the bytes of a $'…' are not text: name a file in --data-binary @file`);
    return bytes.toString();
  }

  /** @type {(pattern: RegExp) => string | undefined} */
  #match(pattern) {
    return this.#exec(pattern)?.[0];
  }

  /** @type {(pattern: RegExp) => RegExpExecArray | null} */
  #exec(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found;
  }

  /** @type {(pattern: RegExp) => boolean} */
  #isAt(pattern) {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text);
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

const SHELL_ONLY = 'is an argument of the script, or a state of the shell: write its value';
/** `$NAME`, `${NAME}`, and one with a default, as `${NAME:-text}`. */
const EXPANSION = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*|\d+)(?:(:?[-=?+])([^{}]*))?\})/y;
/** `${{ secrets.TOKEN }}` of a workflow on GitHub. */
const WORKFLOW_EXPRESSION = /\$\{\{\s*(?:\w+\.)*(\w+)\s*\}\}/y;
/** `$1`, `$@`, `$?` and the like. */
const ARGUMENT = /\$[\d@*#?!$-]/y;

/** Hides words that may be secrets: `$(pass show key)` is `$(pass …)`. @type {(expansion: string) => string} */
function withoutWords(expansion) {
  const [, start, words, close] = /^(\$\{[!#]?\w*|(?:\$\((?!\()|`)\s*[\w./-]*)([^]*?)([)}`]?)$/.exec(expansion) ?? [];
  return words ? `${start.replace(/\s/g, '')} …${close}` : expansion;
}

/** `ACCESS_TOKEN` is accessToken. @type {(name: string) => string} */
function camelCase(name) {
  const plain = /[a-z]/.test(name) ? name : name.toLowerCase();
  return plain.replace(/_+([A-Za-z\d])/g, (_, letter) => letter.toUpperCase());
}

/** Returns the last name in a capture: `token` of `$.data.token`. @type {(capture: any) => string} */
function lastWordIn(capture) {
  return (
    (typeof capture === 'string' ? capture : Object.values(capture).join()).match(/[A-Za-z]\w*/g)?.at(-1) ?? 'value'
  );
}
