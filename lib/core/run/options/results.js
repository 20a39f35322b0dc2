import { readMs, refuseBareTime } from '../../ground/units.js';
import { HIGHEST_PORT, withoutBrackets } from '../../http/url-parts.js';
import { LOG_FORMATS, logFormatOf } from '../../../addons/log/log-format.js';
import { maskText } from '../../text/mask.js';
import { flag, ms, rate, text, textOf } from './row.js';

/** @import { RunOption } from './types.js' */

/** Time between progress updates of the command, ms. */
const PROGRESS_MS = 1000;

/** Lines of a log per second: 2 MB. */
const LOG_RATE = 10_000;

/** Why an agent does not take it from the queue: the coordinator exports the sum of all. */
const BY_COMMAND = 'belongs to the command with --agents, which exports the sum of all agents';

/** Exporters of metrics. To add one, write its file and a row. @type {RunOption[]} */
const EXPORTERS = [
  {
    name: 'otlp',
    flag: '--otlp <url>',
    ...text,
    check: isCollector,
    masked: maskText,
    expected: 'an http or https URL of a collector, such as http://localhost:4318, without credentials',
    about: 'export metrics to an OpenTelemetry collector every 5 s, such as http://localhost:4318',
    exporter: () => import('../../../addons/export/otlp.js'),
    reaches: 'sends figures, with the credentials of the environment,',
    refusedByAgents: BY_COMMAND,
  },
  {
    name: 'prometheus',
    flag: '--prometheus <address>',
    ...text,
    type: 'string | number',
    schema: { type: ['string', 'number'] },
    parsed: '{ host: string, port: number }',
    read: readListenAddress,
    readsAny: true,
    check: (v) => typeof v?.host === 'string' && typeof v.port === 'number',
    expected: 'an address to listen on, such as :9464 or 0.0.0.0:9464',
    about: 'let Prometheus scrape the metrics at this address; :9464 listens on this machine only',
    exporter: () => import('../../../addons/export/prometheus.js'),
    reaches: 'opens a server',
    refusedByAgents: BY_COMMAND,
    refusedInJob: 'listens in the pod: export to a collector with --otlp',
  },
];

/** Selects the exporters that a run has. @type {(options: Record<string, any>) => RunOption[]} */
export function exportersOf(options) {
  return EXPORTERS.filter(({ name }) => options[name] !== undefined);
}

/** @type {RunOption[]} */
export const RESULTS = [
  {
    name: 'progress',
    flag: '-d, --progress <ms>',
    ...ms,
    type: 'number | string | boolean',
    schema: { anyOf: [{ $ref: '#/$defs/time' }, { type: 'boolean' }] },
    read: readProgress,
    readsAny: true,
    refuseText: refuseDuration,
    default: 0,
    commandDefault: PROGRESS_MS,
    about: 'time between progress updates, in ms; 0 or false: none; true: every second',
  },
  {
    name: 'quiet',
    ...flag,
    default: false,
    about: 'emit no warnings about the flow and the options',
  },
  {
    name: 'title',
    flag: '--title <text>',
    ...text,
    about: 'name of the run in its results',
  },
  {
    name: 'label',
    flag: '--label <text>',
    ...text,
    // YAML reads 1.4 as a number
    type: 'string | number',
    parsed: 'string',
    schema: { type: ['string', 'number'] },
    read: (given) => (typeof given === 'number' ? String(given) : given),
    readsAny: true,
    about: 'what is measured, such as a version: bench-rest history names results by it',
  },
  {
    name: 'percentiles',
    flag: '--percentile <p>',
    repeatable: true,
    type: '(number | string)[]',
    parsed: 'number[]',
    schema: { type: 'array', items: { type: ['number', 'string'] } },
    read: readPercentiles,
    check: (v) => Array.isArray(v) && v.every((one) => typeof one === 'number' && one > 0 && one <= 100),
    expected: 'percentiles above 0, up to 100, such as 99.5',
    about: 'more percentiles of the response time, such as 99.5; repeatable',
  },
  {
    name: 'seriesInterval',
    flag: '--series-interval <time>',
    ...ms,
    refuseText: refuseBareTime,
    check: (v) => Number.isSafeInteger(v) && v >= 10 && v <= 3_600_000,
    expected: 'whole milliseconds from 10 to 3600000',
    about: 'length of an interval of the time series; default: 1s, and less during the first 16 s',
  },
  {
    name: 'expectedInterval',
    flag: '--expected-interval <time>',
    ...ms,
    refuseText: refuseBareTime,
    check: (v) => ms.check(v) && v > 0,
    expected: 'milliseconds above 0',
    about: 'expected time between iterations of a virtual user; adds times corrected for coordinated omission',
  },
  {
    name: 'log',
    flag: '--log <file>',
    ...text,
    check: (v) => typeof v === 'string' && logFormatOf(v) !== undefined,
    reaches: 'writes a file',
    expected: `a path that ends with ${LOG_FORMATS.map(({ extension }) => extension).join(' or ')}`,
    about: 'write a line for every request to this file: .ndjson or .csv; see --log-rate',
    refusedInJob: 'is a file of the pod, which is lost with it',
  },
  {
    name: 'logRate',
    flag: '--log-rate <n>',
    ...rate,
    default: LOG_RATE,
    about:
      'lines per second of --log at most; above, a random sample is written, and each line says how many requests it stands for',
  },
  ...EXPORTERS,
  {
    name: 'trace',
    type: '(exchange: any, secrets: () => string[]) => void',
    schema: null,
    check: (v) => typeof v === 'function',
    expected: 'a function',
    about:
      'called with every exchange: its request, response, error and time; and with a function that returns the secrets in it',
  },
];

const ADDRESS = /^(?:(\[[\da-f:.]+\]|[^\s:/@[\]]*):)?(\d{1,5})$/i;
const LOOPBACK = '127.0.0.1';

/**
 * Reads `:9464`, `9464`, `0.0.0.0:9464` or `[::1]:9464`; without a host, the loopback address. Any other value
 * stays as it is.
 * @type {(given: unknown) => unknown}
 */
function readListenAddress(given) {
  const [, host = '', port] = ADDRESS.exec(textOf(given)) ?? [];
  if (port === undefined || Number(port) > HIGHEST_PORT) return given;
  return { host: withoutBrackets(host) || LOOPBACK, port: Number(port) };
}

/** @type {(given: unknown) => boolean} */
function isCollector(given) {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : null;
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === ''
  );
}

/** @type {(given: any) => any} */
function readProgress(given) {
  if (typeof given === 'boolean') return given ? PROGRESS_MS : 0;
  return typeof given === 'string' ? readMs(given) : given;
}

/** @type {(given: any) => any} */
function readPercentiles(given) {
  return Array.isArray(given)
    ? given.map((one) => (typeof one === 'string' && one.trim() !== '' ? Number(one.replace(/^p/, '')) : one))
    : given;
}

/** Refuses `-d 10s`, which is the length of a run in other tools. @type {(text: string) => string | undefined} */
function refuseDuration(text) {
  if (/^[^\d.\s-]/.test(text)) return 'It is the time between progress updates, in ms; a body is -b, --body';
  if (!/\d\s*[smh]$/.test(text) || /ms$/.test(text)) return undefined;
  return `It is the time between progress updates, in ms; to run for ${text} write -t ${text}`;
}
