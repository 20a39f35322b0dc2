import { KINDS } from '../ground/errors.js';
import { PHASES } from '../ground/phases.js';
import { STOPS } from '../process/stops.js';
import { RUN_HEAD, documentSchema, headSchema, inOrderOfKeys } from './document.js';
import { FIGURES, STREAM_COUNTS, STREAM_SERIES, STREAM_TIMES } from './figures.js';
import { PERCENTILES } from './percentiles.js';
import { COMPARATORS } from './thresholds.js';
import { TRANSACTIONS } from './transactions.js';
import { STATUSES } from './validity.js';

const count = { $ref: '#/$defs/count' };
const histogram = { $ref: '#/$defs/histogram' };
const times = { ...histogram, description: 'ms' };
const meter = { $ref: '#/$defs/meter' };
const text = { type: 'string' };
const number = { type: 'number' };
/** Units of numbers, which the schema has as their description. */
export const UNITS = ['ms', 'B', '/s', 'B/s', 'ratio', 'cores', '%'];
const amount = { type: 'number', minimum: 0 };
const amountOrNull = { type: ['number', 'null'], minimum: 0 };
const nullable = { type: ['number', 'null'] };
const time = { ...amount, description: 'ms' };
const timeOrNull = { ...amountOrNull, description: 'ms' };
/** of a run, or of two clocks: it may be negative */
const offset = { ...number, description: 'ms' };
const offsetOrNull = { ...nullable, description: 'ms' };
const rate = { ...amount, description: '/s' };
const bytes = { ...amount, description: 'B' };
const byteRate = { ...amount, description: 'B/s' };
const cores = { ...amount, description: 'cores' };
const nullableInteger = { type: ['integer', 'null'] };
const instant = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$',
  description: 'a date with a time in UTC, such as 2030-01-31T12:00:00.000Z',
};
const texts = { type: 'array', items: text };
/** why something is so: a code for programs, a sentence for people */
const notes = { type: 'array', items: { $ref: '#/$defs/note' } };
const statusCodes = { $ref: '#/$defs/statusCodes' };
const phase = { $ref: '#/$defs/phase' };
const labels = { type: 'object', additionalProperties: text };
const other = { const: true, description: 'the rows beyond the first 1,000, which are added up' };
const errorKind = { $ref: '#/$defs/errorKind' };
const STATUS = { pattern: '^([0-9]{3}|other)$', description: 'a status of three digits, or other' };
/** in a list that is counted from 1 */
const place = { type: 'integer', minimum: 1 };
const FIGURE_UNIT = { enum: ['ms', 'ratio', '/s', 'B', 'B/s', 'cores', ''] };
const share = { type: 'number', minimum: 0, maximum: 1, description: 'ratio' };

/** @type {Record<string, object>} */
const KIND_SCHEMAS = { count, number: amount, nullable: amountOrNull, histogram };

/**
 * The JSON Schema of a result. The figures come from figures.js.
 *
 * @param {{ isOpen?: boolean }} [options] isOpen: with any further keys, as `result.schema.json` allows them: later
 *   versions add some
 * @returns {Record<string, any>}
 */
export function resultSchema({ isOpen = false } = {}) {
  const schema = base();
  for (const { path, kind, unit, isOptional } of FIGURES)
    addProperty(
      schema,
      path.split('.'),
      { ...KIND_SCHEMAS[kind], ...(unit !== '' && { description: unit }) },
      isOptional,
    );
  schema.properties = inOrderOfKeys(schema.properties);
  return isOpen ? opened(schema) : schema;
}

/** @type {(schema: any) => any} without the limit to known keys */
export function opened(schema) {
  if (Array.isArray(schema)) return schema.map(opened);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'additionalProperties' || value !== false);
  return Object.fromEntries(entries.map(([key, value]) => [key, opened(value)]));
}

/** @type {(schema: any, keys: string[], property: object, isOptional?: boolean) => void} */
function addProperty(schema, [key, ...rest], property, isOptional = false) {
  if (rest.length > 0) return addProperty(schema.properties[key], rest, property, isOptional);
  if (!isOptional && !Object.hasOwn(schema.properties, key)) schema.required.push(key);
  schema.properties[key] ??= property;
  return undefined;
}

/** @type {(properties: Record<string, any>, optional?: Record<string, any>) => Record<string, any>} */
export function closed(properties, optional = {}) {
  return {
    type: 'object',
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
    additionalProperties: false,
  };
}

