import { createHash } from 'node:crypto';
import { isIP } from 'node:net';

import { makeError } from '../ground/errors.js';
import { hasTargets, isClosedOff, refusedTarget } from '../process/confinement.js';
import { NO_PROXIES, createProxyChoice } from './proxy.js';
import { addressOf, isSecure } from './url-parts.js';
import { OTHER_VERSION } from './versions.js';

/** @import { Proxy, ProxySettings } from './proxy.js' */
/** @import { ChosenVersion } from './versions.js' */

/**
 * @typedef {object} Endpoint what a connection leads to: one object per origin, way to it and set of TLS options
 * @property {string} key identifies the endpoint
 * @property {string} origin `https://host:8443`
 * @property {string} protocol `http:`, `https:`, `ws:` or `wss:`
 * @property {string} host name, and the port if it is not the default of the protocol
 * @property {string} hostname without the brackets of an IPv6 address
 * @property {number} port
 * @property {string} [socketPath] of a unix socket, instead of name and port
 * @property {string} [localAddress] address of this machine that connections come from
 * @property {Record<string, unknown>} tls options for tls.connect
 * @property {string} [client] the protocol that opens its connections; undefined: HTTP
 * @property {ChosenVersion} [version] of HTTP; undefined: HTTP/1.1
 * @property {string} label the origin, and the proxy if there is one: for messages
 * @property {Way} way
 * @property {ProxyLeg | null} proxy null: the server is reached directly
 *
 * @typedef {Pick<Endpoint, 'key' | 'protocol' | 'host' | 'hostname' | 'port' | 'socketPath' | 'localAddress' |
 *   'tls' | 'version'>} Dialled what a socket is opened to
 *
 * @typedef {Proxy & Dialled & { isTunnel: boolean }} ProxyLeg a proxy on the way to an endpoint; `isTunnel`: the
 *   server is spoken to through a tunnel
 *
 * @typedef {object} Way how the server is reached, where not by the URL alone
 * @property {string} [socketPath]
 * @property {string} [localAddress]
 * @property {Proxy | null} [proxy] that of the operation; null: none; undefined: that of the run
 * @property {boolean} [tunnel] http: URLs too are reached through a tunnel
 * @property {unknown} [version] the value of the option that chooses another version of HTTP
 */

/**
 * @typedef {{ family?: 4 | 6, connectTo?: ConnectTo, allowTargets?: string[] }} Routes of a run; family: of addresses;
 *   allowTargets: see `isTarget`
 */

/**
 * @typedef {Record<string, { host?: string, port?: number }>} ConnectTo other places to connect to, by `name:port`,
 *   `name:` for any port, `:port` for any name, or `:`; a part that is missing is that of the URL
 */

/** @typedef {{ hostname: string, port: number }} Address */
/** @typedef {(url: URL, tls: Record<string, unknown>, way?: Way) => Endpoint} EndpointOf */

/** Maximum number of remembered endpoints: a flow may use new hosts in every iteration. */
const MAX_ENDPOINTS = 1000;

/** A new one replaces all if they are too many. @type {<T>(known: Map<string, T>, key: string, value: T) => void} */
export function keepForEndpoint(known, key, value) {
  if (known.size >= MAX_ENDPOINTS && !known.has(key)) known.clear();
  known.set(key, value);
}

/**
 * Creates a lookup that returns the same object for the same endpoint, so that endpoints can be compared by identity.
 * The oldest endpoints are removed when there are too many. `proxies` are those of the run.
 * @type {(proxies?: ProxySettings, routes?: Routes) => EndpointOf}
 */
