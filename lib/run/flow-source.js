import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { loadFlow } from '../flow/load.js';
import { DEEPEST } from '../flow/nesting.js';

/**
 * What another thread can make a flow of: what the command line named, or data.
 * @typedef {{ argument: string, cwd?: string } | { evaluate: string, cwd?: string } | { data: unknown }} FlowSource
 */

const EXTENSIONS = /\.(js|mjs|cjs|json|yaml|yml)$/i;

/**
 * The path of a flow file, where that is what was given: a file: URL, or the path of a file that exists.
 *
 * @param {unknown} flow
 * @returns {string | null}
 */
export function flowFile(flow) {
  const text = flow instanceof URL ? flow.href : flow;
  if (typeof text !== 'string' || !EXTENSIONS.test(text)) return null;
  if (text.startsWith('file:')) return fileURLToPath(text);
  return statSync(text, { throwIfNoEntry: false })?.isFile() ? text : null;
}

/** The raw flow. @type {(source: FlowSource) => Promise<unknown>} */
export async function readSource(source) {
  if ('data' in source) return revived(source.data);
  return (await loadFlow(source, { cwd: source.cwd })).flow;
}

/**
 * What in a flow cannot go to another thread.
 *
 * @param {unknown} flow
 * @returns {string | null} `main[0].afterHooks[1] is a function`; null if all can
 */
export function findBound(flow) {
  /** @type {Set<unknown>} */
  const seen = new Set();

  /** @type {(value: any, path: string, level: number) => string | null} */
  const find = (value, path, level) => {
    if (typeof value === 'function') return `${path} is a function`;
    if (
      typeof value !== 'object' ||
      value === null ||
      value instanceof Uint8Array ||
      seen.has(value) ||
      level > DEEPEST
    )
      return null;
    seen.add(value);
    const prototype = Object.getPrototypeOf(value);
    if (!Array.isArray(value) && prototype !== null && Object.getPrototypeOf(prototype) !== null)
      return `${path} is a ${prototype.constructor?.name ?? 'special object'}`;
    for (const [key, item] of Object.entries(value)) {
      const found = find(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, level + 1);
      if (found) return found;
    }
    return null;
  };
  return find(flow, 'flow', 1);
}

/** Buffers arrive as plain bytes. @type {(value: any) => any} */
function revived(value) {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revived(item)]));
}
