import { nearest } from '../ground/problems.js';
import { listOf } from '../text/format-value.js';
import { TOKENS, nameTakenBy } from './tokens/index.js';

/** @import { NameSource, ValueMeaning } from './types.js' */
/** @import { Scope } from '../contracts/step.js' */
/** @import { Phase } from '../ground/phases.js' */
/** @import { Feeder, Feeders } from './data/feeders.js' */
/** @import { TokenEntry, TokenUse } from './tokens/types.js' */

/**
 * @typedef {{ kind: 'text' }} TextMeaning a built-in token that is text, written as it is into every place: `compile`
 *   of its entry in TOKENS makes it
 *
 * @typedef {{ kind: 'variable' }} VariableMeaning a property of `scope.vars`
 *
 * @typedef {TextMeaning | VariableMeaning | ValueMeaning} Meaning of a token, with which `template.js` compiles it
 */

/**
 * @typedef {object} NamesOptions
 * @property {Record<string, (scope: Scope) => unknown>} [tokens] of the flow
 * @property {Record<string, unknown>} [vars] of the flow
 * @property {Feeders | null} [feeders] of the flow
 * @property {number} [seed] of the run
 * @property {Map<string, string>} [captured] all names that the flow captures, with the place of the first capture
 * @property {boolean} [hasCode] hooks or functions of the flow may set variables
 */

/** Names for INDEX among people and in other tools, such as __ITER of k6. */
const INDEX_NAMES = ['i', 'n', 'idx', 'iter', '__iter', 'iteration', 'counter'];
/** Names that a message lists. */
const MOST_NAMES = 12;
const SCENARIO_PATHS = 'flow.scenarios.';

/**
 * The names that tokens can have at a place of the flow: those of built-in tokens, of `tokens`, `vars` and `data` of
 * the flow everywhere, and those of the variables that an earlier operation has captured. `createSequences` of
 * `sequences.js` makes them: the first ones are complete, those of a phase or scenario are copies (`fork`).
 */
export class Names {
  /** The names that are the same everywhere. @type {Map<string, NameSource>} */
  #sources;
  /** The variables that are known here; those captured later, or elsewhere, are not among them. @type {Set<string>} */
  #variables;
  /** All names that the flow captures anywhere, with the place of the first capture. @type {Map<string, string>} */
  #captured;
  #hasCode;
  /** The phase, if it runs once and has no INDEX. @type {Phase | null} */
  #once = null;
  /** The place of the scenario, if it is in one: `flow.scenarios.buy`. @type {string | null} */
  #scenario = null;

  /** @param {NamesOptions & { sources?: Map<string, NameSource> }} [options] sources: in place of tokens and feeders */
  constructor({
    tokens = {},
    vars = {},
    feeders = null,
    seed = 1,
    captured = new Map(),
    hasCode = false,
    sources = sourcesOf({ tokens, feeders, seed }),
  } = {}) {
    this.#sources = sources;
    this.#variables = new Set(Object.keys(vars));
    this.#captured = captured;
    this.#hasCode = hasCode;
  }