export function createEndpoints(proxies = NO_PROXIES, { family, connectTo = {}, allowTargets } = {}) {
  /** @type {Map<string, Endpoint>} */
  const known = new Map();
  const digestOf = createDigester();
  const choose = createProxyChoice(proxies);
  const proxyTls = proxies.insecure ? { rejectUnauthorized: false } : {};

  return function endpointOf(url, tls, way = DIRECT) {
    const { socketPath, localAddress } = way;
    const version = OTHER_VERSION?.choose(way.version, url.protocol);
    const address = url.origin + wayKey(way, digestOf) + (version === undefined ? '' : ` ${version.name}`);
    const key = isSecure(url.protocol) ? `${address} ${digestOf(tls)}` : address;
    const found = known.get(key);
    if (found) return found;
    // Such a socket is refused as files of this machine are: with that of a container engine a request can start
    // programs.
    if (socketPath !== undefined && (allowTargets || hasTargets() || isClosedOff(socketPath)))
      throw socketRefused(socketPath);
    const proxy = proxyTo(url, way, version);
    const endpoint = {
      key,
      origin: url.origin,
      protocol: url.protocol,
      host: url.host,
      ...addressOf(url),
      socketPath,
      localAddress,
      tls,
      version,
      label: proxy === null ? url.origin : `${url.origin} through the proxy ${proxy.name}`,
      way,
      proxy,
    };
    const legs = [endpoint, ...(proxy && !proxy.problem ? [proxy] : [])];
    // The socket is opened to the proxy, or else to the server.
    const dialled = legs[legs.length - 1];
    for (const { hostname, port } of [...legs, mapped(connectTo, dialled)]) checkTarget(hostname, port);
    checkFamily(dialled);
    if (known.size >= MAX_ENDPOINTS) known.delete(/** @type {string} */ (known.keys().next().value));
    known.set(key, endpoint);
    return endpoint;
  };

  /** @type {(hostname: string, port: number) => void} */
  function checkTarget(hostname, port) {
    const target = refusedTarget(hostname, port, allowTargets);
    if (target !== null) throw makeError('E_TARGET_REFUSED', { target });
  }

  /** An IP address is not looked up. @type {(dialled: Pick<Dialled, 'hostname' | 'port' | 'socketPath'>) => void} */
  function checkFamily({ hostname, port, socketPath }) {
    if (family === undefined || socketPath !== undefined) return;
    const mapping = mappingOf(connectTo, { hostname, port });
    if (mapping !== undefined && connectTo[mapping].host !== undefined) return;
    const version = isIP(hostname);
    if (version === 0 || version === family) return;
    throw makeError('E_FAMILY', { host: hostname, family });
  }

  /** @type {(url: URL, way: Way, version?: ChosenVersion) => ProxyLeg | null} */
  function proxyTo(url, { socketPath, localAddress, proxy, tunnel = false }, version) {
    if (socketPath !== undefined) return null;
    const chosen = proxy === undefined ? choose(url) : proxy;
    if (chosen === null) return null;
    const isTunnel = tunnel || isSecure(url.protocol) || version?.isInClear === true;
    return { ...chosen, key: digestOf(chosen), localAddress, tls: proxyTls, isTunnel };
  }
}

/** @type {(connectTo: ConnectTo, address: { hostname: string, port: number }) => string | undefined} */
export function mappingOf(connectTo, { hostname, port }) {
  return [`${hostname}:${port}`, `${hostname}:`, `:${port}`, ':'].find((key) => Object.hasOwn(connectTo, key));
}

/** Returns where an address leads. @type {(connectTo: ConnectTo, address: Address) => Address} */
export function mapped(connectTo, { hostname, port }) {
  const { host = hostname, port: to = port } = connectTo[mappingOf(connectTo, { hostname, port }) ?? ''] ?? {};
  return { hostname: host, port: to };
}

/** Returns path and query as they are sent, with the mark of an empty one: `/a?`. @type {(url: URL) => string} */
export function pathOf({ pathname, search, hash, href }) {
  const isEmptyQuery = search === '' && href.endsWith(`?${hash}`);
  return pathname + (isEmptyQuery ? '?' : search);
}

/** @type {(socketPath: string) => Error} */
function socketRefused(socketPath) {
  const problems = `it sends to the socket ${socketPath} of this machine, which is not allowed here`;
  return makeError('E_FLOW', { problems });
}

/** @type {(way: Way, digestOf: (value: object) => string) => string} */
function wayKey({ socketPath, localAddress, proxy, tunnel }, digestOf) {
  const to = socketPath === undefined ? '' : ` unix:${socketPath}`;
  const from = localAddress === undefined ? '' : ` from ${localAddress}`;
  const via = proxy === undefined ? '' : ` via ${proxy && digestOf(proxy)}`;
  return `${to}${from}${via}${tunnel ? ' tunnel' : ''}`;
}

/** @type {Way} */
const DIRECT = {};

/** It has one for each object, which may hold secrets. @type {() => (value: object) => string} */
function createDigester() {
  /** @type {WeakMap<object, string>} */
  const digests = new WeakMap();
  return (value) => {
    const found = digests.get(value);
    if (found) return found;
    const digest = createHash('sha256').update(JSON.stringify(value)).digest('hex');
    digests.set(value, digest);
    return digest;
  };
}
