import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * @typedef {object} NoProxy the hosts of a NO_PROXY list
 * @property {(hostname: string, port: number) => boolean} includes `hostname` without brackets
 * @property {string | null} problem the entry that is malformed
 */

/**
 * Reads a list of hosts that are reached without a proxy, separated by commas or spaces: names, each with its subdomains
 * (`example.com`, `.example.com`, `*.example.com`), addresses, subnets (`10.0.0.0/8`), `*` for all; each may have a port.
 *
 * @param {string} text
 * @returns {NoProxy}
 */
export function parseNoProxy(text) {
  const entries = text.split(/[,\s]+/).filter(Boolean);
  const rules = entries.map((entry) => ruleOf(entry.toLowerCase()));
  const at = rules.indexOf(null);
  const known = rules.filter((rule) => rule !== null);
  return {
    includes: (hostname, port) => {
      const host = hostname.toLowerCase().replace(/\.$/, '');
      return known.some((rule) => (rule.port === null || rule.port === port) && rule.matches(host));
    },
    problem: at < 0 ? null : `has the malformed entry ${JSON.stringify(entries[at])}`,
  };
}

/**
 * @param {string} hostname without brackets
 * @returns {boolean} it leads to this machine
 */
export function isLoopback(hostname) {
  const family = isIP(hostname);
  if (family === 0) return /^(?:.*\.)?localhost\.?$/i.test(hostname);
  return LOOPBACK.check(hostname, family === 6 ? 'ipv6' : 'ipv4');
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Null if the entry is malformed. @type {(entry: string) => { matches: (host: string) => boolean, port: number | null } | null} */
function ruleOf(entry) {
  const [host, port] = splitPort(entry);
  if (host === undefined) return null;
  const matches = matcherOf(host);
  return matches && { matches, port: port === undefined ? null : Number(port) };
}

/** @type {(entry: string) => (string | undefined)[]} */
function splitPort(entry) {
  if (isIPv6(entry.split('/')[0])) return [entry];
  const [, bracketed, name, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  return [bracketed ?? name, port];
}

/** @type {(host: string) => ((host: string) => boolean) | null} */
function matcherOf(host) {
  if (host === '*') return () => true;
  const [address, prefix, ...more] = host.split('/');
  const family = isIP(address);
  if (family === 0) return prefix === undefined ? nameMatcher(host) : null;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(/^\d+$/.test(prefix) ? prefix : NaN);
  if (more.length > 0 || !(bits <= (family === 6 ? 128 : 32))) return null;
  const list = new BlockList();
  list.addSubnet(address, bits, type);
  return (one) => isIP(one) !== 0 && list.check(one, isIP(one) === 6 ? 'ipv6' : 'ipv4');
}

/** A name matches itself and its subdomains, no address. @type {(entry: string) => (host: string) => boolean} */
function nameMatcher(entry) {
  const name = entry.replace(/^\*?\./, '').replace(/\.$/, '');
  return (host) => isIP(host) === 0 && (host === name || host.endsWith(`.${name}`));
}
