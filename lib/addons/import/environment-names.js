import { encodePercent } from '../../core/text/decode.js';
import { TOKEN } from '../../core/text/mask.js';
import { HASH } from './tokens.js';

/** @import { EnvironmentVariable } from './import.js' */

/** Variables that systems, shells and tools set: a secret with such a name would be the value of another one. */
const SYSTEM_VARIABLES = new RegExp(
  `^(?:${[
    'PWD|OLDPWD|USER|USERNAME|HOME|PATH|SHELL|SHLVL|LOGNAME|HOST|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|OS|LANG|LANGUAGE|TERM',
    'TMP|TEMP|TMPDIR|MAIL|EDITOR|VISUAL|PAGER|DISPLAY|TZ|UID|EUID|GID|GROUPS|PPID|COLUMNS|LINES|IFS|RANDOM|SECONDS',
    'SESSIONNAME|DESKTOP_SESSION|COMPUTERNAME|USERDOMAIN|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMFILES|PUBLIC',
    'PATHEXT|COMSPEC|WINDIR|SYSTEMROOT|SYSTEMDRIVE|HOMEDRIVE|HOMEPATH|LOGONSERVER|PROMPT|DEBUG|CI|PORT',
    '(?:HTTPS?|FTP|ALL|NO)_PROXY|(?:XDG|LC|SSH|GPG|DBUS|NODE|NPM|WT|PROCESSOR)_.*',
  ].join('|')})$`,
);

/** Returns API_KEY for `X-Api-Key`, and PWD_VALUE for `pwd`, as shells set PWD. @type {(name: string) => string} */
export function variableName(name) {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase()
    .replace(/^X_(?=.)/, '');
  if (SYSTEM_VARIABLES.test(words)) return `${words}_VALUE`;
  return /^[A-Z]/.test(words) ? words : `SECRET${words && `_${words}`}`;
}

/**
 * The environment variables of a flow, one for each secret. `secrets.js` asks for a token wherever it finds a secret
 * (`tokenFor`), and then replaces the same text elsewhere (`replaceCopies`).
 */
export class EnvironmentNames {
  /** In the order of their use. @type {EnvironmentVariable[]} */
  list = [];
  /** Names that no further variable can have. @type {Set<string>} */
  #names = new Set();
  /** The names in `list`. @type {Set<string>} */
  #listed = new Set();
  /** The next number of variables with the same name. @type {Map<string, number>} */
  #numbers = new Map();
  /** Names of variables by the name that was wanted and the value. @type {Map<string, string>} */
  #byValue = new Map();
  /** Values that do not occur elsewhere by chance, with the names of their variables. @type {Map<string, string>} */
  #unlikely = new Map();
  /** The same, by their first characters; null: there are new ones. @type {Map<string, Copies> | null} */
  #copies = null;
  /** Variables of the flow (`vars`, `data`) that secrets are made of. @type {Set<string>} */
  #variables = new Set();
  /** The fields and parameters of the current operation that are secrets whatever their names. @type {string[]} */
  #own = [];

  /** The values are made up from their names, as those of examples, and not secret then. */
  hasPlaceholders = false;

  /** Keeps names for variables that the source has itself. @type {(names: Iterable<string>) => void} */
  reserve(names) {
    for (const name of names) this.#names.add(name);
  }

  /** Reads an operation with further names of secrets. @type {<T>(own: string[] | undefined, read: () => T) => T} */
  withOwn(own = [], read) {
    this.#own = own;
    const value = read();
    this.#own = [];
    return value;
  }

  /** Reports whether a name is that of a secret in this operation. @type {(name: string) => boolean} */
  isOwn(name) {
    return this.#own.some((one) => one === name || encodePercent(one) === name);
  }

  /** Reports whether a secret so far was made of a variable of the flow. @type {(name: string) => boolean} */
  isSecretVariable(name) {
    return !this.hasPlaceholders && name !== HASH && this.#variables.has(name);
  }

