import { createRequire } from 'node:module';

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

import { flagsOf } from '../run/options/row.js';

/** @import { Argument } from 'commander' */
/** @import { HelpPlace } from '../run/options/types.js' */

/**
 * @typedef {object} InvalidValue
 * @property {Option | Argument} declared
 * @property {string} text
 * @property {string} reason without a full stop
 * @property {string} problem the reason, with its place
 */

const requireHere = createRequire(import.meta.url);

/** The sentences about arguments that are refused. @type {() => typeof import('./refuse-arguments.js')} */
const loadRefusals = () => requireHere('./refuse-arguments.js');

/** @type {() => typeof import('./help.js')} */
const loadHelp = () => requireHere('./help.js');

/** `-rate` may be `--rate` with a dash too few, or the value `ate` of `-r`. */
const ONE_DASH = /^-[a-z][a-z-]{2}/i;

/**
 * A command of commander that accepts other spellings of its flags, and goes on after a value that is invalid, so that
 * all problems are reported together.
 */
export class Program extends Command {
  /** @type {InvalidValue[]} */
  invalid = [];
  /** @type {Map<string, Option>} */
  #byFlag = new Map();
  #known = 0;

  /** @type {(name?: string) => Program} */
  createCommand(name) {
    return new Program(name);
  }

  /** @type {(option: Option) => this} */
  addOption(option) {
    this.#collectInvalid(option, (text) => `option '${option.flags}' argument '${text}' is invalid`);
    return super.addOption(option);
  }

  /** @type {(argument: Argument) => this} */
  addArgument(argument) {
    this.#collectInvalid(argument, (text) => `${text} is no valid ${argument.name()}`);
    return super.addArgument(argument);
  }

  /** @type {(declared: Option | Argument, describe: (text: string) => string) => void} */
  #collectInvalid(declared, describe) {
    const { parseArg } = declared;
    if (!parseArg) return;
    let hasFailed = false;
    declared.argParser((/** @type {string} */ text, /** @type {any} */ earlier) => {
      try {
        // commander keeps '' for a value that was refused
        return parseArg(text, hasFailed ? undefined : earlier);
      } catch (/** @type {any} */ error) {
        const isInvalid = error instanceof InvalidArgumentError;
        if (!isInvalid && error.code !== 'E_USAGE') throw error;
        hasFailed = true;
        const reason = error.message.replace(/\.$/, '');
        this.invalid.push({ declared, text, reason, problem: isInvalid ? `${describe(text)}. ${reason}` : reason });
        return undefined;
      }
    });
  }

  /** Finds the option of a flag, in any spelling. @type {(flag: string) => Option | undefined} */
  optionOf(flag) {
    for (; this.#known < this.options.length; this.#known++) {
      const option = this.options[this.#known];
      for (const name of [option.short, option.long]) if (name) this.#byFlag.set(name, option);
    }
    return this.#byFlag.get(flag) ?? (flag.startsWith('--') ? this.#byFlag.get(ourSpelling(flag)) : undefined);
  }

  /** Finds an option; commander would compare each word with all. @type {(flag: string) => Option | undefined} */
  _findOption(flag) {
    return this.optionOf(flag);
  }

  /** Finds the option of a long name, without its dashes. @type {(name: string) => Option | undefined} */
  optionNamed(name) {
    return this.optionOf(`--${name}`);
  }

  /** Returns the option that takes the next word, as `-c` in `-qc 10`. @type {(word?: string) => Option | undefined} */
  optionBefore(word = '') {
    if (word.startsWith('--')) return requiring(this.optionOf(word));
    if (!word.startsWith('-')) return undefined;
    const letters = [...word.slice(1)];
    const at = letters.findIndex((letter) => !isSwitch(this.optionOf(`-${letter}`)));
    return at < letters.length - 1 ? undefined : requiring(this.optionOf(`-${letters[at]}`));
  }

  /** Commander prints it. @type {() => string} */
  helpInformation() {
    return loadHelp().commonHelp(this);
  }

  /** Commander would print the message. @type {(message: string, options?: { code?: string }) => never} */
  error(message, { code = '' } = {}) {
    throw Object.assign(new CommanderError(1, code, message.replace(/^error: |\.$/g, '')), { command: this });
  }

  /**
   * Explains why the words that were read are refused; undefined if they are not. `isRefused`: commander refuses them;
   * `also` lists what else is refused later.
   * @type {(words: string[], more?: { isRefused?: boolean, also?: () => string[] }) => string | undefined}
   */
  refusal(words, { isRefused = false, also = () => [] } = {}) {
    // commander took such words for values
    const isLikelyFlag = (/** @type {string} */ word, /** @type {number} */ i) =>
      ONE_DASH.test(word) || (/^-./.test(word) && this.optionBefore(words[i - 1]) !== undefined);
    if (!isRefused && this.invalid.length === 0 && !words.some(isLikelyFlag)) return undefined;
    return loadRefusals().explainRefusal(this, words, also);
  }
}

/** An option that `-h` or `--help` lists; `--help-all` lists every option. */
export class CommonOption extends Option {
  /** @param {string} flags @param {string} about @param {HelpPlace} [inHelp] */
  constructor(flags, about, inHelp) {
    super(flags, about);
    this.inHelp = inHelp;
  }
}

/** @type {(option: Option | undefined) => Option | undefined} */
const requiring = (option) => (option?.required ? option : undefined);

/** Reports whether an option has no value. @type {(option: Option | undefined) => boolean} */
export const isSwitch = (option) => option !== undefined && !option.required && !option.optional;

/**
 * Returns what commander has read of an option, which is declared as in `-c, --limit <n>`; undefined: it was not given.
 * Commander names it by its last long flag, or by the short one.
 * @type {(options: Record<string, any>, flag: string) => any}
 */
export function valueIn(options, flag) {
  const flags = flagsOf({ flag });
  const own = flags.filter((one) => one.startsWith('--')).at(-1) ?? flags[0] ?? '';
  const name = own.replace(/^--?/, '').replace(/^no-/, '');
  return options[name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())];
}

/** Spellings of our flags in other tools, in kebab-case: accepted as ours. @type {Record<string, string>} */
export const SPELLINGS = {
  headers: 'header',
  cookies: 'cookie',
  data: 'body',
  'post-body': 'body',
  cacert: 'ca',
  'unix-socket': 'socket-path',
  // Node reads this flag of every program, and ends without a word of ours if the file is missing.
  'env-file': 'dotenv',
  keepalive: 'keep-alive',
  'no-keepalive': 'no-keep-alive',
};

/** Returns a long flag as it is written here: `--base-url` for `--baseURL`. @type {(flag: string) => string} */
export function ourSpelling(flag) {
  const name = kebabCase(flag.slice('--'.length));
  return `--${SPELLINGS[name] ?? name}`;
}

/** Writes camelCase and snake_case in kebab-case. @type {(name: string) => string} */
export function kebabCase(name) {
  return name
    .replaceAll('_', '-')
    .replace(/(?<=[a-z\d])[A-Z]/g, '-$&')
    .toLowerCase();
}
