import { KINDS } from '../errors.js';
import { EXIT_CODES } from '../exit-codes.js';
import { PHASES } from '../phases.js';
import { schemaUrl } from '../schema-url.js';
import { FIGURES, HISTOGRAMS } from './figures.js';
import { PERCENTILES } from './histogram-columns.js';
import { TRANSACTIONS } from './transactions.js';

const count = { $ref: '#/$defs/count' };
const histogram = { $ref: '#/$defs/histogram' };
const meter = { $ref: '#/$defs/meter' };
const text = { type: 'string' };
const number = { type: 'number' };
const nullable = { type: ['number', 'null'] };
const nullableInteger = { type: ['integer', 'null'] };
const instant = { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$' };
const texts = { type: 'array', items: text };
const statusCodes = { $ref: '#/$defs/statusCodes' };
const phase = { $ref: '#/$defs/phase' };
const errorKind = { $ref: '#/$defs/errorKind' };
const STATUS = { pattern: '^([0-9]{3}|other)$' };
const share = { type: 'number', minimum: 0, maximum: 1 };
const encoded = { type: ['string', 'null'], description: 'HdrHistogram, V2 compressed encoding, base64' };

/** The schema of a figure by its kind. @type {Record<string, object>} */
const KIND_SCHEMAS = { count, number, nullable, flag: { type: 'boolean' }, histogram };

/**
 * The JSON Schema of a result, which `result.schema.json` holds. The figures come from figures.js.
 *
 * @returns {Record<string, any>}
 */
export function resultSchema() {
  const schema = base();
  for (const { path, kind, isOptional } of FIGURES)
    addProperty(schema, path.split('.'), KIND_SCHEMAS[kind], isOptional);
  return schema;
}

/** @type {(schema: any, keys: string[], property: object, isOptional?: boolean) => void} */
function addProperty(schema, [key, ...rest], property, isOptional = false) {
  if (rest.length > 0) return addProperty(schema.properties[key], rest, property, isOptional);
  if (!isOptional && !Object.hasOwn(schema.properties, key)) schema.required.push(key);
  schema.properties[key] ??= property;
  return undefined;
}

/** @type {(properties: Record<string, any>, optional?: Record<string, any>) => Record<string, any>} */
function closed(properties, optional = {}) {
  return {
    type: 'object',
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
    additionalProperties: false,
  };
}

function base() {
  const metric = { anyOf: [closed({ meter, histogram }), meter, histogram, nullable] };
  const { properties, required } = closed(
    {
      totalElapsed: number,
      measuredElapsed: number,
      main: closed({ meter }),
      iterations: closed({}),
      requests: closed({ connections: closed({}), statusCodes }),
      operations: { type: 'array', items: operation() },
      exemplars: exemplars(),
      series: series(),
      errors: errors(),
      client: client(),
      verdict: closed({ status: { enum: ['valid', 'suspect', 'invalid'] }, reasons: texts }, { missing: texts }),
    },
    {
      schema: { const: 1 },
      title: text,
      startedAt: instant,
      measuredAt: instant,
      endedAt: instant,
      percentiles: { type: 'array', items: closed({ percentile: number, ms: nullable }) },
      ...Object.fromEntries(TRANSACTIONS.map(({ key }) => [key, { type: 'array', items: transaction() }])),
      run: run(),
      exit: closed({ code: { type: 'integer' }, reasons: { type: 'array', items: { enum: Object.keys(EXIT_CODES) } } }),
      checks: checks(),
      warmup: closed({ iterations: count, errors: count }),
      server: closed({ cpu: number }, { ...thread(), memory: closed({}) }),
      thresholds: thresholds(),
      baseline: baseline(),
      agents: agents(),
      report: report(),
      histograms: histograms(),
    },
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaUrl('result.schema.json'),
    title: 'A result of bench-rest, schema 1',
    description:
      'What --format json prints and the stats of a run hold. Times are milliseconds. Keys that are not named here are the timers, meters, histograms, counters and gauges of hooks. The number of the schema is raised when a key changes its meaning or is removed.',
    type: 'object',
    required,
    properties,
    additionalProperties: metric,
    $defs: {
      count: { type: 'integer', minimum: 0 },
      histogram: histogramSummary(),
      meter: meterSummary(),
      phase: { enum: PHASES },
      errorKind: { enum: [...Object.keys(KINDS), 'cancelled'] },
      statusCodes: { type: 'object', propertyNames: STATUS, additionalProperties: count },
    },
  };
}

function run() {
  return closed(
    {
      id: text,
      tool: text,
      startedAt: instant,
      flow: closed({ from: text, hash: text }),
      shape: text,
      origins: texts,
      options: { type: 'object' },
      machine: closed({ node: text, platform: text, arch: text, cpus: text, memory: number }),
      why: text,
    },
    { proxies: texts, shard: closed({ number, of: number }), runId: text, startSkew: number },
  );
}

function thresholds() {
  const judgement = closed({
    expression: text,
    passed: { type: 'boolean' },
    actual: nullable,
    unit: { enum: ['ms', '%', ''] },
  });
  return { type: 'array', items: judgement };
}

function baseline() {
  const verdict = { enum: ['better', 'worse', 'noise', 'unknown'] };
  const bounds = { base: nullable, other: nullable, change: nullable, low: nullable, high: nullable };
  const figure = closed({ figure: text, unit: text, ...bounds, verdict });
  const counts = closed({ count, errors: count });
  const figures = { type: 'array', items: figure };
  const compared = closed({ name: text, phase: text, base: counts, other: counts, figures });
  const limit = closed({ expression: text, passed: { type: 'boolean' } }, { problem: text });
  return closed(
    {
      from: text,
      method: { enum: ['pairs', 'runs', 'blocks', 'none'] },
      figures,
      operations: { type: 'array', items: compared },
      limits: { type: 'array', items: limit },
      notes: texts,
    },
    { startedAt: text },
  );
}

function agents() {
  const each = closed(
    {
      shard: count,
      name: text,
      version: text,
      cores: count,
      workers: count,
      iterations: count,
      rate: number,
      p99: nullable,
      cpu: nullable,
      loopDelay: nullable,
      saturated: { type: 'boolean' },
      startDelay: nullable,
      clockOffset: nullable,
      roundTrip: nullable,
    },
    { lost: text },
  );
  return closed({ each: { type: 'array', items: each }, lost: count, tolerated: count, startSkew: nullable });
}

function report() {
  const cells = { type: 'array', items: { type: ['string', 'number', 'null'] } };
  return closed(
    { title: text },
    { lines: texts, columns: texts, rows: { type: 'array', items: cells }, failed: { type: 'boolean' } },
  );
}

function operation() {
  return closed(
    {
      name: text,
      phase: { enum: [...PHASES, ''], description: 'empty for the operations beyond 1,000, which are added up' },
      count,
      errors: count,
      statusCodes,
      serviceTime: histogram,
    },
    { rate: number, serviceTimeByStatus: { type: 'object', additionalProperties: histogram, propertyNames: STATUS } },
  );
}

function checks() {
  const each = closed(
    {
      name: text,
      operation: text,
      phase: { enum: [...PHASES, ''], description: 'empty for the checks beyond 1,000, which are added up' },
      where: text,
      passes: count,
      failures: count,
      share: { type: ['number', 'null'], minimum: 0, maximum: 1 },
    },
    { scenario: text, firstFailure: closed({ index: nullableInteger, message: text }) },
  );
  return closed({ each: { type: 'array', items: each } });
}

function transaction() {
  return closed({ name: text, count, errors: count, rate: number, time: histogram });
}

function exemplars() {
  const exemplar = closed(
    {
      index: nullableInteger,
      operation: text,
      status: nullableInteger,
      ms: number,
      reused: { type: 'boolean' },
      scheduled: nullable,
      started: number,
      connected: nullable,
      sent: nullable,
      firstByte: nullable,
      ended: number,
    },
    { error: text, code: text },
  );
  const list = { type: 'array', maxItems: 10, items: exemplar };
  return closed({ slowest: list, failed: list });
}

function series() {
  const point = closed(
    {
      at: number,
      count,
      errors: count,
      p50: nullable,
      p99: nullable,
      max: nullable,
      concurrency: number,
      utilization: number,
    },
    { rate: number, errorRate: number, bytes: count, bytesRate: number },
  );
  const spread = closed(
    { min: number, p2_5: number, median: number, p97_5: number, max: number },
    { p1: number, mean: number, stddev: number },
  );
  const rates = { ...spread, type: ['object', 'null'] };
  return closed(
    { interval: number, points: { type: 'array', maxItems: 10_000, items: point } },
    { rates, bytesRates: rates },
  );
}

function errors() {
  const sample = closed(
    {
      message: text,
      context: phase,
      kind: errorKind,
      code: text,
      operation: text,
      count,
      firstIndex: nullableInteger,
    },
    { name: text, place: closed({ file: text, line: count, column: count, code: text }), exchange: texts },
  );
  return closed({
    count,
    kinds: { type: 'object', additionalProperties: count, propertyNames: errorKind },
    samples: { type: 'array', items: sample },
  });
}

function thread() {
  return { utilization: share, delay: closed({ mean: number, p99: number, max: number }), cpu: number, gc: number };
}

function client() {
  const rate = {
    type: ['object', 'null'],
    required: ['asked', 'reached'],
    properties: { asked: number, reached: number },
  };
  const standstill = closed({ longest: { type: 'number', minimum: 0 }, spared: count });
  return closed(
    { ...thread(), workers: count, rate, saturated: { type: 'boolean' }, notes: texts },
    // added to schema 1 later
    { standstill },
  );
}

function histograms() {
  const all = HISTOGRAMS.filter(({ key }) => key !== 'corrected').map(({ key, isOptional }) => ({ key, isOptional }));
  const named = (/** @type {boolean} */ isOptional) =>
    Object.fromEntries(all.filter((row) => (row.isOptional ?? false) === isOptional).map(({ key }) => [key, encoded]));
  const byName = { type: 'object', additionalProperties: encoded };
  return closed(
    {
      ...named(false),
      operations: { type: 'array', items: encoded },
      timers: byName,
      series: { ...texts, description: 'the payload of the encoding of each point, base64' },
    },
    {
      ...named(true),
      operationsByStatus: { type: 'array', items: byName },
      ...Object.fromEntries(TRANSACTIONS.map(({ key }) => [key, { type: 'array', items: encoded }])),
    },
  );
}

function histogramSummary() {
  return closed({
    min: nullable,
    max: nullable,
    sum: number,
    variance: nullable,
    mean: nullable,
    stddev: nullable,
    count,
    ...Object.fromEntries(PERCENTILES.map(({ key }) => [key, nullable])),
    outOfRange: count,
  });
}

function meterSummary() {
  return {
    type: 'object',
    required: ['mean', 'count', 'currentRate', '1MinuteRate', '5MinuteRate', '15MinuteRate'],
    additionalProperties: number,
  };
}
