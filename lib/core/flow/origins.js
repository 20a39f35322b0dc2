import { isIP } from 'node:net';

import { createProxyChoice } from '../http/proxy.js';
import { ORIGIN, SCHEMES } from '../http/schemes.js';
import { addressOf, asUrlHost, portOf } from '../http/url-parts.js';

/** @import { CompiledFlow, Scope, Step, StepProtocol } from '../contracts/step.js' */
/** @import { Endpoint, ProxyLeg } from '../http/endpoint.js' */
/** @import { Proxy, ProxySettings } from '../http/proxy.js' */
/** @import { ValueSource } from './types.js' */

/** Where the requests of a flow lead: what its steps name, and which origins may have the credentials of the run. */

/** Lists the origins that a flow names, without tokens and redirects. @type {(flow: CompiledFlow) => string[]} */
export function originsOf(flow) {
  return [...new Set(stepsOf(flow).flatMap(({ origin }) => origin ?? []))];
}

/** Lists the steps of all phases. @type {(flow: Partial<CompiledFlow>) => Step[]} */
export function stepsOf(flow) {
  return Object.values(flow).flat();
}

/** @type {(flow: CompiledFlow) => { hostname: string, port: number, proxy: ProxyLeg | null }[]} */
export function addressesOf(flow) {
  const steps = stepsOf(flow);
  const ways = new Map(steps.map(({ origin, proxy }) => [`${origin} ${proxy?.key}`, { origin, proxy }]));
  return [...ways.values()].flatMap(({ origin, proxy }) =>
    origin === undefined || origin.startsWith('unix:') ? [] : { ...addressOf(new URL(origin)), proxy },
  );
}

/** A before-hook that is a function may set another one. @type {(flow: CompiledFlow) => boolean} */
export function hasUnknownOrigins(flow) {
  return stepsOf(flow).some(
    ({ origin, beforeHooks, protocol: { isCode } }) =>
      (origin === undefined && !isCode) || beforeHooks.some(({ entry }) => entry === undefined),
  );
}

/** Lists the protocols of a flow, and those of its functions. @type {(flow: CompiledFlow) => StepProtocol[]} */
export function protocolsOf(flow) {
  return [...new Set(stepsOf(flow).flatMap(({ protocol, call }) => [protocol, ...(call?.protocols ?? [])]))];
}

/** One for each origin, and each that operations share. @type {(flow: CompiledFlow) => number} */
export function connectionsOf(flow) {
  return originsOf(flow).length + heldIn(flow).length;
}

/** @type {(flow: CompiledFlow) => string[]} */
function heldIn(flow) {
  return [...new Set(stepsOf(flow).flatMap(({ held }) => held?.key ?? []))];
}

/**
 * Lists the proxies on the way to the origins that a flow names, each once; also those of the run if a token is in the
 * host of a URL. Before-hooks that are functions add none, unlike in `hasUnknownOrigins`: most set no host, and a
 * faulty proxy of the environment would be refused though the flow does not need it.
 * @type {(flow: Partial<CompiledFlow>, settings?: ProxySettings) => Proxy[]}
 */
export function proxiesOf(flow, settings) {
  const steps = stepsOf(flow);
  const choose = createProxyChoice(settings);
  const hasUnknown = steps.some(({ origin, protocol: { isCode } }) => origin === undefined && !isCode);
  const others = hasUnknown ? ANYWHERE.map((url) => choose(url)) : [];
  const all = [...steps.map(({ proxy }) => proxy), ...others].filter((proxy) => proxy !== null);
  return [...new Map(all.map((proxy) => [`${proxy.name} ${proxy.from}`, proxy])).values()];
}

/** They stand for hosts that are not known yet, which no list of exceptions names. */
const ANYWHERE = [new URL('http://anywhere.invalid'), new URL('https://anywhere.invalid')];

/** @typedef {Pick<Endpoint, 'origin' | 'socketPath'>} Destination of a request; a URL is one */