  /** Lists a variable, once. `of` says what it is. @type {(name: string, of: string) => void} */
  add(name, of) {
    if (this.#listed.has(name)) return;
    this.#listed.add(name);
    this.#names.add(name);
    this.list.push({ name, of });
  }

  /**
   * Returns the token that stands for a secret. Equal values with the same `hint`, the name that is wanted, have one
   * variable. A value that has a token is no secret itself: the variables of the flow in it are.
   * @type {(value: any, hint: string, of: string) => any}
   */
  tokenFor(value, hint, of) {
    if (!['string', 'number'].includes(typeof value) || value === '') return value;
    if (TOKEN.test(String(value)) && !LIST.test(String(value))) {
      for (const [, name] of String(value).matchAll(/#[{<](\w+)/g)) this.#variables.add(name);
      return value;
    }
    const known = this.#byValue.get(`${hint} ${value}`);
    if (known !== undefined) return tokenOf(known, value);
    let name = hint;
    let number = this.#numbers.get(hint) ?? 2;
    for (; this.#names.has(name); number++) name = `${hint}_${number}`;
    this.#numbers.set(hint, number);
    this.#byValue.set(`${hint} ${value}`, name);
    this.add(name, of);
    // A word, such as the password "password", is elsewhere by chance.
    if (String(value).length >= SHORTEST_COPY && /[^A-Za-z]/.test(String(value)))
      this.#unlikely.set(String(value), name);
    this.#copies = null;
    return tokenOf(name, value);
  }

  /** Hides the secrets in a text for people. @type {(text: string) => string} */
  hide = (text) => this.replaceCopies(text, () => '…');

  /**
   * Replaces the secrets that do not occur by chance wherever they are in a text, percent-encoded ones, too. The time
   * does not grow with their number: a list of targets may have thousands.
   * @type {(text: string, by: (value: string, name: string) => string) => string}
   */
  replaceCopies(text, by) {
    this.#copies ??= byStart(this.#unlikely);
    if (this.#copies.size === 0) return text;
    let replaced = '';
    let from = 0;
    for (let at = 0; at + SHORTEST_COPY <= text.length; at++) {
      const token = tokenAt(text, at);
      if (token !== null) {
        // A client may have sent the name of a variable as its value.
        at += token.length - 1;
        continue;
      }
      const copies = this.#copies.get(text.slice(at, at + SHORTEST_COPY));
      const length = copies?.lengths.find((one) => copies.names.has(text.slice(at, at + one)));
      if (!copies || length === undefined) continue;
      const value = text.slice(at, at + length);
      replaced += text.slice(from, at) + by(value, String(copies.names.get(value)));
      from = at + length;
      at = from - 1;
    }
    return from === 0 ? text : replaced + text.slice(from);
  }
}

/** Returns the token of the environment at a place. @type {(text: string, at: number) => string | null} */
function tokenAt(text, at) {
  if (text[at] !== '#') return null;
  ENV_TOKEN.lastIndex = at;
  return ENV_TOKEN.exec(text)?.[0] ?? null;
}

const ENV_TOKEN = /#[{<]env\.\w+(?::\w+)?[}>]/y;

/** @typedef {{ names: Map<string, string>, lengths: number[] }} Copies values with the same start; the longest first */

/** Sorts values, also percent-encoded, by their start. @type {(values: Map<string, string>) => Map<string, Copies>} */
function byStart(values) {
  /** @type {Map<string, Copies>} */
  const all = new Map();
  for (const [value, name] of values)
    for (const form of [value, encodePercent(value)]) {
      const start = form.slice(0, SHORTEST_COPY);
      /** @type {Copies} */
      const copies = all.get(start) ?? { names: new Map(), lengths: [] };
      copies.names.set(form, name);
      if (!copies.lengths.includes(form.length)) copies.lengths.push(form.length);
      all.set(start, copies);
    }
  for (const { lengths } of all.values()) lengths.sort((a, b) => b - a);
  return all;
}

/** A token with a list of values to choose from: they may be secrets, although they are in a token. */
const LIST = /#\{randomItem\(/;

/** Characters of a secret from which on the same text elsewhere is the same secret. */
const SHORTEST_COPY = 8;

/** Writes a token that keeps the type of the value. @type {(name: string, value: unknown) => string} */
export function tokenOf(name, value) {
  return typeof value === 'number' ? `#{env.${name}:number}` : `#{env.${name}}`;
}
