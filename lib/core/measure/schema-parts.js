import { KINDS } from '../ground/errors.js';
import { PHASES } from '../ground/phases.js';
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

/** Marks a schema whose keys may change in a minor version. @type {(schema: any) => any} */
export function experimental(schema) {
  return { ...schema, $comment: 'experimental' };
}

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
    },
  );
}
