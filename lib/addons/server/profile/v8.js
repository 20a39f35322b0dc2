import { fileURLToPath } from 'node:url';

import { HEAP_INTERVAL } from './kinds.js';
import { knownCall, markedCall, operationsAt } from './operations.js';

/** @import { ProfileFunction as Frame } from '../profile.js' */
/** @import { CallTree } from './call-tree.js' */
/** @import { Followed, KnownCall, OperationShares } from './operations.js' */
/** @import { Call } from './place.js' */

/**
 * The inspector of V8 returns these: https://chromedevtools.github.io/devtools-protocol/v8/Profiler and HeapProfiler.
 *
 * @typedef {{ functionName: string, url: string, lineNumber: number, columnNumber: number }} CallFrame
 * @typedef {{ line: number, ticks: number }} LineTicks
 * @typedef {{ id: number, callFrame: CallFrame, hitCount?: number, children?: number[], positionTicks?: LineTicks[] }}
 *   CpuNode
 * @typedef {{ nodes: CpuNode[], startTime: number, endTime: number, samples?: number[], timeDeltas?: number[] }}
 *   CpuProfile times are µs
 * @typedef {{ callFrame: CallFrame, selfSize: number, children?: HeapNode[] }} HeapNode
 * @typedef {{ head: HeapNode }} HeapProfile
 *
 * @typedef {object} Places where functions are in the sources that people write
 * @property {(call: Call) => Frame} frameOf
 * @property {(call: Call, line: number) => number | undefined} lineOf a line of the file of a function
 */

const US_PER_MS = 1000;
const ROOT = '(root)';
const IDLE = '(idle)';
/** The inspector writes either a URL or a path. */
const PRELOAD = new URL('../preload/', import.meta.url);
const RECORDER = [PRELOAD.href, fileURLToPath(PRELOAD)];

/** Functions of V8, which have no URL, that are known by another name. */
const BUILT_IN = new Map([
  ['stringify', 'JSON.stringify'],
  ['parse', 'JSON.parse'],
]);

/**
 * Code of the recorder that calls the service: the preload calls the handlers of operation 3 from a function whose URL
 * is `operations.cjs/3`, which marks their stacks.
 */
const MARK = /[\\/]operations\.cjs(?:[\\/](\d+))?$/;

/**
 * @typedef {object} ReadOptions
 * @property {Places} places
 * @property {number} [lastMs] only the end of a CPU profile
 * @property {OperationShares | null} [shares] gets the samples, too
 * @property {Followed} [followed] when the code of which operation ran
 *
 * @typedef {{ at: number, by: KnownCall | null }} Caller the node of the tree (-1: none), and the same call for the
 *   shares of operations
 */

/**
 * Adds a CPU profile, without idle time and without the recorder.
 * @throws {TypeError} it is none
 * @type {(tree: CallTree, profile: CpuProfile, options: ReadOptions) => { durationMs: number }}
 */
export function addCpuProfile(tree, profile, { places, lastMs = Infinity, shares = null, followed }) {
  const { nodes, startTime, endTime } = profile;
  if (!Array.isArray(nodes) || !(endTime >= startTime)) throw new TypeError('it is no CPU profile');
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const from = Math.max(startTime, endTime - lastMs * US_PER_MS);
  const samples = samplesOf(profile, from);
  const values = valuesOf(samples);
  const called = new Set(nodes.flatMap(({ children = [] }) => children));
  /** @type {{ node: CpuNode, caller: Caller }[]} */
  const open = nodes.filter(({ id }) => !called.has(id)).map((node) => ({ node, caller: { at: -1, by: null } }));
  /** By node. @type {Map<number, KnownCall | null>} */
  const calls = new Map();
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, caller } = next;
    if (calls.has(node.id) || node.callFrame.functionName === IDLE) continue;
    const added = addCall(tree, caller, node.callFrame, places);
    if (added === null) continue;
    calls.set(node.id, added.by);
    const value = (values.get(node.id) ?? 0) / US_PER_MS;
    if (added.at >= 0) {
      tree.self[added.at] += value;
      addLines(tree, added.at, { node, value, lineOf: (line) => places.lineOf(callOf(node.callFrame), line) });
    }
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) open.push({ node: child, caller: added });
    }
  }
  if (shares) addToShares(shares, samples, { callOf: (id) => calls.get(id), followed });
  return { durationMs: (endTime - from) / US_PER_MS };
}

/**
 * Adds a call to the tree. What the recorder calls for the service counts for its caller. Null: another part of the
 * recorder.
 * @type {(tree: CallTree, caller: Caller, callFrame: CallFrame, places: Pick<Places, 'frameOf'>) => Caller | null}
 */
