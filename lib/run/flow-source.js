import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { hasFlowExtension } from '../flow/source/extensions.js';
import { loadFlow } from '../flow/source/load.js';
import { MAX_DEPTH } from '../text/max-depth.js';

/**
 * @import { FlowInput } from '../flow/source/load.js'
 *
 * A source that another thread can read the flow from.
 *
 * @typedef {(FlowInput & { cwd?: string, args?: Record<string, unknown> }) | { data: unknown }} FlowSource args: for a flow
 *   that is a function
 *
 * @typedef {object} FlowOrigin
 * @property {FlowSource | null} source null if the flow cannot leave this thread
 * @property {boolean} [isRecording] the flow was read from a recording
 * @property {string | null} uncloneable why: `flow.main[0].afterHooks[1] is a function`
 * @property {string} [folder] of relative paths in the flow; default: the working directory
 */

/**
 * @param {unknown} flow
 * @returns {string | null} the path, if the flow is given as a file: a file: URL, or a path that exists
 */
export function flowFile(flow) {
  const text = flow instanceof URL ? flow.href : flow;
  if (typeof text !== 'string' || !hasFlowExtension(text)) return null;
  if (text.startsWith('file:')) return fileURLToPath(text);
  // other kinds of files are refused when they are read
  return statSync(text, { throwIfNoEntry: false }) ? text : null;
}

/**
 * @param {FlowSource | null} source
 * @returns {string | null} the path of the file that it names
 */
export function modulePath(source) {
  if (source === null || !('argument' in source) || !hasFlowExtension(source.argument)) return null;
  const { argument, cwd = '.' } = source;
  return argument.startsWith('file:') ? fileURLToPath(argument) : resolve(cwd, argument);
}

/**
 * @param {FlowSource} source
 * @returns {Promise<{ flow: unknown, folder?: string }>} the raw flow, and the folder of its relative paths
 */
export async function readSource(source) {
  if ('data' in source) return { flow: revive(source.data) };
  return loadFlow(source, { cwd: source.cwd, args: source.args });
}

/**
 * @param {unknown} flow a raw flow
 * @returns {FlowOrigin}
 */
export function originOf(flow) {
  const data = withoutReport(flow);
  const uncloneable = findUncloneable(data);
  return { source: uncloneable === null ? { data } : null, uncloneable };
}

/** The report function runs in this thread only. @type {(flow: any) => unknown} */
function withoutReport(flow) {
  if (typeof flow?.report !== 'function' || Array.isArray(flow)) return flow;
  const { report: _report, ...rest } = flow;
  return rest;
}

/**
 * @param {unknown} flow
 * @returns {string | null} the part that cannot be sent to another thread: `main[0].afterHooks[1] is a function`
 */
export function findUncloneable(flow) {
  /** @type {Set<unknown>} */
  const seen = new Set();

  /** @type {(value: any, path: string, level: number) => string | null} */
  const find = (value, path, level) => {
    if (typeof value === 'function') return `${path} is a function`;
    if (isLeaf(value) || seen.has(value) || level > MAX_DEPTH) return null;
    seen.add(value);
    const special = specialObject(value);
    if (special) return `${path} is a ${special}`;
    for (const [key, item] of Object.entries(value)) {
      const found = find(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, level + 1);
      if (found) return found;
    }
    return null;
  };
  return find(flow, 'flow', 1);
}

/** @type {(value: unknown) => boolean} */
function isLeaf(value) {
  return typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof RegExp;
}

/** Name of the class of an object that is neither plain nor an array. @type {(value: object) => string | null} */
function specialObject(value) {
  const prototype = Object.getPrototypeOf(value);
  const isPlain = Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain ? null : (prototype.constructor?.name ?? 'special object');
}

/** Structured clones of Buffers are Uint8Arrays. @type {(value: any) => any} */
function revive(value) {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return value.map(revive);
  if (isLeaf(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revive(item)]));
}