  /** The copy learns other captures. @type {(options?: { once?: Phase | null, scenario?: string | null }) => Names} */
  fork({ once = this.#once, scenario = this.#scenario } = {}) {
    const names = new Names({ sources: this.#sources, captured: this.#captured, hasCode: this.#hasCode });
    names.#variables = new Set(this.#variables);
    names.#once = once;
    names.#scenario = scenario;
    return names;
  }

  /** Adds variables that operations from here on know. @type {(names: Iterable<string>) => void} */
  add(names) {
    for (const name of names) this.#variables.add(name);
  }

  /** @type {(name: string) => NameSource | undefined} */
  find(name) {
    return this.#sources.get(name) ?? (this.#variables.has(name) ? VARIABLE : undefined);
  }

  /** Lists the variables that earlier operations have captured, and those of the flow. @type {Iterable<string>} */
  get variables() {
    return this.#variables;
  }

  /** Reports whether the flow has no tokens of its own and sets no variables, as flows for 1.2.4, which had neither. */
  get areOnlyBuiltIn() {
    const isOwn = this.#sources.size > TOKENS.length || this.#variables.size > 0 || this.#captured.size > 0;
    return !isOwn && !this.#hasCode;
  }

  /** Explains that a token or a feeder has the name of a capture. @type {(name: string) => string | undefined} */
  refuseCapture(name) {
    const { from } = this.#sources.get(name) ?? {};
    return from && nameTakenBy(from);
  }

  /** Finds the name that was probably meant. @type {(name: string) => string | undefined} */
  near(name) {
    if (INDEX_NAMES.includes(name.toLowerCase())) return 'INDEX';
    return nearest(name, [...this.#all, ...this.#captured.keys()]);
  }

  /**
   * Reports whether a name likely misspells a known one. Where a hook may replace it, only the case of letters may
   * differ.
   * @type {(name: string, context: { hooksMayReplace: boolean }) => boolean}
   */
  isMiswritten(name, { hooksMayReplace }) {
    const near = this.near(name);
    return near !== undefined && (!hooksMayReplace || near.toLowerCase() === name.toLowerCase());
  }

  /** Reports whether a name has a value elsewhere in the flow, but not here. @type {(name: string) => boolean} */
  isElsewhere(name) {
    return this.refuse(name) !== undefined || (!this.find(name) && this.#captured.has(name));
  }

  /** Explains why a known name has no value here. @type {(name: string) => string | undefined} */
  refuse(name) {
    const once = this.#once;
    if (once === null || !this.find(name)?.needsIndex) return undefined;
    return `${once} runs once and has no #{${name}}: use ${once}Main`;
  }

  /** Explains a name without a value at a place or in an operation. @type {(name: string, path?: string) => string} */
  explain(name, path = '') {
    const captured = this.#captured.get(name);
    if (captured !== undefined && isOf(captured, path))
      return `has no value before the operation that captures it: declare a first one, vars: { ${name}: … }`;
    if (captured) return `has no value here: it ${this.#explainCapture(captured)}`;
    const near = this.near(name);
    if (near) {
      const later = this.find(near) ? undefined : this.#captured.get(near);
      return `is not a token. Did you mean #{${near}}?${later ? ` It ${this.#explainCapture(later)}` : ''}`;
    }
    const all = this.#all.map((known) => `#{${known}}`);
    const remedy = this.#hasCode ? `. If a hook or a function sets it, declare it: vars: { ${name}: null }` : '';
    const capture = `An operation before it can capture it: capture: { ${name}: '$.${name}' }`;
    return `is not a token. Tokens are ${listOf(all, MOST_NAMES)}. ${capture}${remedy}`;
  }

  /** Completes "it …". @type {(captured: string) => string} */
  #explainCapture(captured) {
    if (this.#once === 'after' && !/^flow\.after\b/.test(captured))
      return `is captured in each iteration, by ${captured}: use afterMain`;
    const isElsewhereCaptured =
      this.#scenario !== null && captured.startsWith(SCENARIO_PATHS) && !captured.startsWith(`${this.#scenario}.`);
    return `is captured ${isElsewhereCaptured ? 'in another scenario' : 'later'}, by ${captured}`;
  }

  /** Lists all names, the flow's own ones first. */
  get #all() {
    const own = [...this.#sources.keys()].filter((name) => !TOKENS.some((entry) => entry.name === name));
    return [...own, ...this.#variables, ...TOKENS.map(({ name }) => name)];
  }
}

/** Reports whether a path leads into the operation of a capture. @type {(captured: string, path: string) => boolean} */
function isOf(captured, path) {
  return `${path}.`.startsWith(captured.slice(0, captured.lastIndexOf('capture.')));
}

/** The source of all variables, captured ones too. @type {NameSource} */
const VARIABLE = {
  from: 'flow.vars',
  read({ name, member, argument }, refuse) {
    if (isAlone({ member, argument }, name, refuse)) return { kind: 'variable' };
    return null;
  },
};

/** @type {(given: Required<Pick<NamesOptions, 'tokens' | 'feeders' | 'seed'>>) => Map<string, NameSource>} */
function sourcesOf({ tokens, feeders, seed }) {
  /** @type {Map<string, NameSource>} */
  const sources = new Map();
  for (const entry of TOKENS) sources.set(entry.name, builtInSource(entry, seed));
  for (const [name, call] of Object.entries(tokens)) sources.set(name, ownSource(name, call));
  for (const feeder of feeders?.all() ?? []) sources.set(feeder.name, feederSource(feeder));
  for (const name of feeders?.broken ?? []) sources.set(name, brokenFeederSource(name));
  return sources;
}

/** @type {(entry: TokenEntry, seed: number) => NameSource} */
function builtInSource({ name, needsIndex, compile, value }, seed) {
  return {
    needsIndex,
    read(use, refuse, where) {
      let isRefused = false;
      const refusing = (/** @type {string} */ reason) => {
        isRefused = true;
        refuse(reason);
      };
      const call = value?.(use, { refuse: refusing, where, seed });
      // Only for what it refuses: template.js compiles it again where it is used.
      if (!call) compile?.(use, refusing);
      if (isRefused) return null;
      return call ? { kind: 'value', where: `#{${name}}`, call, isUsersFunction: false } : { kind: 'text' };
    },
  };
}

/** @type {(name: string, call: (scope: Scope) => unknown) => NameSource} */
function ownSource(name, call) {
  const from = `flow.tokens.${name}`;
  return {
    from,
    read: ({ member, argument }, refuse) =>
      isAlone({ member, argument }, name, refuse) ? { kind: 'value', where: from, call, isUsersFunction: true } : null,
  };
}

/** @type {(feeder: Feeder) => NameSource} */
function feederSource(feeder) {
  const from = `flow.data.${feeder.name}`;
  return {
    from,
    needsIndex: true,
    read({ member, argument }, refuse) {
      const reason =
        member === undefined || argument !== undefined
          ? `needs the name of a column: write #{${feeder.name}.${feeder.table.columns[0] ?? 'column'}}`
          : feeder.refuse(member);
      if (reason) refuse(reason);
      if (reason || member === undefined) return null;
      const read = feeder.reader(member);
      const call = (/** @type {Scope} */ { index }) => read(/** @type {number} */ (index));
      return { kind: 'value', where: from, call, isUsersFunction: false };
    },
  };
}

/**
 * Returns the source of a feeder whose rows could not be read, which is reported: its tokens are neither refused nor
 * compiled.
 * @type {(name: string) => NameSource}
 */
function brokenFeederSource(name) {
  return { from: `flow.data.${name}`, needsIndex: true, read: () => null };
}

/** @type {(use: Pick<TokenUse, 'member' | 'argument'>, name: string, refuse: (reason: string) => void) => boolean} */
function isAlone({ member, argument }, name, refuse) {
  if (member === undefined && argument === undefined) return true;
  refuse(`takes no argument. Write #{${name}}`);
  return false;
}
