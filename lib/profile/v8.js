import { fileURLToPath } from 'node:url';

/** @import { ProfileFunction as Frame } from '../contracts/profile.js' */
/** @import { CallTree } from './call-tree.js' */
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
const PRELOAD = new URL('../run/server/preload/', import.meta.url);
const RECORDER = [PRELOAD.href, fileURLToPath(PRELOAD)];

/**
 * Adds a CPU profile, without idle time and without the recorder. `lastMs`: only the end of it.
 * @throws {TypeError} it is none
 * @type {(tree: CallTree, profile: CpuProfile, places: Places, lastMs?: number) => { durationMs: number }}
 */
export function addCpuProfile(tree, profile, { frameOf, lineOf }, lastMs = Infinity) {
  const { nodes, startTime, endTime } = profile;
  if (!Array.isArray(nodes) || !(endTime >= startTime)) throw new TypeError('it is no CPU profile');
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const from = Math.max(startTime, endTime - lastMs * US_PER_MS);
  const values = valuesOf(profile, from);
  const called = new Set(nodes.flatMap(({ children = [] }) => children));
  const open = nodes.filter(({ id }) => !called.has(id)).map((node) => ({ node, parent: -1 }));
  const seen = new Set();
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, parent } = next;
    if (seen.has(node.id)) continue;
    seen.add(node.id);
    const { functionName: name } = node.callFrame;
    if (name === IDLE || isRecorder(node.callFrame.url)) continue;
    const call = callOf(node.callFrame);
    const at = name === ROOT ? parent : tree.node(parent, tree.frame(frameOf(call)));
    const value = (values.get(node.id) ?? 0) / US_PER_MS;
    if (at >= 0) {
      tree.self[at] += value;
      addLines(tree, at, { node, value, lineOf: (line) => lineOf(call, line) });
    }
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) open.push({ node: child, parent: at });
    }
  }
  return { durationMs: (endTime - from) / US_PER_MS };
}

/**
 * @type {(tree: CallTree, at: number, own: { node: CpuNode, value: number, lineOf: (line: number) => number | undefined
 *   }) => void}
 */
function addLines(tree, at, { node: { positionTicks = [] }, value, lineOf }) {
  const ticks = positionTicks.reduce((sum, one) => sum + one.ticks, 0);
  if (value === 0 || ticks === 0 || tree.frames[tree.frameOf[at]].file === undefined) return;
  for (const { line, ticks: own } of positionTicks) {
    const found = lineOf(line);
    if (found !== undefined) tree.addLine(tree.frameOf[at], found, (value * own) / ticks);
  }
}

/**
 * The time of each node from an instant on: that of a sample lasts until the next one.
 * @type {(profile: CpuProfile, from: number) => Map<number, number>}
 */
function valuesOf({ nodes, startTime, endTime, samples = [], timeDeltas = [] }, from) {
  /** @type {Map<number, number>} */
  const values = new Map();
  if (samples.length === 0) {
    const hits = nodes.reduce((sum, { hitCount = 0 }) => sum + hitCount, 0);
    const each = hits > 0 ? (endTime - startTime) / hits : 0;
    return new Map(nodes.map(({ id, hitCount = 0 }) => [id, hitCount * each]));
  }
  let at = startTime;
  samples.forEach((id, i) => {
    at += timeDeltas[i] ?? 0;
    const until = i + 1 < samples.length ? at + (timeDeltas[i + 1] ?? 0) : endTime;
    const value = until - Math.max(at, from);
    if (value > 0) values.set(id, (values.get(id) ?? 0) + value);
  });
  return values;
}

/**
 * Adds a profile of allocations, in bytes.
 * @throws {TypeError} it is none
 * @type {(tree: CallTree, profile: HeapProfile, places: Pick<Places, 'frameOf'>) => void}
 */
export function addHeapProfile(tree, { head }, { frameOf }) {
  if (typeof head?.selfSize !== 'number') throw new TypeError('it is no heap profile');
  const open = [{ node: head, parent: -1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, parent } = next;
    if (isRecorder(node.callFrame.url)) continue;
    const isRoot = node.callFrame.functionName === ROOT;
    const at = isRoot ? parent : tree.node(parent, tree.frame(frameOf(callOf(node.callFrame))));
    if (at >= 0) tree.self[at] += node.selfSize;
    for (const child of node.children ?? []) open.push({ node: child, parent: at });
  }
}

/** Reports whether code belongs to the recorder that the service loads. @type {(url: string) => boolean} */
function isRecorder(url) {
  return RECORDER.some((folder) => url.startsWith(folder));
}

/** V8 counts lines and columns from 0. @type {(callFrame: CallFrame) => Call} */
function callOf({ functionName: name, url: file, lineNumber, columnNumber }) {
  return { name, file, line: lineNumber + 1, column: columnNumber + 1 };
}
