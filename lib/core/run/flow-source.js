import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isProxy } from 'node:util/types';
import { isMainThread } from 'node:worker_threads';

import { readFlow } from '../flow/compile.js';
import { hasFlowExtension } from '../flow/source/formats/index.js';
import { loadFlow } from '../flow/source/load.js';
import { createProblems } from '../ground/problems.js';
import { MAX_DEPTH } from '../text/parse-json.js';
import { offered } from '../ground/addons.js';
import { argumentsOf, optionsIn } from './options/layers.js';

/** @import { RunOptions } from '../contracts/run-options.js' */
/** @import { Dialect, FlowInput } from '../flow/source/types.js' */
/** @import { Problems } from '../ground/types.js' */
/** @import { Layer } from './options/types.js' */
/** @import { FlowOrigin, FlowSource, OpenFlow } from './types.js' */

/** @type {Dialect[] | null} */
let dialects = null;

/** Documents of other tools; a program may join an add-on until they are read. @type {() => Dialect[]} */
const offeredDialects = () => (dialects ??= offered('dialects'));

/** Returns the path of a flow that is a file; null for any other flow. @type {(flow: unknown) => string | null} */
export function flowFile(flow) {
  const text = flow instanceof URL ? flow.href : flow;
  if (typeof text !== 'string' || !hasFlowExtension(text)) return null;
  if (text.startsWith('file:')) return fileURLToPath(text);
  // A folder or a device is refused when it is read.
  return statSync(text, { throwIfNoEntry: false }) ? text : null;
}

/** Returns the path of the file that a source names. @type {(source: FlowSource | null) => string | null} */
export function modulePath(source) {
  if (source === null || !('argument' in source) || !hasFlowExtension(source.argument)) return null;
  const { argument, cwd = '.' } = source;
  return argument.startsWith('file:') ? fileURLToPath(argument) : resolve(cwd, argument);
}

/** Returns the text of a file, or of `-e`; empty if the source has none. @type {(source: FlowSource) => string} */
export function textOf(source) {
  const path = modulePath(source);
  if (path !== null) return readFileSync(path, 'utf8');
  if ('evaluate' in source) return source.evaluate;
  return 'argument' in source ? source.argument : '';
}

/** Reads a flow and folder, in a worker. @type {(source: FlowSource) => Promise<{ flow: unknown, folder?: string }>} */
export async function readSource(source) {
  if ('data' in source) return { flow: revive(source.data) };
  return loadFlow(source, { cwd: source.cwd, args: source.args });
}

/** Returns where a raw flow comes from. @type {(flow: unknown) => FlowOrigin} */
export function originOf(flow) {
  const data = withoutSection(flow);
  const uncloneable = findUncloneable(data);
  return { source: uncloneable === null ? { data } : null, uncloneable };
}

/** Copies a flow without its section function, which runs in this thread only. @type {(flow: any) => unknown} */
function withoutSection(flow) {
  if (typeof flow?.section !== 'function' || Array.isArray(flow)) return flow;
  const { section: _section, ...rest } = flow;
  return rest;
}

/** Finds a part that cannot be sent: `flow.main[0].json is a function`. @type {(flow: unknown) => string | null} */
export function findUncloneable(flow) {
  /** @type {Set<unknown>} */
  const seen = new Set();

  /** @type {(value: any, path: string, level: number) => string | null} */
  const find = (value, path, level) => {
    if (typeof value === 'function' || typeof value === 'symbol') return `${path} is a ${typeof value}`;
    if (isLeaf(value) || seen.has(value) || level > MAX_DEPTH) return null;
    seen.add(value);
    const special = specialObject(value);
    if (special) return `${path} is a ${special}`;
    for (const key of Object.keys(value)) {
      const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
      if (Object.getOwnPropertyDescriptor(value, key)?.get) return `${at} is a getter`;
      const found = find(value[key], at, level + 1);
      if (found) return found;
    }
    return null;
  };
  return find(flow, 'flow', 1);
}

/** Reports whether a flow has code, which can change it while it runs. @type {(flow: unknown) => boolean} */
export function canChange(flow) {
  return findUncloneable(flow) !== null;
}

