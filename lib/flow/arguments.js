import { nearest } from '../problems.js';
import { isPlain } from './nesting.js';

/**
 * @import { Problems } from '../problems.js'
 *
 * @typedef {Record<string, unknown>} Arguments values of the option `args`, by name
 */

const ARGUMENT = /#(?:\{ARG\.([\w.-]+)\}|<ARG\.([\w.-]+)>)/g;

/**
 * Replaces `#{ARG.name}` in all texts of a value, keys included. A run has one value for it, so this happens before anything
 * is compiled, as if the value stood in the flow: it is encoded like the text around it.
 *
 * @template T
 * @param {T} value not modified
 * @param {Arguments} args
 * @param {{ path: string, problems: Problems }} at
 * @returns {T} the value itself if it has no such token
 */
export function withArguments(value, args, { path, problems }) {
  /** @type {Set<unknown>} */
  const above = new Set();

  /** @type {(value: any, path: string) => any} */
  const replaced = (value, path) => {
    if (typeof value === 'string') return inText(value, path);
    if (!isPlain(value) || above.has(value)) return value;
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

  /** @type {(text: string, path: string) => string} */
  const inText = (text, path) => {
    if (!text.includes('#')) return text;
    return text.replace(ARGUMENT, (whole, braced, angled, offset) => {
      const name = braced ?? angled;
      if (Object.hasOwn(args, name)) return String(args[name]);
      problems.add(path, `${whole} (column ${offset + 1}) has no value. ${remedyFor(name, args)}`);
      // stands for the value, so that this is reported once
      return name;
    });
  };
  return replaced(value, path);
}

/** @type {(name: string, args: Arguments) => string} */
function remedyFor(name, args) {
  const near = nearest(name, Object.keys(args));
  return near ? `Did you mean #{ARG.${near}}?` : `Pass it: --arg ${name}=<value>, or args: { '${name}': … }`;
}
