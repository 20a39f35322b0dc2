import { MOST_FRAMES, MOST_NODES, PROFILE_KINDS, PROFILE_ORIGINS, PROFILE_UNITS } from '../ground/profiles.js';
import {
  amount,
  byteRate,
  bytes,
  closed,
  cores,
  count,
  listOf,
  notes,
  rate,
  share,
  text,
  texts,
  thread,
  time,
  timeOrNull,
} from './schema-parts.js';

export function server() {
  return closed(
    { name: text, source: { enum: ['process', 'thread'] }, cpuTime: time },
    {
      ...{ ...thread(), cpuCores: cores, cpuTimePerRequest: timeOrNull },
      memory: closed({ mean: bytes, peak: bytes }, { growth: grown(bytes) }),
      ...{ cores: count, endedAfter: time, restarts: count, busiestThread: cores },
      ...{ busiestThreadWait: cores, busyThreads: amount },
      ...{ cpuWait: amount, machineCores: cores, contextSwitchRate: rate },
      ...{ openFiles: level(amount), threads: level(amount) },
      io: closed({ readRate: byteRate, writtenRate: byteRate }),
      network: closed({ receivedRate: byteRate, sentRate: byteRate }),
      processes: closed({
        peak: count,
        details: listOf(closed({ pid: count, name: text, cpuTime: time, memory: bytes })),
      }),
      ...{ gcShare: share, heap: level(bytes), resources: level(amount) },
      nodeThreads: listOf(nodeThread()),
      series: closed({
        interval: { type: 'number', exclusiveMinimum: 0, description: 'ms' },
        points: listOf(serverPoint(), 1000),
      }),
      conclusions: notes,
    },
  );
}

/** @type {(of: Record<string, unknown>) => Record<string, unknown>} */
function grown({ description, ...of }) {
  const per = description === undefined ? 'per minute' : `${description} per minute`;
  return { ...of, type: ['number', 'null'], description: per };
}

/** @type {(of: Record<string, unknown>) => Record<string, unknown>} */
function level(of) {
  return closed({ peak: of }, { growth: grown(of) });
}

function nodeThread() {
  const { eventLoopUtilization, eventLoopDelay, gcTime } = thread();
  return closed(
    {
      ...{ id: text, pid: count, thread: count, name: text, version: text },
      ...{ eventLoopUtilization, eventLoopDelay, gcTime, gcShare: share },
      ...{ memory: closed({ heap: bytes, external: bytes, limit: bytes }), resources: count },
    },
    { losses: closed({ errors: count, dropped: count }) },
  );
}

function serverPoint() {
  return closed(
    {
      ...{ at: time, answered: count, cpuCores: cores, busiestThread: cores, busiestThreadWait: cores },
      ...{ busyThreads: amount, cpuWait: amount, machineCores: cores, memory: bytes },
      ...{ threads: amount, processes: amount, contextSwitchRate: rate },
    },
    {
      ...{ openFiles: amount, readRate: byteRate, writtenRate: byteRate },
      ...{ receivedRate: byteRate, sentRate: byteRate },
      ...{ eventLoopUtilization: share, eventLoopDelay: time, gcShare: share, heap: bytes, resources: amount },
    },
  );
}

const PROFILED = { kind: { enum: PROFILE_KINDS }, unit: { enum: Object.values(PROFILE_UNITS) } };
const ORIGIN = { enum: Object.keys(PROFILE_ORIGINS) };
/** Numbers of the nodes of a tree, in the order of the nodes. */
const column = (/** @type {object} */ items) => listOf(items, MOST_NODES);
const places = { ...column({ type: 'integer', minimum: -1 }), description: 'of the calling node; -1: none' };

export function profile() {
  const frame = closed(
    { name: text, origin: ORIGIN, self: amount, total: amount },
    { file: text, line: count, column: count, hotLine: count, package: text },
  );
  return closed(
    {
      ...PROFILED,
      total: amount,
      duration: time,
      processes: listOf(closed({ name: text, total: amount }, { isWorker: { const: true } })),
      frames: listOf(frame, MOST_FRAMES),
      tree: closed({ frames: column(count), parents: places, self: column(amount) }),
    },
    {
      operations: closed({
        rows: listOf(closed({ name: text, value: amount, direct: amount })),
        others: amount,
        shared: amount,
      }),
      overhead: share,
      files: texts,
    },
  );
}

/** Values are per request. */
export function comparedProfiles() {
  const place = { file: text, line: count, package: text };
  const changed = closed({ name: text, origin: ORIGIN, base: amount, new: amount }, { ...place, column: count });
  const sides = closed({
    ...PROFILED,
    ...{ base: amount, new: amount },
    functions: listOf(changed),
    frames: listOf(closed({ name: text, origin: ORIGIN }, { ...place, column: count }), MOST_NODES),
    tree: closed({ frames: column(count), parents: places, base: column(amount), new: column(amount) }),
  });
  return listOf(sides, 2);
}