/** @type {(value: unknown) => boolean} */
function isLeaf(value) {
  return typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof RegExp;
}

/** Names the class of an object that is neither plain nor an array. @type {(value: object) => string | null} */
function specialObject(value) {
  const prototype = Object.getPrototypeOf(value);
  if (isProxy(value)) return 'Proxy';
  const isPlain = Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain ? null : (prototype.constructor?.name ?? 'special object');
}

/** Restores Buffers: structured clones of them are Uint8Arrays. @type {(value: any) => any} */
function revive(value) {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return value.map(revive);
  if (isLeaf(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revive(item)]));
}

/**
 * Reads the flow of a run from its source, with the code that it needs. `above` are the run options that do not come
 * from the flow, weakest first: some decide how it is read. `cwd` is the folder of relative paths, by default the
 * working directory.
 * @throws {Error} E_USAGE, E_FILE_NOT_FOUND, E_FLOW_FILE, E_NO_MAIN, E_FLOW
 * @type {(input: FlowInput, above: Layer[], options?: { cwd?: string, load?: typeof loadFlow }) => Promise<OpenFlow>}
 */
export async function openFlow(input, above, { cwd, load = loadFlow } = {}) {
  /** @type {Extract<FlowSource, { cwd?: string }>} */
  const source = { ...input, cwd, args: argumentsOf(above), selection: selectionOf(above) };
  const { flow: raw, from, folder, isRecording, notices, locate } = await load(source, { cwd, args: source.args });
  try {
    const read = readFlow(raw, { folder, isLive: canChange(raw) });
    await read.load();
    return { raw, read, from, notices, origin: { source, isRecording, uncloneable: null, folder, locate } };
  } catch (error) {
    throw located(error, locate);
  }
}

/** Other errors are returned themselves. @type {(error: any, locate: FlowOrigin['locate']) => any} */
export function located(error, locate) {
  if (locate === undefined || error?.code !== 'E_FLOW' || !Array.isArray(error.problems)) return error;
  const problems = createProblems('E_FLOW');
  for (const { path, reason, names } of error.problems) problems.add(path, reason, names);
  locate(problems.list);
  return problems.error() ?? error;
}

/**
 * Returns what the options choose of documents of other tools, from the layers that do not come from the flow, weakest
 * first: they are needed when a document is read.
 * @type {(layers: Layer[]) => object}
 */
function selectionOf(layers) {
  const options = optionsIn(layers);
  return Object.assign({}, ...offeredDialects().map(({ select }) => select?.(options)));
}

/**
 * Refuses options of documents of other tools for another flow, where they have no effect.
 * @type {(options: Partial<RunOptions>, isRecording: boolean, problems: Problems) => void}
 */
export function checkDialectOptions(options, isRecording, problems) {
  if (isRecording) return;
  for (const { names, refusal } of offeredDialects().flatMap(({ options: own = [] }) => own))
    for (const name of names)
      if (/** @type {Record<string, any>} */ (options)[name]) problems.add(`runOptions.${name}`, refusal);
}

/**
 * A flow file may be a program as well, which runs its flow. Where such a file is loaded as a flow, those runs are
 * counted here: for all copies of the package in this thread, since the file may import another one than the command
 * is.
 *
 * @typedef {object} OwnRuns
 * @property {number} count of the runs that code of the flow has started
 * @property {boolean} isRepeated the thread repeats what another one has loaded, and starts none of them again
 */

const OWN_RUNS = Symbol.for('bench-rest.own-runs');

/** @type {Record<symbol, OwnRuns | undefined>} */
const shared = /** @type {any} */ (globalThis);

/**
 * Begins to count; call it before a flow is loaded. The runs of the main thread are those of the program.
 * @type {(options?: { isRepeated: boolean }) => OwnRuns}
 */
export function countOwnRuns({ isRepeated } = { isRepeated: false }) {
  if (isMainThread) return { count: 0, isRepeated: false };
  return (shared[OWN_RUNS] ??= { count: 0, isRepeated });
}

/** Counts a run, and reports whether another thread has started it already. @type {() => boolean} */
export function isRepeatedRun() {
  const runs = shared[OWN_RUNS];
  if (runs === undefined) return false;
  runs.count++;
  return runs.isRepeated;
}