/** Origins whose decision is remembered: a flow may use new hosts in every iteration. */
const MOST_KNOWN = 1000;
/** Values of variables that are searched for the host of a request: this takes 1 ms, or 30 ms for an IP address. */
const MOST_SEARCHED = 10_000;
/** A text in whose host name the URL parser changes only the case of letters. */
const HAS_ONE_SPELLING = /^[ -$&-~]*$/;
/** A text with one of these before its path is no host. */
const NO_HOST = /[\\@#\s]/;

/**
 * The origins and sockets that the text of a flow or of a command names. The credentials of the run go to these alone:
 * a URL that is computed during the run may come from a server. A computed URL never chooses another socket.
 */
export class NamedOrigins {
  /** @type {Set<string>} */
  #origins = new Set();
  /** Names, with a port or for all ports, as in `credentialsFor`. @type {Set<string>} */
  #hosts = new Set();
  /** Endings of names: `.example.com`. @type {string[]} */
  #endings = [];
  /** @type {Set<string>} */
  #sockets = new Set();
  /** Decisions about other origins. @type {Map<string, boolean>} */
  #known = new Map();

  /**
   * @param {{ baseUrl?: string, vars?: Record<string, unknown>, credentialsFor?: string[] }} text vars: the variables
   *   as the flow declares them
   */
  constructor({ baseUrl, vars = {}, credentialsFor = [] }) {
    if (baseUrl !== undefined) this.#addText(baseUrl);
    for (const value of valuesIn(vars, Infinity)) if (typeof value === 'string') this.#addText(value);
    for (const entry of credentialsFor) {
      if (entry.startsWith('*')) this.#endings.push(asUrlHost(entry).slice(1));
      else this.#addText(entry);
    }
  }

  /** @type {(destination: Destination) => void} */
  add({ origin, socketPath }) {
    if (socketPath === undefined) this.#origins.add(asHttp(origin));
    else this.#sockets.add(socketPath);
  }

  /** Reports whether the credentials of the run may go there. @type {(destination: Destination) => boolean} */
  has({ origin, socketPath }) {
    // No computed text chooses a socket.
    if (socketPath !== undefined) return true;
    const address = asHttp(origin);
    return this.#origins.has(address) || (this.#known.get(address) ?? this.#decide(address));
  }

  /** Reports whether it is named with its scheme. @type {(destination: Pick<Endpoint, 'origin'>) => boolean} */
  hasScheme({ origin }) {
    return this.#origins.has(asHttp(origin));
  }

  /** @type {(socketPath: string) => boolean} */
  hasSocket(socketPath) {
    return this.#sockets.has(socketPath);
  }

  /**
   * Reports whether a value of the run chose an origin that the text does not name. Code is the user's own: it may
   * choose any origin, but one that it has from a variable was likely captured. `source` is that of the URL.
   * @type {(destination: Destination & Pick<Endpoint, 'hostname'>, source: ValueSource, scope: Pick<Scope, 'vars'>) =>
   *   boolean}
   */
  isForeign(destination, source, { vars = {} }) {
    if (source === 'text' || this.has(destination)) return false;
    return source === 'variable' || mayOccurIn(vars, destination.hostname);
  }

  /** @type {(address: string) => boolean} */
  #decide(address) {
    const url = new URL(address);
    const { hostname } = url;
    const isNamed =
      this.#hosts.has(hostname) ||
      this.#hosts.has(`${hostname}:${portOf(url)}`) ||
      this.#endings.some((ending) => hostname.endsWith(ending));
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(address, isNamed);
    return isNamed;
  }

  /** @type {(text: string) => void} */
  #addText(text) {
    if (ORIGIN.test(text)) {
      if (URL.canParse(text)) this.#origins.add(asHttp(new URL(text).origin));
      return;
    }
    // The host of `api.test:8000/v1`, which a flow puts behind http://
    const [host] = text.split(/[/?]/, 1);
    if (host === '' || NO_HOST.test(host) || !URL.canParse(`http://${host}`)) return;
    const { hostname } = new URL(`http://${host}`);
    const [port] = /:\d+$/.exec(host) ?? [''];
    this.#hosts.add(hostname + port);
  }
}

/** All protocols lead to the same servers. @type {(origin: string) => string} */
function asHttp(origin) {
  const scheme = SCHEMES.find((one) => origin.startsWith(one));
  return scheme === undefined ? origin : `http${origin.slice(scheme.length)}`;
}

/** More values than are searched count as naming it. @type {(vars: object, hostname: string) => boolean} */
function mayOccurIn(vars, hostname) {
  const values = valuesIn(vars, MOST_SEARCHED);
  if (values.size > MOST_SEARCHED) return true;
  for (const value of values)
    if (typeof value === 'string' && (value.toLowerCase().includes(hostname) || leadsTo(value, hostname))) return true;
  return false;
}

/** They may be at any depth; at most one more than `most`. @type {(all: object, most: number) => Set<unknown>} */
function valuesIn(all, most) {
  /** @type {Set<unknown>} */
  const values = new Set([all]);
  // The loop also visits the values that it adds.
  for (const value of values) {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    // Variables of the run are inherited by those of an iteration.
    for (const name in value)
      if (values.add(/** @type {Record<string, unknown>} */ (value)[name]).size > most) return values;
  }
  return values;
}

/** Reports whether a text spells a host in another way. @type {(text: string, hostname: string) => boolean} */
function leadsTo(text, hostname) {
  if (isIP(hostname) === 0 && HAS_ONE_SPELLING.test(text)) return false;
  return [text, `http://${text}`].some((url) => URL.canParse(url) && addressOf(new URL(url)).hostname === hostname);
}
