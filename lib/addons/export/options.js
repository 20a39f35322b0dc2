import { HIGHEST_PORT } from '../../core/ground/units.js';
import { addressOf, withoutBrackets } from '../../core/http/url-parts.js';
import { text, textOf } from '../../core/run/options/row.js';
import { maskText } from '../../core/text/mask.js';

/** @import { RunOption } from '../../core/run/options/types.js' */
/** @import { ExporterModule } from './index.js' */

/** @typedef {RunOption & { exporter: () => Promise<ExporterModule> }} ExporterOption loads what exports the metrics */

/** Why an agent does not take it from the queue: the coordinator exports the sum of all. */
const BY_COMMAND = 'belongs to the command with --agents, which exports the sum of all agents';

/** Exporters of metrics. To add one, write its file and a row. @type {ExporterOption[]} */
export const EXPORTERS = [
  {
    name: 'otlp',
    flag: '--otlp <url>',
    ...text,
    check: isCollector,
    masked: maskText,
    expected: 'an http or https URL of a collector, such as http://localhost:4318, without credentials',
    about: 'export metrics to an OpenTelemetry collector every 5 s, such as http://localhost:4318',
    exporter: () => import('./otlp.js'),
    contacts: (url) => addressOf(new URL(url)),
    reaches: 'sends figures, with the credentials of the environment,',
    refusedElsewhere: { agents: BY_COMMAND },
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
    exporter: () => import('./prometheus.js'),
    reaches: 'opens a server',
    refusedElsewhere: { agents: BY_COMMAND, kubernetes: 'listens in the pod: export to a collector with --otlp' },
  },
];

/** Selects the exporters that a run has. @type {(options: Record<string, any>) => ExporterOption[]} */
export function exportersOf(options) {
  return EXPORTERS.filter(({ name }) => options[name] !== undefined);
}

const ADDRESS = /^(?:(\[[\da-f:.]+\]|[^\s:/@[\]]*):)?(\d{1,5})$/i;
const LOOPBACK = '127.0.0.1';

/** Reads `:9464`, `9464` (on loopback) or `[::1]:9464`; keeps any other value. @type {(given: unknown) => unknown} */
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
