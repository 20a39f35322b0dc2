import { isIP } from 'node:net';

import { hintsAt } from '../../ground/addons.js';
import { isRecord } from '../../flow/record.js';
import { HIGHEST_PORT, refuseBareTime } from '../../ground/units.js';
import { maskProxy, parseNoProxy, parseProxy } from '../../http/proxy.js';
import { TLS_PROPERTIES } from '../../http/tls-properties.js';
import { asUrlHost, withoutBrackets } from '../../http/url-parts.js';
import { maskAll } from '../../text/mask.js';
import { TRANSPORTS } from '../../transport/index.js';
import { count, flag, ms, text, textOf } from './row.js';

/** @import { RunOption } from './types.js' */

/** The members of TLS options that properties of operations do not have. @type {Record<string, Partial<RunOption>>} */
const FLAGS = {
  ca: {
    flag: '--ca <file>',
    repeatable: true,
  },
  cert: { flag: '--cert <file>' },
  key: { flag: '--key <file>', env: 'BENCH_REST_KEY', isSecret: true, masked: maskAll },
  pfx: { flag: '--pfx <file>', env: 'BENCH_REST_PFX', isSecret: true, masked: maskAll },
  passphrase: { flag: '--passphrase <text>', env: 'BENCH_REST_PASSPHRASE', isSecret: true, masked: maskAll },
  servername: { flag: '--servername <name>', isExperimental: true },
  minVersion: { flag: '--tls-min <version>', isExperimental: true },
  maxVersion: { flag: '--tls-max <version>', isExperimental: true },
  ciphers: { flag: '--ciphers <list>', isExperimental: true },
};

/** The options of TLS, which are the defaults of every operation. @type {RunOption[]} */
const TLS = Object.entries(TLS_PROPERTIES).map(([name, { about, type, check, expected, schema }]) => ({
  name: tlsOption(name),
  about,
  type,
  check,
  expected,
  schema,
  ...FLAGS[name],
}));

export const TLS_OPTIONS = TLS.map(({ name }) => name);

/**
 * Returns the run option of a property of TLS. `minVersion` of a run could be a version of HTTP, so its name says TLS.
 * @type {(property: string) => string}
 */
export function tlsOption(property) {
  return { minVersion: 'tlsMin', maxVersion: 'tlsMax' }[property] ?? property;
}

/** @type {RunOption[]} */
export const CONNECTIONS = [
  {
    name: 'httpClient',
    isExperimental: true,
    flag: '--http-client <name>',
    type: TRANSPORTS.map(({ name }) => `'${name}'`).join(' | '),
    parsed: 'string',
    schema: { enum: TRANSPORTS.map(({ name }) => name) },
    check: (v) => TRANSPORTS.some(({ name }) => name === v),
    expected: TRANSPORTS.map(({ name }) => name).join(' or '),
    about: `HTTP client: ${TRANSPORTS.map(({ name }) => name).join(' or ')}${hintsAt('list')
      .map((list) => `, see ${list} http-clients`)
      .join('')}; default: ${TRANSPORTS[0].name}`,
  },
  {
    name: 'pipelining',
    isExperimental: true,
    flag: '--pipelining <n>',
    ...count,
    check: (v) => count.check(v) && v <= 1000,
    expected: 'a whole number from 1 to 1000',
    needsCapability: (v) => v > 1,
    describe: ({ pipelining }) => (pipelining === undefined ? [] : [`${pipelining} in flight per connection`]),
    about: 'requests in flight per connection: this many iterations share it',
  },
  {
    name: 'connectTimeout',
    isExperimental: true,
    ...ms,
    refuseText: refuseBareTime,
    default: 10_000,
    check: (v) => ms.check(v) && v > 0,
    expected: 'milliseconds above 0',
    about: 'time limit for opening a connection; counts towards timeout',
  },
  {
    name: 'requestsPerConnection',
    isExperimental: true,
    flag: '--requests-per-connection <n>',
    ...count,
    about: 'open new connections after this many requests of a virtual user',
  },
  {
    name: 'dnsCache',
    isExperimental: true,
    flag: '--no-dns-cache',
    ...flag,
    default: true,
    about: 'resolve host names for every connection, not once per run',
  },
  {
    name: 'family',
    isExperimental: true,
    flag: '--family <n>',
    type: '4 | 6',
    schema: { enum: [4, 6] },
    read: (given) => Number(textOf(given)),
    check: (v) => v === 4 || v === 6,
    expected: '4 or 6',
    about: 'connect to addresses of IPv4 or IPv6 only; --ipv4 and --ipv6 are the same',
  },
  {
    name: 'connectTo',
    isExperimental: true,
    flag: '--connect-to <map>',
    repeatable: true,
    type: 'string | string[] | Record<string, { host?: string, port?: number }>',
    parsed: 'Record<string, { host?: string, port?: number }>',
    schema: {
      oneOf: [
        { type: 'string' },
        { type: 'array', items: { type: 'string' } },
        {
          type: 'object',
          additionalProperties: {
            type: 'object',
            properties: {
              host: { type: 'string', description: 'Name or address to connect to; default: that of the URL' },
              port: {
                type: 'integer',
                minimum: 1,
                maximum: HIGHEST_PORT,
                description: 'Port to connect to; default: that of the URL',
              },
            },
            additionalProperties: false,
          },
        },
      ],
    },
    read: readConnectTo,
    readsAny: true,
    check: isConnectTo,
    expected:
      "name:port:host:port, such as api.example.com:443:10.0.0.7:8443, or { 'name:port': { host: '10.0.0.7', port: 8443 } }",
    about:
      'connect to another host and port, name:port:host:port (parts may be empty), with Host and TLS name of the URL; repeatable',
  },
  {
    name: 'resolver',
    isExperimental: true,
    flag: '--resolver <address>',
    ...text,
    check: isDnsServer,
    contacts: dnsServerOf,
    expected: 'the address of a DNS server, such as 10.0.0.2 or 10.0.0.2:5353',
    about: 'ask this DNS server for the addresses of names, instead of the system and its file of hosts',
  },
  {
    name: 'keepAlive',
    flag: '--no-keep-alive',
    ...flag,
    default: true,
    about: 'one request per connection: ask the server to close it after the response',
  },
  {
    name: 'socketPath',
    flag: '--socket-path <path>',
    ...text,
    about: 'unix socket to connect to, whatever the host',
  },
  {
    name: 'insecure',
    flag: '--insecure',
    inHelp: 'common',
    ...flag,
    default: false,
    about: 'do not verify TLS certificates',
  },
  ...TLS,
  {
    name: 'proxy',
    flag: '-x, --proxy <url>',
    inHelp: 'common',
    ...text,
    check: (v) => typeof v === 'string' && refuseProxy(v) === undefined,
    expected: 'the URL of a proxy as a string',
    refuse: (v) => (typeof v === 'string' ? refuseProxy(v) : undefined),
    masked: maskProxy,
    about: "HTTP proxy of all requests, such as http://proxy:3128; '' for none; default: that of the environment",
  },
  {
    name: 'noProxy',
    flag: '--noproxy <hosts>',
    ...text,
    check: (v) => typeof v === 'string' && refuseNoProxy(v) === undefined,
    expected: 'a list of hosts as a string',
    refuse: (v) => (typeof v === 'string' ? refuseNoProxy(v) : undefined),
    about: "hosts that are reached without a proxy, instead of NO_PROXY: 'example.com,10.0.0.0/8', or '*' for all",
  },
  {
    name: 'proxyInsecure',
    isExperimental: true,
    flag: '--proxy-insecure',
    ...flag,
    default: false,
    about: 'do not verify the TLS certificate of an https:// proxy',
  },
];