function base() {
  const metric = { anyOf: [closed({ meter, histogram }), meter, histogram, nullable] };
  const keys = closed(
    {
      ...headSchema(RUN_HEAD),
      totalElapsed: time,
      measuredElapsed: time,
      main: closed({ meter }),
      iterations: closed({}),
      ...traffic(),
      operations: { type: 'array', items: operation() },
      exemplars: exemplars(),
      series: series(),
      errors: errors(),
      metrics: { type: 'object', additionalProperties: metric },
      loadGenerator: loadGenerator(),
      validity: closed({ status: { enum: STATUSES }, reasons: notes }, { remarks: notes, figures: judgedFigures() }),
    },
    {
      ...{ id: text, title: text, label: text },
      tool: closed({ name: text, version: text }),
      ramped: { type: 'boolean' },
      startedAt: instant,
      measuredAt: instant,
      endedAt: instant,
      percentiles: {
        type: 'array',
        items: closed({ percentile: { ...amount, maximum: 100, description: '%' }, responseTime: timeOrNull }),
      },
      ...rows(),
      messages: closed({}),
      http2: closed({}),
      run: run(),
      outcome: outcome(),
      checks: checks(),
      ...{ log: log(), exports: exporters(), warmup: closed({ iterations: count, errors: count }) },
      servers: { type: 'array', items: server() },
      thresholds: thresholds(),
      baseline: baseline(),
      ...exactness(),
      agents: closed({ lost: count, maxLost: count }),
      loadGenerators: { type: 'array', items: loadGeneratorEntry() },
      section: section(),
      profiles: { type: 'array', maxItems: 2, items: profile() },
    },
  );
  return documentSchema(RUN_HEAD, {
    title: 'A result of bench-rest',
    about: 'What --format json prints and the stats of a run hold. Times are milliseconds.',
    keys,
    definitions: definitions(),
  });
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
    reasons: { type: 'array', items: reason },
  });
}

