import { KINDS } from '../ground/errors.js';
import { PHASES } from '../ground/phases.js';
import { MOST_FRAMES, MOST_NODES, PROFILE_KINDS, PROFILE_ORIGINS, PROFILE_UNITS } from '../ground/profiles.js';
import { PERCENTILES } from './percentiles.js';

/** @type {(items: object, maxItems?: number) => Record<string, any>} */
export function listOf(items, maxItems) {
  return { type: 'array', ...(maxItems !== undefined && { maxItems }), items };
}

export const count = { $ref: '#/$defs/count' };
export const histogram = { $ref: '#/$defs/histogram' };
export const times = { ...histogram, description: 'ms' };
export const meter = { $ref: '#/$defs/meter' };
export const text = { type: 'string' };
export const number = { type: 'number' };
/** Units of numbers, which the schema has as their description. */
export const UNITS = ['ms', 'B', '/s', 'B/s', 'ratio', 'cores', '%'];
export const amount = { type: 'number', minimum: 0 };
export const amountOrNull = { type: ['number', 'null'], minimum: 0 };
export const nullable = { type: ['number', 'null'] };
export const time = { ...amount, description: 'ms' };
export const timeOrNull = { ...amountOrNull, description: 'ms' };
/** A time from the start of a run, or between two clocks: it may be negative. */
export const offset = { ...number, description: 'ms' };
export const offsetOrNull = { ...nullable, description: 'ms' };
export const rate = { ...amount, description: '/s' };
export const bytes = { ...amount, description: 'B' };
export const byteRate = { ...amount, description: 'B/s' };
export const cores = { ...amount, description: 'cores' };
export const nullableInteger = { type: ['integer', 'null'] };
export const instant = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$',
  description: 'a date with a time in UTC, such as 2030-01-31T12:00:00.000Z',
};
export const texts = listOf(text);
export const note = { $ref: '#/$defs/note' };
/** Why something is so: a code for programs, a sentence for people. */
export const notes = listOf(note);
export const statusCodes = { $ref: '#/$defs/statusCodes' };
export const phase = { $ref: '#/$defs/phase' };
export const labels = { type: 'object', additionalProperties: text };
export const other = { const: true, description: 'the rows beyond the first 1,000, which are added up' };
export const errorKind = { $ref: '#/$defs/errorKind' };
export const STATUS = { pattern: '^([0-9]{3}|other)$', description: 'a status of three digits, or other' };
/** A position in a list that is counted from 1. */
export const place = { type: 'integer', minimum: 1 };
export const FIGURE_UNIT = { enum: ['ms', 'ratio', '/s', 'B', 'B/s', 'cores', ''] };
export const share = { type: 'number', minimum: 0, maximum: 1, description: 'ratio' };
export const shareOrNull = { ...share, type: ['number', 'null'] };

/**
 * Removes the limit to known keys from a schema of `closed`: the published schemas allow those that later versions add.
 * @type {(schema: any) => any}
 */
export function opened(schema) {
  if (Array.isArray(schema)) return schema.map(opened);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'additionalProperties' || value !== false);
  return Object.fromEntries(entries.map(([key, value]) => [key, opened(value)]));
}

/**
 * The schema of an object with these keys alone.
 * @type {(properties: Record<string, any>, optional?: Record<string, any>) => Record<string, any>}
 */
export function closed(properties, optional = {}) {
  return {
    type: 'object',
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
    additionalProperties: false,
  };
}

/** Returns the schemas that others refer to. */
export function definitions() {
  return {
    count: { type: 'integer', minimum: 0 },
    histogram: histogramSummary(),
    meter: meterSummary(),
    note: closed({ code: text, message: text }),
    phase: { enum: PHASES },
    errorKind: { enum: Object.keys(KINDS) },
    statusCodes: { type: 'object', propertyNames: STATUS, additionalProperties: count },
  };
}

/** @type {(ofReason?: Record<string, any>) => Record<string, any>} ofReason: further optional keys of its reasons */
export function outcome(ofReason = {}) {
  const reason = closed(
    { code: text, message: text },
    { figure: text, of: judgedPart(), operator: text, bound: number, actual: nullable, unit: text, ...ofReason },
  );
  return closed({
    passed: { type: 'boolean' },
    exitCode: { type: 'integer' },
    reasons: listOf(reason),
  });
}

/** what a figure is of; empty: the whole run */
export function judgedPart() {
  return closed({}, { load: text, operation: text, scenario: text, group: text, tag: text, check: text });
}

export function bounds() {
  return { ...closed({ low: number, high: number }), type: ['object', 'null'] };
}

export function thread() {
  return {
    eventLoopUtilization: share,
    eventLoopDelay: closed({ mean: time, p99: time, max: time }),
    cpuTime: time,
    gcTime: time,
  };
}

function histogramSummary() {
  return closed(
    {
      ...{ min: nullable, max: nullable, sum: number, variance: nullable, mean: nullable, stddev: nullable, count },
      ...Object.fromEntries(PERCENTILES.map(({ key }) => [key, nullable])),
      outOfRange: count,
    },
    { hdr: { ...text, description: 'HdrHistogram, V2 compressed encoding, base64; absent if nothing was recorded' } },
  );
}

function meterSummary() {
  const rates = { mean: rate, currentRate: rate, '1MinuteRate': rate, '5MinuteRate': rate, '15MinuteRate': rate };
  return { ...closed({ ...rates, count }, { rate }), additionalProperties: number };
}

export function load() {
  const stage = closed({ duration: time, ramp: { type: 'boolean' } }, { rate, virtualUsers: count });
  return closed(
    { name: text, virtualUsers: count, text },
    {
      model: { enum: ['open', 'closed'] },
      ...{ arrival: text, rate, startAfter: time, after: text, duration: time, iterations: count },
      stages: listOf(stage),
    },
  );
}

function machine() {
  return closed({ cores: count }, { platform: text, arch: text, cpuModel: text, memory: bytes, runtime: text });
}

export function loadGeneratorEntry() {
  const { eventLoopUtilization, eventLoopDelay, cpuTime } = thread();
  const figures = closed({
    ...{ saturated: { type: 'boolean' }, eventLoopUtilization, eventLoopDelay, cpuTime },
    cpuCores: { ...amountOrNull, description: 'cores' },
  });
  return closed(
    { name: text, workers: count },
    {
      shard: closed({ number: place, of: place }),
      toolVersion: text,
      machine: machine(),
      startOffset: offsetOrNull,
      clockOffset: offsetOrNull,
      roundTrip: timeOrNull,
      iterations: closed({ started: count, completedRate: rate }),
      responseTime: closed({ p99: timeOrNull }),
      loadGenerator: figures,
      lost: note,
      stoppedBy: text,
      replaces: texts,
    },
  );
}

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
  const frame = () => closed({ name: text, origin: ORIGIN }, { ...place, column: count });
  const changed = closed(
    { name: text, origin: ORIGIN, base: amount, new: amount },
    { ...place, column: count, by: frame() },
  );
  const sides = closed({
    ...PROFILED,
    ...{ base: amount, new: amount },
    functions: listOf(changed),
    frames: listOf(frame(), MOST_NODES),
    tree: closed({ frames: column(count), parents: places, base: column(amount), new: column(amount) }),
  });
  return listOf(sides, 2);
}
