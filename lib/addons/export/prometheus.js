import { createServer } from 'node:http';

import { makeError } from '../../core/ground/errors.js';
import { openServer } from '../own-server/open.js';
import { writeAddress } from '../../core/http/url-parts.js';
import { exponentialOf, shown } from './metrics.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Histogram } from '../../core/measure/histogram.js' */
/** @import { Collected, Exporter } from './index.js' */
/** @import { Attributes, Metric } from './metrics.js' */

const PATH = '/metrics';
/** Scrapers may keep connections open: more are closed. */
const MOST_CONNECTIONS = 16;
/** Time limit of a request, and of an idle connection. */
const LONGEST_MS = 5000;
/** Time for which an answer is kept, and sent again. */
const FRESH_MS = 500;

/**
 * Serves the metrics of the run to Prometheus.
 * @throws {Error} E_EXPORTER: it cannot listen there
 * @type {(address: { host: string, port: number }, context: { collect: () => Collected | null }) => Promise<Exporter>}
 */
export async function open({ host, port }, { collect }) {
  const answers = new Answers(collect);
  const server = createServer({ requestTimeout: LONGEST_MS, headersTimeout: LONGEST_MS }, (request, response) =>
    answer(request, response, answers),
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(LONGEST_MS, (socket) => socket.destroy());
  const own = await openServer(server, { port, host, methods: ['GET', 'HEAD'] }).catch((cause) => {
    throw makeError('E_EXPORTER', { option: '--prometheus', reason: cause.message }, { cause });
  });
  return {
    to: `http://${writeAddress(own.address, own.port)}${PATH}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** @type {(request: IncomingMessage, response: ServerResponse, answers: Answers) => void} */
function answer({ url = '', headers: { accept = '' } }, response, answers) {
  const [path] = url.split('?');
  if (path !== PATH) response.writeHead(404).end(`the metrics are at ${PATH}\n`);
  else {
    const format = /application\/vnd\.google\.protobuf\b[^,]*encoding=delimited/i.test(accept) ? PROTOBUF : TEXT;
    const body = answers.body(format);
    response.writeHead(200, { 'content-type': format, 'content-length': body.length }).end(body);
  }
}

/** Keeps each answer for a short time, so that frequent scrapes cost the load generator nothing more. */
class Answers {
  #collect;
  /** @type {Map<string, { at: number, body: Buffer }>} */
  #known = new Map();

  /** @param {() => Collected | null} collect */
  constructor(collect) {
    this.#collect = collect;
  }

  /** @type {(format: string) => Buffer} */
  body(format) {
    const now = performance.now();
    const known = this.#known.get(format);
    if (known && now - known.at < FRESH_MS) return known.body;
    const collected = this.#collect();
    const body = collected === null ? Buffer.alloc(0) : FORMATS[format](collected);
    this.#known.set(format, { at: now, body });
    return body;
  }
}

/** The formats in which Prometheus reads metrics, by their media types. */
const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const PROTOBUF = 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited';
/** @type {Record<string, (collected: Collected) => Buffer>} */
const FORMATS = { [TEXT]: textOf, [PROTOBUF]: protobufOf };

/** Upper bounds of classic buckets, seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const UNITS = /** @type {Record<string, string>} */ ({ s: '_seconds', By: '_bytes' });

/**
 * Returns the name that Prometheus gives to a metric of OpenTelemetry: `benchrest_request_duration_seconds`.
 * @type {(metric: Pick<Metric, 'name' | 'unit' | 'kind'>) => string}
 */
export function prometheusName({ name, unit, kind }) {
  return `${name.replace(/\W/g, '_')}${UNITS[unit] ?? ''}${kind === 'counter' ? '_total' : ''}`;
}

/** Adds the metric whose labels identify the run. @type {(collected: Collected) => Metric[]} */
function withTarget({ resource, metrics }) {
  const attributes = Object.fromEntries(
    Object.entries(resource).map(([name, value]) => [name.replace(/\W/g, '_'), shown(value)]),
  );
  const about = 'What identifies the run.';
  return [...metrics, { name: 'target_info', unit: '', kind: 'gauge', about, points: [{ attributes, value: 1 }] }];
}

/** Counts the times up to each bound, and all. @type {(histogram: Histogram) => { bound: number, upTo: number }[]} */
function classicBuckets(histogram) {
  const counts = new Float64Array(BOUNDS.length);
  histogram.forEach((ms, times) => {
    const at = BOUNDS.findIndex((bound) => ms / 1000 <= bound);
    if (at >= 0) counts[at] += times;
  });
  let upTo = 0;
  return [
    ...BOUNDS.map((bound, i) => ({ bound, upTo: (upTo += counts[i]) })),
    { bound: Infinity, upTo: histogram.count },
  ];
}

/** The text format, with classic buckets. @type {(collected: Collected) => Buffer} */
export function textOf(collected) {
  const lines = withTarget(collected).flatMap((metric) => {
    const name = prometheusName(metric);
    return [`# HELP ${name} ${metric.about}`, `# TYPE ${name} ${metric.kind}`, ...samplesOf(metric, name)];
  });
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** @type {(metric: Metric, name: string) => string[]} */
function samplesOf(metric, name) {
  if (metric.kind !== 'histogram')
    return metric.points.map(({ attributes, value }) => `${name}${labelsOf(attributes)} ${value}`);
  return metric.points.flatMap(({ attributes, histogram }) => [
    ...classicBuckets(histogram).map(
      ({ bound, upTo }) =>
        `${name}_bucket${labelsOf({ ...attributes, le: bound === Infinity ? '+Inf' : String(bound) })} ${upTo}`,
    ),
    `${name}_sum${labelsOf(attributes)} ${histogram.sum / 1000}`,
    `${name}_count${labelsOf(attributes)} ${histogram.count}`,
  ]);
}

/** @type {(attributes: Attributes) => string} */
function labelsOf(attributes) {
  const pairs = Object.entries(attributes).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** @type {(value: string) => string} */
function escaped(value) {
  return value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
}

const KINDS = { counter: 0, gauge: 1, histogram: 4 };
/** The field of a Metric that has its value. */
const VALUES = { counter: 3, gauge: 2 };

/** Writes native histograms; fields have the numbers of metrics.proto. @type {(collected: Collected) => Buffer} */
export function protobufOf(collected) {
  const families = withTarget(collected).map((metric) => {
    const fields = [text(1, prometheusName(metric)), text(2, metric.about), number(3, KINDS[metric.kind])];
    return delimited(joined([...fields, ...metricsOf(metric)]));
  });
  return Buffer.from(joined(families));
}

/** Bytes of a message, or of a field. @typedef {number[]} Bytes */

/** @type {(metric: Metric) => Bytes[]} */
function metricsOf(metric) {
  if (metric.kind === 'histogram')
    return metric.points.map(({ attributes, histogram }) =>
      message(4, [...pairsOf(attributes), message(7, nativeHistogram(histogram))]),
    );
  const { kind, points } = metric;
  return points.map(({ attributes, value }) =>
    message(4, [...pairsOf(attributes), message(VALUES[kind], [double(1, value)])]),
  );
}

/** @type {(attributes: Attributes) => Bytes[]} */
function pairsOf(attributes) {
  return Object.entries(attributes).map(([name, value]) => message(1, [text(1, name), text(2, value)]));
}

/** One span has all buckets; their counts are differences. @type {(histogram: Histogram) => Bytes[]} */
function nativeHistogram(histogram) {
  const { scale, offset, counts, count, sum } = exponentialOf(histogram);
  // Bucket i ends at the power of the base that bucket i of OpenTelemetry begins with.
  const span = [message(12, [signed(1, offset + 1), number(2, counts.length)]), message(13, [deltasOf(counts)])];
  return [
    number(1, count),
    double(2, sum),
    ...classicBuckets(histogram).map(({ bound, upTo }) => message(3, [number(1, upTo), double(2, bound)])),
    signed(5, scale),
    double(6, 0),
    number(7, 0),
    // An empty span tells a native histogram without observations from a classic one.
    ...(counts.length === 0 ? [message(12, [signed(1, 0), number(2, 0)])] : span),
  ];
}

/** The difference of each count to the one before, packed. @type {(counts: number[]) => Bytes} */
function deltasOf(counts) {
  /** @type {Bytes} */
  const bytes = [];
  for (let i = 0; i < counts.length; i++) bytes.push(...varint(zigzag(counts[i] - (i > 0 ? counts[i - 1] : 0))));
  return bytes;
}

// The wire types of protobuf: 0 is a varint, 1 has 64 bits, 2 has a length.

/** @type {(field: number, value: number) => Bytes} */
function number(field, value) {
  return [...varint(field * 8), ...varint(value)];
}

/** @type {(field: number, value: number) => Bytes} */
function signed(field, value) {
  return number(field, zigzag(value));
}

/** @type {(value: number) => number} */
function zigzag(value) {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** @type {(field: number, value: number) => Bytes} */
function double(field, value) {
  return [field * 8 + 1, ...new Uint8Array(Float64Array.of(value).buffer)];
}

/** @type {(field: number, value: string) => Bytes} */
function text(field, value) {
  return [...varint(field * 8 + 2), ...delimited([...Buffer.from(value)])];
}

/** @type {(field: number, parts: Bytes[]) => Bytes} */
function message(field, parts) {
  return joined([varint(field * 8 + 2), delimited(joined(parts))]);
}

/** @type {(bytes: Bytes) => Bytes} */
function delimited(bytes) {
  return joined([varint(bytes.length), bytes]);
}

/** Joins by loops: `flat` needs five times as long. @type {(parts: Bytes[]) => Bytes} */
function joined(parts) {
  /** @type {Bytes} */
  const all = [];
  for (const part of parts) for (let i = 0; i < part.length; i++) all.push(part[i]);
  return all;
}

/** @type {(value: number) => Bytes} */
function varint(value) {
  const bytes = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return bytes;
}
