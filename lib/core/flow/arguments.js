import { parseEnv } from 'node:util';

import { isOurs } from '../ground/errors.js';
import { nearest } from '../ground/problems.js';
import { mayReadVariable } from '../process/confinement.js';
import { readOrComplain, readTextFile } from '../process/read-file.js';
import { textOf } from '../text/format-value.js';
import { hide } from '../text/mask.js';
import { isContainer } from './record.js';
import { TOKEN, parseUse, refuseConversion } from './tokens/index.js';
import { converterOf } from './written-value.js';

/** @import { Problems } from '../ground/types.js' */
/** @import { TokenUse } from './tokens/types.js' */
/** @import { Constants } from './types.js' */

/** @typedef {Record<string, unknown>} Arguments values of the option `args`, by name */

/**
 * @typedef {object} ConstantSource
 * @property {boolean} hasName it is written with the name of a value: `#{args.name}`, not `#{WORKER}`
 * @property {(name: string, constants: Constants) => unknown} valueOf undefined if there is none
 * @property {(name: string, constants: Constants) => string} [remedyFor] what to do if there is none
 */

/**
 * Replaces `#{args.name}`, `#{env.NAME}`, `#{WORKER}` and `#{SHARD}` in all texts of a copy of a value, keys included;
 * a value without such tokens is returned itself. They have one value for the operations of a thread, so this happens
 * before anything is compiled, as if the value stood in the flow: it is encoded like the text around it. A text that is
 * one token with a conversion becomes the converted value.
 * @type {<T>(value: T, constants: Constants, at: { path: string, problems: Problems }) => T}
 */
export function withArguments(value, constants, { path, problems }) {
  /** @type {Set<unknown>} */
  const above = new Set();

  /** @type {(value: any, path: string) => any} */
  const replaced = (value, path) => {
    if (typeof value === 'string') return inValue(value, path);
    if (!isContainer(value) || above.has(value)) return value;
    above.add(value);
    const entries = Object.entries(value).map(([key, item]) => {
      const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
      return { key, item, newKey: inText(key, at), newItem: replaced(item, at) };
    });
    above.delete(value);
    if (entries.every(({ key, item, newKey, newItem }) => key === newKey && item === newItem)) return value;
    if (Array.isArray(value)) return entries.map(({ newItem }) => newItem);
    return Object.fromEntries(entries.map(({ newKey, newItem }) => [newKey, newItem]));
  };

  /** @type {(text: string, path: string) => unknown} */
  const inValue = (text, path) => {
    if (!text.includes('#')) return text;
    /** @type {unknown[]} */
    const values = [];
    const joined = inText(text, path, (value) => void values.push(value));
    const isWhole = values.length === 1 && text.replace(TOKEN, '') === '';
    return isWhole && /:\w+[}>]$/.test(text) ? values[0] : joined;
  };

  /** @type {(text: string, path: string, onValue?: (value: unknown) => void) => string} */
  const inText = (text, path, onValue = () => {}) => {
    if (!text.includes('#')) return text;
    return text.replace(TOKEN, (whole, braced, angled, offset) => {
      const use = parseUse(braced ?? angled);
      const source = use && sourceOf(use);
      if (!source) return whole;
      const { value, reason } = valueOf(use, source, constants);
      if (reason) problems.add(path, `${whole} (column ${offset + 1}) ${reason}`);
      onValue(value);
      return textOf(value);
    });
  };
  return replaced(value, path);
}

/** Null for other tokens, and for malformed ones: refused later. @type {(use: TokenUse) => ConstantSource | null} */
function sourceOf(use) {
  const { name, member, argument } = use;
  const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : null;
  const isValid = argument === undefined && source?.hasName === (member !== undefined) && !refuseConversion(use);
  return isValid ? source : null;
}

/** @type {(use: TokenUse, source: ConstantSource, constants: Constants) => { value: unknown, reason?: string }} */
function valueOf(use, source, constants) {
  const name = use.member ?? '';
  const value = source.valueOf(name, constants);
  // The name stands for the value, so that this is reported once
  if (value === undefined) return { value: name, reason: `has no value. ${source.remedyFor?.(name, constants)}` };
  try {
    return { value: converterOf(use)?.(value) ?? String(value) };
  } catch (error) {
    if (!isOurs(error)) throw error;
    return { value: name, reason: error.message };
  }
}

/** @type {Record<string, ConstantSource>} */
const SOURCES = {
  args: {
    hasName: true,
    valueOf: (name, { args }) => (Object.hasOwn(args, name) ? args[name] : undefined),
    remedyFor(name, { args }) {
      const near = nearest(name, Object.keys(args));
      return near ? `Did you mean #{args.${near}}?` : `Pass it: --arg ${name}=<value>, or args: { '${name}': … }`;
    },
  },
  env: {
    hasName: true,
    valueOf: (name, { environment }) => environment.valueOf(name),
    remedyFor(name, { environment }) {
      if (!environment.isAllowed(name))
        return `Flows may not read it here: allow it by --allow-env ${name} of the command that runs the flow`;
      const near = nearest(name, environment.names());
      const question = near ? `Did you mean #{env.${near}}? ` : '';
      return `${question}Set the environment variable, or write ${name}=<value> to a file and pass it: --dotenv <file>`;
    },
  },
  WORKER: { hasName: false, valueOf: (_, { worker = 0 }) => worker },
  SHARD: { hasName: false, valueOf: (_, { shard = 1 }) => shard },
};

/**
 * Variables of the environment, for `#{env.NAME}`.
 *
 * @typedef {object} Environment
 * @property {(name: string) => string | undefined} valueOf undefined if it is not set; the value is hidden in all
 *   output from then on
 * @property {() => string[]} names
 * @property {(name: string) => boolean} isAllowed of a flow from a queue: whether its agent lets it read the variable
 */

/** Bytes of a file of variables. */
const MAX_BYTES = 1024 * 1024;

/**
 * Joins the variables of this process with those of files, which are below them; see {@link readVariables}.
 * @type {(fromFiles?: Record<string, string>, fromProcess?: NodeJS.ProcessEnv) => Environment}
 */
export function createEnvironment(fromFiles = {}, fromProcess = process.env) {
  const sources = [fromProcess, fromFiles];
  return {
    valueOf(name) {
      if (!mayReadVariable(name)) return undefined;
      const value = sources.find((source) => Object.hasOwn(source, name))?.[name];
      if (value !== undefined) hide(value);
      return value;
    },
    names: () => sources.flatMap((source) => Object.keys(source)).filter(mayReadVariable),
    isAllowed: mayReadVariable,
  };
}

/** Later files win. @type {(paths: string[], complain: (reason: string) => void) => Record<string, string>} */
export function readVariables(paths, complain) {
  /** @type {Record<string, string>} */
  const variables = {};
  for (const path of paths) {
    const text = readOrComplain(() => readTextFile(path, { maxBytes: MAX_BYTES, isSecret: true }), complain);
    if (text !== null) Object.assign(variables, parseEnv(text));
  }
  return variables;
}