function server() {
  return closed(
    { name: text, source: { enum: ['process', 'thread'] }, cpuTime: time },
    {
      ...{ ...thread(), cpuCores: cores, cpuTimePerRequest: timeOrNull },
      memory: closed({ mean: bytes, peak: bytes }, { growth: grown(bytes) }),
      ...{ cores: count, busiestThread: cores, busiestThreadWait: cores, busyThreads: amount },
      ...{ cpuWait: amount, machineCores: cores, contextSwitchRate: rate },
      ...{ openFiles: level(amount), threads: level(amount) },
      io: closed({ readRate: byteRate, writtenRate: byteRate }),
      network: closed({ receivedRate: byteRate, sentRate: byteRate }),
      processes: closed({
        peak: count,
        details: { type: 'array', items: closed({ pid: count, name: text, cpuTime: time, memory: bytes }) },
      }),
      ...{ gcShare: share, heap: level(bytes), resources: level(amount) },
      nodeThreads: { type: 'array', items: nodeThread() },
      series: closed({
        interval: { type: 'number', exclusiveMinimum: 0, description: 'ms' },
        points: { type: 'array', maxItems: 1000, items: serverPoint() },
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

export function load() {
  const stage = closed({ duration: time, ramp: { type: 'boolean' } }, { rate, virtualUsers: count });
  return closed(
    { name: text, virtualUsers: count, text },
    {
      model: { enum: ['open', 'closed'] },
      ...{ arrival: text, rate, startAfter: time, after: text, duration: time, iterations: count },
      stages: { type: 'array', items: stage },
    },
  );
}

function run() {
  return closed(
    {
      flow: closed({ source: text, sha256: text }),
      loads: { type: 'array', items: load() },
      origins: texts,
      options: { type: 'object' },
      endReason: text,
    },
    {
      id: text,
      proxies: texts,
      shards: closed({ merged: place, of: place }),
      git: closed({ commit: text }, { branch: text }),
    },
  );
}

function judgedFigures() {
  const figure = closed({
    ...{ figure: text, of: judgedPart(), actual: time, loadGeneratorTime: time },
    status: { enum: ['valid', 'suspect'] },
  });
  return { type: 'array', items: figure };
}

/** what a figure is of; empty: the whole run */
function judgedPart() {
  return closed({}, { load: text, operation: text, scenario: text, group: text, tag: text, check: text });
}

function bounds() {
  return { ...closed({ low: number, high: number }), type: ['object', 'null'] };
}

function exactness() {
  const figure = closed(
    { figure: text, unit: FIGURE_UNIT, actual: nullable, interval: bounds() },
    { batches: count, reason: { $ref: '#/$defs/note' } },
  );
  const confidence = { level: share, figures: { type: 'array', items: figure } };
  const goal = closed(
    {
      ...{ expression: text, figure: text, bound: share },
      actual: { ...amountOrNull, description: 'ratio' },
      ...{ unit: { enum: ['ratio'] }, passed: { type: 'boolean' } },
    },
    { reason: { $ref: '#/$defs/note' } },
  );
  return {
    confidence: closed(confidence, { reason: { $ref: '#/$defs/note' } }),
    precision: { type: 'array', items: goal },
  };
}

function thresholds() {
  const judgement = closed(
    {
      expression: text,
      figure: text,
      of: judgedPart(),
      operator: { enum: Object.keys(COMPARATORS) },
      bound: number,
      actual: nullable,
      unit: FIGURE_UNIT,
      passed: { type: 'boolean' },
    },
    { doubt: text, window: closed({ from: time, to: time, count }), running: count, cutOff: count },
  );
  return { type: 'array', items: judgement };
}

function baseline() {
  return closed(
    {
      from: text,
      method: { enum: METHODS },
      ...{ figures: comparedFigures(), operations: comparedOperations(), regressions: regressions(), warnings: notes },
    },
    { id: text, startedAt: text, untested: { $ref: '#/$defs/note' }, profiles: comparedProfiles() },
  );
}

/** How changes are tested; files of alpha versions have another one. */
export const METHODS = ['pairs', 'runs', 'sequence', 'noise', 'none', 'blocks'];

export function comparedFigures() {
  const change = { ...nullable, description: 'ratio' };
  const figure = closed(
    {
      ...{ figure: text, unit: text, base: nullable, new: nullable, change },
      interval: { ...closed({ low: change, high: change }), type: ['object', 'null'] },
      p: nullable,
      verdict: { enum: ['better', 'worse', 'noise', 'unknown'] },
    },
    { reason: { $ref: '#/$defs/note' }, confidence: closed({ base: bounds(), new: bounds() }) },
  );
  return { type: 'array', items: figure };
}

export function comparedOperations() {
  const counts = { ...closed({ count, errors: count }), type: ['object', 'null'] };
  const operation = closed({ name: text, phase: text, base: counts, new: counts, figures: comparedFigures() });
  return { type: 'array', items: operation };
}

export function regressions() {
  const limit = closed(
    {
      ...{ expression: text, figure: text, bound: { ...amount, description: 'ratio' } },
      actual: { ...nullable, description: 'ratio' },
      ...{ unit: { const: 'ratio' }, passed: { type: 'boolean' } },
    },
    { message: text },
  );
  return { type: 'array', items: limit };
}

function machineSchema() {
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
      machine: machineSchema(),
      startOffset: offsetOrNull,
      clockOffset: offsetOrNull,
      roundTrip: timeOrNull,
      iterations: closed({ started: count, completedRate: rate }),
      responseTime: closed({ p99: timeOrNull }),
      loadGenerator: figures,
      lost: { $ref: '#/$defs/note' },
      stoppedBy: text,
      replaces: texts,
    },
  );
}

const PROFILED = { kind: { enum: ['cpu', 'heap'] }, unit: { enum: ['ms', 'B'] } };
const ORIGIN = { enum: ['own', 'package', 'runtime', 'native'] };
/** Numbers of the nodes of a tree, in the order of the nodes. */
const column = (/** @type {object} */ items, description = '') => ({
  type: 'array',
  maxItems: 5000,
  items,
  ...(description && { description }),
});
const places = { ...column({ type: 'integer', minimum: -1 }), description: 'of the calling node; -1: none' };

function profile() {
  const frame = closed(
    { name: text, origin: ORIGIN, self: amount, total: amount },
    { file: text, line: count, column: count, hotLine: count, package: text },
  );
  return closed(
    {
      ...PROFILED,
      total: amount,
      duration: time,
      processes: { type: 'array', items: closed({ name: text, total: amount }) },
      frames: { type: 'array', maxItems: 5200, items: frame },
      tree: closed({ frames: column(count), parents: places, self: column(amount) }),
    },
    { overhead: share, files: texts },
  );
}

/** Values are per request. */
export function comparedProfiles() {
  const place = { file: text, line: count, package: text };
  const changed = closed({ name: text, origin: ORIGIN, base: amount, new: amount }, { ...place, column: count });
  const sides = closed({
    ...PROFILED,
    ...{ base: amount, new: amount },
    functions: { type: 'array', items: changed },
    frames: {
      type: 'array',
      maxItems: 5000,
      items: closed({ name: text, origin: ORIGIN }, { ...place, column: count }),
    },
    tree: closed({ frames: column(count), parents: places, base: column(amount), new: column(amount) }),
  });
  return { type: 'array', maxItems: 2, items: sides };
}

function section() {
  const cells = { type: 'array', items: { type: ['string', 'number', 'null'] } };
  return closed(
    { title: text },
    { lines: texts, columns: texts, rows: { type: 'array', items: cells }, failed: { type: 'boolean' } },
  );
}

function operation() {
  return closed(
    {
      ...{ name: text, labels, count, errors: count, statusCodes },
      times: closed({ serviceTime: times }, { withoutErrors: times, least: times, cancelled: times }),
    },
    {
      ...{ phase, protocol: text, other, rate, skipped: count, overdue: count },
      serviceTimeByStatus: { type: 'object', additionalProperties: times, propertyNames: STATUS },
      stream: stream(),
    },
  );
}

/** Returns the schema of the streams of an operation. */
function stream() {
  const counts = STREAM_COUNTS.map(({ key, unit, about, ...row }) => ({
    key,
    isOptional: 'isOptional' in row,
    schema: { ...count, description: unit === '' ? about : `${unit}; ${about}` },
  }));
  const required = counts.filter(({ isOptional }) => !isOptional);
  const optional = counts.filter(({ isOptional }) => isOptional);
  const rates = STREAM_COUNTS.flatMap((row) => ('rate' in row ? [[row.rate, rate]] : []));
  const goodput = { type: 'array', items: closed({ limits: text, good: count, count }) };
  /** @type {(rows: typeof counts) => Record<string, object>} */
  const byKey = (rows) => Object.fromEntries(rows.map(({ key, schema }) => [key, schema]));
  return closed(
    { ...byKey(required), ...Object.fromEntries(STREAM_TIMES.map(({ key }) => [key, times])) },
    { ...byKey(optional), ...Object.fromEntries(rates), goodput },
  );
}

function checks() {
  const each = closed(
    {
      name: text,
      operation: text,
      phase: { enum: [...PHASES, ''], description: 'empty for the checks beyond 1,000, which are added up' },
      path: text,
      passed: count,
      failed: count,
      share: { ...share, type: ['number', 'null'] },
    },
    { scenario: text, firstFailure: closed({ index: nullableInteger, message: text }) },
  );
  return closed({ details: { type: 'array', items: each } });
}

function addresses() {
  const figures = { name: text, address: text, connections: count, failed: count, requests: count, time };
  return { type: 'array', items: closed(figures, { error: text }) };
}

function log() {
  const counts = { requests: count, lines: count, overRate: count, behindDisk: count };
  return closed({ files: { type: 'array', items: closed({ file: text, ...counts }, { error: text }) } });
}

function exporters() {
  const summary = closed({ exporter: text, to: text }, { exports: count, failed: count, error: text });
  return { type: 'array', items: summary };
}

function traffic() {
  const withheld = { type: 'object', additionalProperties: count };
  const requests = closed({ statusCodes }, { withheld, addresses: addresses() });
  return { requests, connections: closed({}), bytes: closed({}), virtualUsers: closed({}) };
}

function rows() {
  const each = TRANSACTIONS.map(({ key, time }) => [key, { type: 'array', items: transaction(time) }]);
  return {
    loads: { type: 'array', items: loadSummary() },
    ...Object.fromEntries(each),
    tags: { type: 'array', items: tag() },
  };
}

/** one of several loads */
function loadSummary() {
  /** @type {(group: string) => Record<string, any>} its figures, as those of a run */
  const figuresIn = (group) => {
    const schema = { properties: { [group]: closed({}) }, required: [group] };
    for (const { path, kind, unit, isOptional } of FIGURES)
      if (path.startsWith(`${group}.`))
        addProperty(schema, path.split('.'), { ...KIND_SCHEMAS[kind], ...(unit && { description: unit }) }, isOptional);
    return schema.properties[group];
  };
  const { interval, points } = series().properties;
  return closed(
    {
      ...{ name: text, phase, labels, measuredElapsed: time, count, errors: count, rate },
      ...{ iterations: figuresIn('iterations'), virtualUsers: figuresIn('virtualUsers') },
      times: closed(
        { responseTime: times, serviceTime: times },
        { failed: times, cancelled: times, least: times, serviceLeast: times },
      ),
      series: closed({ interval, points }),
      validity: closed({ status: { enum: STATUSES }, reasons: notes }),
    },
    { startAfter: time, startDelay: times, spacing: times },
  );
}

function tag() {
  return closed(
    {
      ...{ name: text, labels, count, errors: count, rate, statusCodes },
      times: closed({ serviceTime: times }, { withoutErrors: times, least: times, cancelled: times }),
    },
    { skipped: count, overdue: count, stream: stream() },
  );
}

/** @type {(name: string) => Record<string, any>} of its times */
function transaction(name) {
  return closed(
    {
      ...{ name: text, phase, labels, count, errors: count, rate },
      times: closed({ [name]: times }, { least: times, cancelled: times }),
    },
    { other, overdue: count },
  );
}

function exemplars() {
  const trace = closed(
    { id: { type: 'string', pattern: '^[0-9a-f]{32}$' }, sampled: { type: 'boolean' } },
    { link: { type: 'string', pattern: '^https?://\\S+$' } },
  );
  const exemplar = closed(
    {
      index: nullableInteger,
      ...{ operation: text, path: text },
      status: nullableInteger,
      serviceTime: time,
      reused: { type: 'boolean' },
      started: offset,
      connected: offsetOrNull,
      sent: offsetOrNull,
      firstByte: offsetOrNull,
      ended: offset,
    },
    { due: offset, error: text, code: text, trace },
  );
  const list = { type: 'array', maxItems: 10, items: exemplar };
  return closed({ slowest: list, failed: list });
}

function series() {
  const interval = { type: 'number', exclusiveMinimum: 0, description: 'ms' };
  const percentiles = closed({ median: timeOrNull, p95: timeOrNull, p99: timeOrNull });
  const streams = closed({ eventRate: rate, ...Object.fromEntries(STREAM_SERIES.map((of) => [of, percentiles])) });
  const serviceTimes = { at: time, count, serviceTime: closed({ median: timeOrNull, p95: timeOrNull }) };
  const operation = closed({
    name: text,
    phase: { enum: [...PHASES, ''] },
    interval,
    points: { type: 'array', maxItems: 300, items: closed(serviceTimes, { stream: streams }) },
  });
  return closed(
    {
      interval,
      points: { type: 'array', maxItems: 10_000, items: point() },
      spread: closed({ 'iterations.completedRate': spreadOf(rate), 'bytes.receivedRate': spreadOf(byteRate) }),
    },
    {
      operations: { type: 'array', maxItems: 20, items: operation },
      recent: closed({ interval, points: { type: 'array', maxItems: 900, items: point() } }),
    },
  );
}

/** @type {(of: object) => Record<string, any>} */
function spreadOf(of) {
  const shown = { min: of, p2_5: of, median: of, p97_5: of, max: of };
  return { ...closed(shown, { p1: of, mean: of, stddev: of }), type: ['object', 'null'] };
}

function point() {
  const hdrPayload = { ...text, description: 'the payload of the encoding in hdr, base64' };
  return closed(
    {
      at: time,
      iterations: closed({ completed: count, completedRate: rate, failed: count }),
      errors: count,
      responseTime: closed({ median: timeOrNull, p99: timeOrNull, max: timeOrNull }, { p95: timeOrNull, hdrPayload }),
      concurrency: amount,
      loadGenerator: closed({ eventLoopUtilization: { ...amount, description: 'ratio' } }),
    },
    { bytes: closed({ received: { ...count, description: 'B' }, receivedRate: byteRate }) },
  );
}

function errors() {
  const sample = closed(
    {
      message: text,
      phase,
      kind: errorKind,
      code: text,
      count,
      firstIndex: nullableInteger,
    },
    {
      ...{ path: text, operation: text, exchange: texts },
      location: closed({ file: text, line: count, column: count, source: text }),
    },
  );
  return closed({
    count,
    kinds: { type: 'object', additionalProperties: count, propertyNames: errorKind },
    details: { type: 'array', items: sample },
  });
}

function thread() {
  return {
    eventLoopUtilization: share,
    eventLoopDelay: closed({ mean: time, p99: time, max: time }),
    cpuTime: time,
    gcTime: time,
  };
}

function loadGenerator() {
  const stall = closed({ longest: time, extendedTimeouts: count });
  const stop = closed({ count, longest: time, total: time });
  const stops = closed(Object.fromEntries(STOPS.map((cause) => [cause, stop])));
  return closed(
    { ...thread(), workers: count, saturated: { type: 'boolean' }, reasons: notes },
    // some runs, and files of alpha versions, lack these
    {
      ...{ stall, stops, startGap: time, pipelining: count, startSkew: timeOrNull },
      pacing: { enum: ['timer', 'thread', 'poll', 'mixed'] },
    },
  );
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
  return { ...closed({ ...rates, count }), additionalProperties: number };
}
