import { PACKAGE_VERSION, loadOptional } from '../../ground/package.js';
import { exponentialOf } from './metrics.js';

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

/**
 * Exports to a collector by OTLP, as protobuf over HTTP. The SDK reads further settings from the environment, such as
 * OTEL_EXPORTER_OTLP_HEADERS.
 * @throws {Error} E_PACKAGE
 * @type {(url: string) => Promise<Exporter>}
 */
export async function open(url) {
  const { OTLPMetricExporter } = await loadOptional(PACKAGE, '--otlp', () => import(PACKAGE));
  const exporter = new OTLPMetricExporter({ url: metricsUrl(url), timeoutMillis: TIMEOUT_MS });
  return {
    to: url,
    push: (collected) =>
      new Promise((resolve, reject) => {
        exporter.export(requestOf(collected), (/** @type {{ code: number, error?: Error }} */ { code, error }) =>
          code === SUCCESS ? resolve() : reject(error ?? new Error('the export failed')),
        );
      }),
    close: () => exporter.shutdown(),
  };
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
