import { PHASES } from '../ground/phases.js';
import { HTTP2_EVENTS } from '../http/http2.js';
import { STOPS } from '../process/stops.js';
import { OFFERED_KEYS, RUN_HEAD, documentSchema, inOrderOfKeys } from './document.js';
import { FIGURES } from './figures.js';
import { OPERATION_FIGURES } from './operation-figures.js';
import {
  FIGURE_UNIT,
  STATUS,
  amount,
  amountOrNull,
  bounds,
  byteRate,
  closed,
  count,
  definitions,
  errorKind,
  experimental,
  histogram,
  instant,
  judgedPart,
  labels,
  listOf,
  load,
  loadGeneratorEntry,
  meter,
  note,
  notes,
  nullable,
  nullableInteger,
  number,
  offset,
  offsetOrNull,
  other,
  outcome,
  phase,
  place,
  rate,
  share,
  shareOrNull,
  statusCodes,
  text,
  texts,
  thread,
  time,
  timeOrNull,
  times,
} from './schema-parts.js';
import { COMPARATORS } from './thresholds.js';
import { TRANSACTIONS } from './transactions.js';
import { STATUSES } from './validity.js';

/** @type {Record<string, object>} */
const KIND_SCHEMAS = { count, number: amount, nullable: amountOrNull, histogram };

/** Returns the JSON Schema of a result. The figures come from figures.js. */
export function resultSchema() {
  const schema = base();
  for (const figure of FIGURES) addFigure(schema, figure);
  schema.properties = inOrderOfKeys(schema.properties);
  return schema;
}

/** Returns the schema of a group of figures, such as `iterations`. @type {(group: string) => Record<string, any>} */
export function figuresSchema(group) {
  const schema = { properties: { [group]: closed({}) }, required: [group] };
  for (const figure of FIGURES) if (figure.path.startsWith(`${group}.`)) addFigure(schema, figure);
  return schema.properties[group];
}

/** @type {(schema: any, figure: typeof FIGURES[number]) => void} */
function addFigure(schema, { path, kind, unit, isOptional, isExperimental }) {
  const property = { ...KIND_SCHEMAS[kind], ...(unit !== '' && { description: unit }) };
  addProperty(schema, path.split('.'), isExperimental ? experimental(property) : property, isOptional);
}

/** @type {(schema: any, keys: string[], property: object, isOptional?: boolean) => void} */
function addProperty(schema, [key, ...rest], property, isOptional = false) {
  if (rest.length > 0) return addProperty(schema.properties[key], rest, property, isOptional);
  if (!isOptional && !Object.hasOwn(schema.properties, key)) schema.required.push(key);
  schema.properties[key] ??= property;
  return undefined;
}

function base() {
  const metric = { anyOf: [closed({ meter, histogram }), meter, histogram, nullable] };
  const keys = closed(
    {
      tool: closed({ name: text, version: text }),
      totalElapsed: time,
      measuredElapsed: time,
      main: closed({ meter }),
      iterations: closed({}),
      ...traffic(),
      operations: listOf(operation()),
      exemplars: exemplars(),
      series: series(),
      errors: errors(),
      metrics: { type: 'object', additionalProperties: metric },
      loadGenerator: loadGenerator(),
      validity: closed({ status: { enum: STATUSES }, reasons: notes }, { remarks: notes, figures: judgedFigures() }),
    },
    {
      ...{ id: text, title: text, label: text },
      ramped: { type: 'boolean' },
      startedAt: instant,
      measuredAt: instant,
      endedAt: instant,
      percentiles: listOf(
        closed({ percentile: { ...amount, maximum: 100, description: '%' }, responseTime: timeOrNull }),
      ),
      ...rows(),
      messages: closed({}),
      outside: closed({}),
      http2: closed({}, { codes: http2Codes() }),
      run: run(),
      outcome: outcome(),
      checks: checks(),
      warmup: closed({ iterations: count, errors: count }),
      thresholds: thresholds(),
      ...exactness(),
      loadGenerators: listOf(loadGeneratorEntry()),
      section: section(),
      ...Object.fromEntries(
        OFFERED_KEYS.map(({ name, isExperimental, schema }) => [
          name,
          isExperimental ? experimental(schema()) : schema(),
        ]),
      ),
    },
  );
  return documentSchema(RUN_HEAD, {
    title: 'A result of bench-rest',
    about: 'What --format json prints and the stats of a run hold. Times are milliseconds.',
    keys,
    definitions: definitions(),
  });
}

