import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { STATUS_CODES } from 'node:http';

import { PACKAGE_VERSION } from '../../core/ground/package.js';
import { loadOptional } from './optional-package.js';
import { fieldsOf } from './protobuf.js';
import { exponentialOf } from './metrics.js';

/** @import { ClientRequest, IncomingMessage } from 'node:http' */
/** @import { Collected, Exporter } from './index.js' */
/** @import { Metric } from './metrics.js' */

const PACKAGE = '@opentelemetry/exporter-metrics-otlp-proto';
const PATH = '/v1/metrics';
/** Time limit of an export with its retries. */
const TIMEOUT_MS = 2000;

// Numbers of the enumerations of the SDK (ExportResultCode, DataPointType, AggregationTemporality, ValueType), which is
// loaded when it is used.
const SUCCESS = 0;
const EXPONENTIAL_HISTOGRAM = 1;
const TYPES = { gauge: 2, counter: 3 };
const CUMULATIVE = 1;
const DOUBLE = 1;

/** Node publishes each response that one of its own clients receives. */
const RESPONSES = 'http.client.response.finish';
const CREDENTIALS = 'write its credentials into OTEL_EXPORTER_OTLP_HEADERS';
/** What a status says about the collector. @type {Record<number, string>} */
const MEANINGS = {
  401: CREDENTIALS,
  403: CREDENTIALS,
  404: 'it receives no metrics at this URL',
  429: 'it gets metrics more often than it allows',
  502: 'the proxy in front of it cannot reach it',
  503: 'it is overloaded, or not ready',
  504: 'the proxy in front of it gets no answer',
};

/**
 * Exports to a collector by OTLP, as protobuf over HTTP. The SDK reads further settings from the environment, such as
 * OTEL_EXPORTER_OTLP_HEADERS.
 * @throws {Error} E_PACKAGE
 * @type {(url: string) => Promise<Exporter>}
 */
export async function open(url) {
  const { OTLPMetricExporter } = await loadOptional(PACKAGE, '--otlp', () => import(PACKAGE));
  const own = metricsUrl(url);
  const exporter = new OTLPMetricExporter({ url: own, timeoutMillis: TIMEOUT_MS });
  return {
    to: url,
    push: async (collected) => {
      const answer = new Answer(own);
      try {
        await new Promise((resolve, reject) => {
          exporter.export(requestOf(collected), (/** @type {{ code: number, error?: Error }} */ { code, error }) =>
            code === SUCCESS ? resolve(undefined) : reject(error ?? new Error('the export failed')),
          );
        });
      } catch (error) {
        throw answer.status === 0 ? error : new Error(statusText(answer.status), { cause: error });
      } finally {
        answer.close();
      }
      answer.check();
    },
    close: () => exporter.shutdown(),
  };
}

/** @type {(status: number) => string} */
function statusText(status) {
  const meaning = MEANINGS[status];
  return `${status} ${STATUS_CODES[status] ?? ''}${meaning ? `: ${meaning}` : ''}`;
}

/** The last response of a collector. The SDK hides its status when it tries again, and what a success left out. */
class Answer {
  #url;
  /** @type {Buffer[]} */
  #body = [];
  #type = '';
  /** 0: there is none. */
  status = 0;

