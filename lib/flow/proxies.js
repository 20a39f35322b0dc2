import { createProxyChoice } from '../proxy-choice.js';

/**
 * @import { Proxy } from '../proxy.js'
 * @import { ProxySettings } from '../proxy-choice.js'
 * @import { CompiledFlow } from './types.js'
 */

/**
 * The proxies on the way to the origins that a flow names; also those of the run, if a token is in the host of a URL.
 *
 * @param {CompiledFlow} flow
 * @param {ProxySettings} [settings]
 * @returns {Proxy[]} each once
 */
export function proxiesOf(flow, settings) {
  const steps = Object.values(flow).flat();
  const choose = createProxyChoice(settings);
  const hasUnknown = steps.some(({ origin }) => origin === undefined);
  const ofRun = hasUnknown ? ANYWHERE.map((url) => choose(url)) : [];
  const all = [...steps.map(({ proxy }) => proxy), ...ofRun].filter((proxy) => proxy !== null);
  return [...new Map(all.map((proxy) => [JSON.stringify(proxy), proxy])).values()];
}

/** hosts that no list names */
const ANYWHERE = [new URL('http://anywhere.invalid'), new URL('https://anywhere.invalid')];
