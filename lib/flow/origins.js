import { addressOf } from '../http/endpoint.js';
import { createProxyChoice } from '../http/proxy.js';

/** @import { CompiledFlow, StepProtocol } from '../contracts/step.js' */
/** @import { ProxyLeg } from '../http/endpoint.js' */
/** @import { Proxy, ProxySettings } from '../http/proxy.js' */

/**
 * Lists the origins that a flow names. Those of tokens and redirects are only known during the run.
 * @type {(flow: CompiledFlow) => string[]}
 */
export function originsOf(flow) {
  const steps = Object.values(flow).flat();
  return [...new Set(steps.flatMap(({ origin }) => origin ?? []))];
}

/**
 * Lists the names and ports of these origins, and the proxies on the way to them; unix sockets have none.
 * @type {(flow: CompiledFlow) => { hostname: string, port: number, proxy: ProxyLeg | null }[]}
 */
export function addressesOf(flow) {
  const steps = Object.values(flow).flat();
  const ways = new Map(steps.map(({ origin, proxy }) => [`${origin} ${proxy?.key}`, { origin, proxy }]));
  return [...ways.values()].flatMap(({ origin, proxy }) =>
    origin === undefined || origin.startsWith('unix:') ? [] : { ...addressOf(new URL(origin)), proxy },
  );
}

/**
 * Reports whether the host of a URL is known during the run only; a before-hook that is a function may set another.
 * @type {(flow: CompiledFlow) => boolean}
 */
export function hasUnknownOrigins(flow) {
  const steps = Object.values(flow).flat();
  return steps.some(
    ({ origin, beforeHooks }) => origin === undefined || beforeHooks.some(({ entry }) => entry === undefined),
  );
}

/** Lists the protocols of a flow. @type {(flow: CompiledFlow) => StepProtocol[]} */
export function protocolsOf(flow) {
  const steps = Object.values(flow).flat();
  return [...new Set(steps.map(({ protocol }) => protocol))];
}

/**
 * Counts the connections that its operations name: one for each origin, and each that operations share.
 * @type {(flow: CompiledFlow) => number}
 */
export function connectionsOf(flow) {
  return originsOf(flow).length + heldIn(flow).length;
}

/** @type {(flow: CompiledFlow) => string[]} */
function heldIn(flow) {
  const steps = Object.values(flow).flat();
  return [...new Set(steps.flatMap(({ held }) => held?.key ?? []))];
}

/**
 * Lists each proxy on the way to the origins that a flow names once; also those of the run, if a token is in the host
 * of a URL.
 * @type {(flow: Partial<CompiledFlow>, settings?: ProxySettings) => Proxy[]}
 */
export function proxiesOf(flow, settings) {
  const steps = Object.values(flow).flat();
  const choose = createProxyChoice(settings);
  const hasUnknown = steps.some(({ origin }) => origin === undefined);
  const others = hasUnknown ? ANYWHERE.map((url) => choose(url)) : [];
  const all = [...steps.map(({ proxy }) => proxy), ...others].filter((proxy) => proxy !== null);
  return [...new Map(all.map((proxy) => [JSON.stringify(proxy), proxy])).values()];
}

/** They stand for hosts that are not known yet, which no list of exceptions names. */
const ANYWHERE = [new URL('http://anywhere.invalid'), new URL('https://anywhere.invalid')];