function run() {
  return closed(
    {
      flow: closed({ source: text, sha256: text }),
      loads: listOf(load()),
      origins: texts,
      proxies: texts,
      options: { type: 'object' },
      endReason: text,
    },
    {
      id: text,
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
  return listOf(figure);
}

function exactness() {
  const figure = closed(
    { figure: text, unit: FIGURE_UNIT, actual: nullable, interval: bounds() },
    { batches: count, reason: note },
  );
  const confidence = { level: share, figures: listOf(figure) };
  const goal = closed(
    {
      ...{ expression: text, figure: text, bound: share },
      actual: { ...amountOrNull, description: 'ratio' },
      ...{ unit: { enum: ['ratio'] }, passed: { type: 'boolean' } },
    },
    { reason: note },
  );
  return {
    confidence: closed(confidence, { reason: note }),
    precision: listOf(goal),
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
    {
      range: closed({ low: number, high: number }),
      undecided: { const: true },
      doubt: text,
      window: closed({ from: time, to: time, count }),
      running: count,
      cutOff: count,
    },
  );
  return listOf(judgement);
}

function section() {
  const cells = listOf({ type: ['string', 'number', 'null'] });
  return closed({ title: text }, { lines: texts, columns: texts, rows: listOf(cells), failed: { type: 'boolean' } });
}

/** Returns the schema of an operation. */
export function operation() {
  return closed(
    {
      ...{ name: text, labels, count, errors: count, statusCodes },
      times: closed({ serviceTime: times }, { withoutErrors: times, least: times, cancelled: times }),
    },
    {
      ...{ phase, protocol: text, other, rate, skipped: count, oldest: time, overdue: count },
      serviceTimeByStatus: { type: 'object', additionalProperties: times, propertyNames: STATUS },
      ...figuresOfSome(),
    },
  );
}

/** Returns the schemas of figures that only some operations have, by their keys. */
function figuresOfSome() {
  return Object.fromEntries(OPERATION_FIGURES.map((row) => [row.key, figuresOf(row)]));
}

/** @type {(row: import('./operation-figures.js').OperationFigures) => object} */
function figuresOf(row) {
  const counts = row.counts.map(({ key, unit, about, isOptional = false }) => ({
    key,
    isOptional,
    schema: { ...count, description: unit === '' ? about : `${unit}; ${about}` },
  }));
  const required = counts.filter(({ isOptional }) => !isOptional);
  const optional = counts.filter(({ isOptional }) => isOptional);
  const rates = row.counts.flatMap((one) => (one.rate === undefined ? [] : [[one.rate, rate]]));
  const limits = { [row.limits.name]: listOf(closed({ limits: text, good: count, count })) };
  /** @type {(rows: typeof counts) => Record<string, object>} */
  const byKey = (rows) => Object.fromEntries(rows.map(({ key, schema }) => [key, schema]));
  return closed(
    { ...byKey(required), ...Object.fromEntries(row.times.map(({ key }) => [key, times])) },
    { ...byKey(optional), ...Object.fromEntries(rates), ...limits },
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
      share: shareOrNull,
    },
    { scenario: text, labels, firstFailure: closed({ index: nullableInteger, message: text }) },
  );
  return closed({ details: listOf(each) });
}

function addresses() {
  const figures = { name: text, address: text, connections: count, failed: count, requests: count, time };
  return listOf(closed(figures, { error: text }));
}

function http2Codes() {
  return listOf(closed({ event: { enum: HTTP2_EVENTS }, code: text, count }, { message: text }));
}

function traffic() {
  const withheld = { type: 'object', additionalProperties: count };
  const requests = closed({ statusCodes }, { withheld, addresses: addresses() });
  return { requests, connections: closed({}), bytes: closed({}), virtualUsers: closed({}) };
}

function rows() {
  const each = TRANSACTIONS.map(({ key, time }) => [key, listOf(transaction(time))]);
  return { ...Object.fromEntries(each), tags: listOf(tag()) };
}

function tag() {
  return closed(
    {
      ...{ name: text, labels, count, errors: count, statusCodes },
      times: closed({ serviceTime: times }, { withoutErrors: times, least: times, cancelled: times }),
    },
    { phase, rate, skipped: count, overdue: count, ...figuresOfSome() },
  );
}

/** @type {(name: string) => Record<string, any>} of its times */
function transaction(name) {
  return closed(
    {
      ...{ name: text, phase, labels, count, errors: count, rate },
      times: closed({ [name]: times }, { serviceTime: times, least: times, cancelled: times }),
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
  const list = listOf(exemplar, 10);
  return closed({ slowest: list, failed: list });
}

/** Returns the schema of the series. */
export function series() {
  const interval = { type: 'number', exclusiveMinimum: 0, description: 'ms' };
  const percentiles = closed({ median: timeOrNull, p95: timeOrNull, p99: timeOrNull });
  const ofSome = OPERATION_FIGURES.map(({ key, seriesRate, series: all }) => [
    key,
    closed({ [seriesRate]: rate, ...Object.fromEntries(all.map((of) => [of, percentiles])) }),
  ]);
  const serviceTimes = { at: time, count, serviceTime: closed({ median: timeOrNull, p95: timeOrNull }) };
  const operation = closed(
    {
      name: text,
      phase: { enum: [...PHASES, ''] },
      interval,
      points: listOf(closed(serviceTimes, Object.fromEntries(ofSome)), 300),
    },
    { labels },
  );
  return closed(
    {
      interval,
      points: listOf(point(), 10_000),
      spread: closed({ 'iterations.completedRate': spreadOf(rate), 'bytes.receivedRate': spreadOf(byteRate) }),
    },
    {
      operations: listOf(operation, 20),
      recent: closed({ interval, points: listOf(point(), 900) }),
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
    { message: text, phase, kind: errorKind, code: text, count, firstIndex: nullableInteger },
    {
      ...{ path: text, operation: text, exchange: texts },
      location: closed({ file: text, line: count, column: count, source: text }),
    },
  );
  return closed({
    count,
    kinds: { type: 'object', additionalProperties: count, propertyNames: errorKind },
    details: listOf(sample),
  });
}

function loadGenerator() {
  const stall = closed({ longest: time, extendedTimeouts: count });
  const stop = closed({ count, longest: time, total: time });
  const stops = closed(Object.fromEntries(STOPS.map((cause) => [cause, stop])));
  return closed(
    { ...thread(), stall, stops, workers: count, saturated: { type: 'boolean' }, reasons: notes },
    {
      ...{ startGap: time, pipelining: count, startSkew: timeOrNull },
      pacing: { enum: ['timer', 'thread', 'poll', 'mixed'] },
    },
  );
}
