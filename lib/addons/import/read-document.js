import { makeError } from '../../core/ground/errors.js';
import { faultDetails } from '../../core/text/code-frame.js';
import { convertible } from '../../core/text/convertible.js';
import { parseJson } from '../../core/text/parse-json.js';
import { parseYaml } from '../../core/text/parse-yaml.js';

/**
 * Parses a document of JSON or YAML. Nothing in it is executed, and its aliases are bounded.
 * @throws {Error} E_FLOW_FILE with line and column, or if it is nested too deeply
 * @type {(text: string, from: string) => Promise<any>}
 */
export async function parseDocument(text, from) {
  // Keys without quotes are those of YAML.
  const isJson = /^\s*[[{](?!\s*\w+:\s)/.test(text);
  const { value, fault } = isJson ? parseJson(text) : await parseYaml(text);
  if (fault) throw makeError('E_FLOW_FILE', faultDetails(from, text, fault));
  refuseDepth(value, from);
  return value;
}

const MOST_LEVELS = 1000;

/**
 * Refuses a document that is nested too deeply: an alias of YAML may be a part of itself, so its value has no end.
 * @throws {Error} E_FLOW_FILE
 * @type {(document: unknown, from: string) => void}
 */
export function refuseDepth(document, from) {
  /** The deepest level of each value so far. @type {Map<object, number>} */
  const known = new Map();
  /** @type {(value: unknown, level: number) => boolean} */
  const isTooDeep = (value, level) => {
    if (typeof value !== 'object' || value === null || (known.get(value) ?? -1) >= level) return false;
    known.set(value, level);
    return level > MOST_LEVELS || Object.values(value).some((inner) => isTooDeep(inner, level + 1));
  };
  if (!isTooDeep(document, 0)) return;
  const reason = `is nested deeper than ${MOST_LEVELS} levels: an alias may be a part of itself`;
  throw makeError('E_FLOW_FILE', { path: from, reason, cure: 'write what the alias stands for' });
}

/** Undefined: the text is not JSON. @type {(text: string) => any} */
export function jsonIn(text) {
  try {
    return convertible(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reports whether a value is an object of a document. @type {(value: unknown) => value is Record<string, any>} */
export function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a member of an object, unless it has it from its prototype. @type {(value: unknown, key: string) => any} */
export function member(value, key) {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? /** @type {any} */ (value)[key]
    : undefined;
}

/** Returns the members of an object; none of another value. @type {(value: unknown) => [string, any][]} */
export function membersOf(value) {
  return isRecord(value) ? Object.entries(value) : [];
}

/** Returns the items of an array; none of another value. @type {(value: unknown) => any[]} */
export function itemsOf(value) {
  return Array.isArray(value) ? value : [];
}