function addCall(tree, caller, callFrame, { frameOf }) {
  const { functionName: name, url } = callFrame;
  if (name === ROOT) return caller;
  if (isRecorder(url)) {
    const [isOfMarks, operation] = MARK.exec(url) ?? [];
    if (isOfMarks === undefined) return null;
    return operation === undefined ? caller : { ...caller, by: markedCall(caller.by, Number(operation)) };
  }
  const call = callOf(callFrame);
  const frame = frameOf(call);
  return { at: tree.node(caller.at, tree.frame(frame)), by: knownCall(caller.by, call, frame) };
}

/**
 * @type {(tree: CallTree, at: number, own: { node: CpuNode, value: number, lineOf: (line: number) => number | undefined
 *   }) => void}
 */
function addLines(tree, at, { node: { callFrame, positionTicks = [] }, value, lineOf }) {
  // The lines of a mark are not those of its caller.
  if (isRecorder(callFrame.url)) return;
  const ticks = positionTicks.reduce((sum, one) => sum + one.ticks, 0);
  if (value === 0 || ticks === 0 || tree.frames[tree.frameOf[at]].file === undefined) return;
  for (const { line, ticks: own } of positionTicks) {
    const found = lineOf(line);
    if (found !== undefined) tree.addLine(tree.frameOf[at], found, (value * own) / ticks);
  }
}

/** @typedef {{ ids: number[], starts: number[], lengths: number[] }} Samples in columns: nodes, and times in µs */

/**
 * Returns the samples from an instant on. A sample lasts until the next one. If the profile has no samples, they are
 * made of the counts of its nodes.
 * @type {(profile: CpuProfile, from: number) => Samples}
 */
function samplesOf({ nodes, startTime, endTime, samples = [], timeDeltas = [] }, from) {
  /** @type {Samples} */
  const all = { ids: [], starts: [], lengths: [] };
  const add = (/** @type {number} */ id, /** @type {number} */ at, /** @type {number} */ until) => {
    const start = Math.max(at, from);
    if (!(until > start)) return;
    all.ids.push(id);
    all.starts.push(start);
    all.lengths.push(until - start);
  };
  if (samples.length === 0) {
    const hits = nodes.reduce((sum, { hitCount = 0 }) => sum + hitCount, 0);
    for (const { id, hitCount = 0 } of nodes) add(id, from, from + ((endTime - from) * hitCount) / hits);
    return all;
  }
  let at = startTime;
  samples.forEach((id, i) => {
    at += timeDeltas[i] ?? 0;
    add(id, at, i + 1 < samples.length ? at + (timeDeltas[i + 1] ?? 0) : endTime);
  });
  return all;
}

/** @type {(samples: Samples) => Map<number, number>} the time of each node, µs */
function valuesOf({ ids, lengths }) {
  /** @type {Map<number, number>} */
  const values = new Map();
  ids.forEach((id, i) => values.set(id, (values.get(id) ?? 0) + lengths[i]));
  return values;
}

/**
 * @type {(shares: OperationShares, samples: Samples, known: { callOf: (id: number) => KnownCall | null | undefined,
 *   followed?: Followed }) => void}
 */
function addToShares(shares, { ids, starts, lengths }, { callOf, followed }) {
  const calls = ids.map(callOf);
  const operations = followed && operationsAt(starts, followed);
  calls.forEach((call, i) => {
    if (call) shares.add(call, { value: lengths[i] / US_PER_MS, weight: 1, followed: operations?.[i] });
  });
}

/**
 * Adds a profile of allocations, in bytes.
 * @throws {TypeError} it is none
 * @type {(tree: CallTree, profile: HeapProfile, options: Pick<ReadOptions, 'shares'> & { places: Pick<Places,
 *   'frameOf'> }) => void}
 */
export function addHeapProfile(tree, { head }, { places, shares = null }) {
  if (typeof head?.selfSize !== 'number') throw new TypeError('it is no heap profile');
  /** @type {{ node: HeapNode, caller: Caller }[]} */
  const open = [{ node: head, caller: { at: -1, by: null } }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, caller } = next;
    const added = addCall(tree, caller, node.callFrame, places);
    if (added === null) continue;
    if (added.at >= 0) tree.self[added.at] += node.selfSize;
    if (added.by && node.selfSize > 0)
      shares?.add(added.by, { value: node.selfSize, weight: node.selfSize / HEAP_INTERVAL });
    for (const child of node.children ?? []) open.push({ node: child, caller: added });
  }
}

/** Reports whether code belongs to the recorder that the service loads. @type {(url: string) => boolean} */
function isRecorder(url) {
  return RECORDER.some((folder) => url.startsWith(folder));
}

/** V8 counts lines and columns from 0. @type {(callFrame: CallFrame) => Call} */
function callOf({ functionName, url: file, lineNumber, columnNumber }) {
  const name = (file === '' && BUILT_IN.get(functionName)) || functionName;
  return { name, file, line: lineNumber + 1, column: columnNumber + 1 };
}