  /** @param {string} url */
  constructor(url) {
    this.#url = new URL(url);
    subscribe(RESPONSES, this.#read);
  }

  /** @type {(message: unknown) => void} */
  #read = (message) => {
    const { request, response } = /** @type {{ request: ClientRequest, response: IncomingMessage }} */ (message);
    const { host, pathname, search } = this.#url;
    if (request.getHeader('host') !== host || request.path !== `${pathname}${search}`) return;
    this.status = response.statusCode ?? 0;
    this.#type = response.headers['content-type'] ?? '';
    this.#body = [];
    response.on('data', (chunk) => this.#body.push(chunk));
  };

  close() {
    unsubscribe(RESPONSES, this.#read);
  }

  /** @throws {Error} it does not say that all metrics were received */
  check() {
    if (/^text\/html\b/i.test(this.#type)) throw new Error(`${this.status} with a page: no collector answers there`);
    const { rejected, why } = rejectedBy(Buffer.concat(this.#body));
    if (rejected > 0) throw new Error(`it rejected ${rejected} values${why && `: ${why}`}`);
  }
}

/** What is no partial success rejects nothing. @type {(body: Uint8Array) => { rejected: number, why: string }} */
export function rejectedBy(body) {
  const found = { rejected: 0, why: '' };
  try {
    for (const { field, bytes } of fieldsOf(body)) {
      if (field !== 1 || bytes === null) continue;
      for (const part of fieldsOf(bytes)) {
        if (part.field === 1 && part.bytes === null) found.rejected = part.number;
        if (part.field === 2 && part.bytes) found.why = new TextDecoder().decode(part.bytes);
      }
    }
  } catch {
    return { rejected: 0, why: '' };
  }
  return found;
}

/** Adds the path of metrics to a URL that does not end with it. @type {(url: string) => string} */
function metricsUrl(url) {
  const own = new URL(url);
  if (!own.pathname.endsWith(PATH)) own.pathname = own.pathname.replace(/\/$/, '') + PATH;
  return own.href;
}

/** Builds the `ResourceMetrics` of the SDK. @type {(collected: Collected) => object} */
export function requestOf({ resource, startedAt, metrics }) {
  const times = { startTime: hrTime(startedAt), endTime: hrTime(new Date()) };
  return {
    resource: { attributes: { ...resource, ...attributesOf(process.env) } },
    scopeMetrics: [
      {
        scope: { name: 'bench-rest', version: PACKAGE_VERSION },
        metrics: metrics.map((metric) => metricOf(metric, times)),
      },
    ],
  };
}

/** The attributes of the environment: `team=search`. @type {(env: NodeJS.ProcessEnv) => Record<string, string>} */
function attributesOf({ OTEL_RESOURCE_ATTRIBUTES = '', OTEL_SERVICE_NAME }) {
  const pairs = OTEL_RESOURCE_ATTRIBUTES.split(',').flatMap((pair) => {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return name === undefined ? [] : [[name, decoded(value)]];
  });
  return { ...Object.fromEntries(pairs), ...(OTEL_SERVICE_NAME && { 'service.name': OTEL_SERVICE_NAME }) };
}

/** @type {(value: string) => string} */
function decoded(value) {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** @typedef {[seconds: number, nanoseconds: number]} HrTime */

/** @type {(metric: Metric, times: { startTime: HrTime, endTime: HrTime }) => object} */
function metricOf(metric, times) {
  const { name, unit, about: description } = metric;
  const descriptor = { name, unit, description, valueType: DOUBLE, advice: {} };
  const base = { descriptor, aggregationTemporality: CUMULATIVE };
  if (metric.kind === 'histogram') {
    const dataPoints = metric.points.map(({ attributes, histogram }) => {
      const { scale, offset, counts: bucketCounts, count, sum, min, max } = exponentialOf(histogram);
      const negative = { offset: 0, bucketCounts: [] };
      // Without times there is no shortest one.
      const ends = count > 0 && { min, max };
      const value = { count, sum, ...ends, scale, zeroCount: 0, positive: { offset, bucketCounts }, negative };
      return { ...times, attributes, value };
    });
    return { ...base, dataPointType: EXPONENTIAL_HISTOGRAM, dataPoints };
  }
  const isMonotonic = metric.kind === 'counter';
  const dataPoints = metric.points.map((point) => ({ ...times, ...point }));
  return { ...base, dataPointType: TYPES[metric.kind], ...(isMonotonic && { isMonotonic }), dataPoints };
}

/** @type {(date: Date) => HrTime} */
function hrTime(date) {
  const ms = date.getTime();
  return [Math.floor(ms / 1000), (ms % 1000) * 1e6];
}
