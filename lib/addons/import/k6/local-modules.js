import { dirname, relative, resolve, sep } from 'node:path';

import { FileRefusal, readTextFile } from '../../../core/process/read-file.js';
import { asValue } from './builtins.js';
import { parseScript } from './parse-script.js';
import { object } from './values.js';

/** @typedef {any} Node */
/** @typedef {any} Value */

const MAX_BYTES = 8 * 1024 * 1024;
const MOST_MODULES = 500;
/** What bundlers add to a path. */
const ENDINGS = ['', '.js', '.ts', '.mjs', '.json', '/index.js', '/index.ts'];
const READ = /\.(?:[cm]?[jt]s|json)$/;

/** The modules that a script imports by relative paths. */
export class LocalModules {
  /** The members of modules by their paths; undefined: it cannot be read. @type {Map<string, Value>} */
  #known = new Map();
  #folder;
  #note;
  #follow;
  /** @type {Node[]} */
  programs = [];

  /**
   * @param {string} folder of the script
   * @param {(text: string) => void} note
   * @param {(program: Node) => Value} follow returns what a module exports
   */
  constructor(folder, note, follow) {
    this.#folder = folder;
    this.#note = note;
    this.#follow = follow;
  }

  /** The members of a module; undefined: it is not read. @type {(name: string, importer: Node) => Value} */
  load(name, importer) {
    if (!/^\.\.?\//.test(name)) return undefined;
    const whole = resolve(importer.loc.source.folder, name);
    if (!this.#known.has(whole)) {
      // Modules may import each other.
      this.#known.set(whole, undefined);
      if (this.#known.size <= MOST_MODULES) this.#known.set(whole, this.#read(name, whole));
    }
    return this.#known.get(whole);
  }

  /** @type {(given: string, whole: string) => Value} */
  #read(given, whole) {
    for (const path of ENDINGS.map((one) => whole + one).filter((one) => READ.test(one))) {
      const text = textOf(path);
      if (text === undefined) continue;
      const name = relative(this.#folder, path).replaceAll(sep, '/');
      if (name.startsWith('..')) this.#note(`The module ${name} is read from outside of the folder of the script.`);
      if (path.endsWith('.json')) return this.#json(given, text);
      const parsed = parseScript(text, path, { name, folder: dirname(path) });
      if ('reason' in parsed) {
        this.#note(`The module ${given} is not read: line ${parsed.line}: ${parsed.reason}.`);
        return undefined;
      }
      this.programs.push(parsed.program);
      return this.#follow(parsed.program);
    }
    this.#note(`The module ${given} is not read: the file is missing. Import the script beside it.`);
    return undefined;
  }

  /** @type {(name: string, text: string) => Value} */
  #json(name, text) {
    try {
      return object({ default: asValue(JSON.parse(text)) });
    } catch {
      this.#note(`The module ${name} is not read: it is no JSON.`);
      return undefined;
    }
  }
}

/** @type {(path: string) => string | undefined} */
function textOf(path) {
  try {
    return readTextFile(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (error instanceof FileRefusal) return undefined;
    throw error;
  }
}