/** `name:port:host:port`; as in curl, each part may be empty: `::10.0.0.7:`. */
const MAPPING = /^((?:\[[^\]]+\]|[^:]*):\d{0,5}):(\[[^\]]+\]|[^:]*):(\d{0,5})$/;
/** `name:port`. Options may be read twice: after the first time, an IPv6 address has no brackets. */
const ENDPOINT = /^(\[[^\]]+\]|[^:]*|[\da-f.]*:[\da-f:.]+):(\d{0,5})$/i;
/** An IPv6 address without brackets is no match: it has no port. */
const DNS_SERVER = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/;

/** Reads mappings as ConnectTo; null if one of them is malformed. @type {(given: any) => any} */
function readConnectTo(given) {
  const pairs = isRecord(given) ? Object.entries(given) : [given].flat().map((one) => readMapping(textOf(one)));
  const read = pairs.map(([from, to]) => [readEndpoint(from), to]);
  return read.some(([from]) => from === null) ? null : Object.fromEntries(read);
}

/** @type {(text: string) => [from: string, to: { host?: string, port?: number }]} */
function readMapping(text) {
  const [, from = '', host, port] = MAPPING.exec(text) ?? [];
  return [from, { ...(host && { host: withoutBrackets(host) }), ...(port && { port: Number(port) }) }];
}

/** @type {(text: string) => string | null} `name:port`, null if it is none */
function readEndpoint(text) {
  const [, name, port] = ENDPOINT.exec(text) ?? [];
  return name === undefined ? null : `${asUrlHost(name)}:${port && Number(port)}`;
}

/** @type {(port: unknown) => boolean} */
function isPort(port) {
  return Number.isInteger(port) && Number(port) > 0 && Number(port) <= HIGHEST_PORT;
}

/** @type {(value: any) => boolean} */
function isConnectTo(value) {
  const isHost = (/** @type {unknown} */ host) => typeof host === 'string' && host !== '';
  /** @type {(part: [string, unknown]) => boolean} */
  const isPart = ([name, part]) => (name === 'host' && isHost(part)) || (name === 'port' && isPort(part));
  return isRecord(value) && Object.values(value).every((to) => isRecord(to) && Object.entries(to).every(isPart));
}

/** @type {(address: unknown) => boolean} */
function isDnsServer(address) {
  if (typeof address !== 'string') return false;
  const { hostname, port } = dnsServerOf(address);
  // Port 0 would crash Node.
  return isIP(hostname) !== 0 && isPort(port);
}

/** @type {(address: string) => { hostname: string, port: number }} */
function dnsServerOf(address) {
  const [, six, four, port = 53] = (isIP(address) === 0 && DNS_SERVER.exec(address)) || [, address];
  return { hostname: six ?? four ?? '', port: Number(port) };
}

/** @type {(url: string) => string | undefined} */
function refuseProxy(url) {
  return url === '' ? undefined : (parseProxy(url).problem ?? undefined);
}

/** @type {(list: string) => string | undefined} */
function refuseNoProxy(list) {
  return parseNoProxy(list).problem ?? undefined;
}
