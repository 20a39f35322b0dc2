import { isIP } from 'node:net';

import { makeError } from '../ground/errors.js';
import { mapped } from '../http/endpoint.js';
import { Resolver } from './resolve.js';

/** @import { LookupAddress } from 'node:dns' */
/** @import { Socket } from 'node:net' */
/** @import { AddressOptions } from '../contracts/connection.js' */
/** @import { AddressFigures } from '../contracts/stats.js' */
/** @import { ResolverOptions } from './resolve.js' */

/** @typedef {ReturnType<Addresses['to']>} DialAddress */

const MAX_NAMES = 1000;
const MOST_ADDRESSES = 100;

/**
 * Decides which address of a name a connection leads to: each one in turn. Until an address was connected to once, the
 * others are tried after it, as in RFC 8305, so that a service that listens on one of them is found. An address that
 * never could be connected to is not used again while another one works. Counts connections, failed attempts and
 * requests of each address, for the result.
 */
export class Addresses {
  #resolver;
  #family;
  #connectTo;
  #turn;
  /** By name and port. @type {Map<string, Name>} */
  #names = new Map();
  /** The address that a socket leads to, if its name has several. @type {WeakMap<Socket, AddressFigures>} */
  #peers = new WeakMap();

  /** @param {AddressOptions & ResolverOptions} options */
  constructor({ connectTo = {}, turn = 0, ...lookups }) {
    this.#resolver = new Resolver(lookups);
    this.#family = lookups.family ?? 0;
    this.#connectTo = connectTo;
    this.#turn = turn;
  }

  /**
   * Where to connect for an endpoint, as options of net.connect.
   * @param {{ hostname: string, port: number }} endpoint
   */
  to(endpoint) {
    const { hostname: host, port } = mapped(this.#connectTo, endpoint);
    return { host, port, lookup: this.#nameOf(host, port).lookup };
  }

  /** @type {(socket: Socket, to: Pick<DialAddress, 'host' | 'port'>) => void} */
  follow(socket, { host, port }) {
    if (isIP(host)) return;
    const name = this.#nameOf(host, port);
    const failed = new Set();
    const fail = (/** @type {string | undefined} */ address, /** @type {string} */ code) => {
      if (address === undefined || failed.has(address)) return;
      failed.add(address);
      name.countFailure(address, code);
    };
    socket.on('connectionAttemptFailed', (address, _port, _family, error) =>
      fail(address, /** @type {NodeJS.ErrnoException} */ (error).code ?? ''),
    );
    socket.on('connectionAttemptTimeout', (address) => fail(address, 'ETIMEDOUT'));
    // The address of an error of `bind` is one of this machine.
    const onError = (/** @type {any} */ error) => error.syscall === 'connect' && fail(error.address, error.code);
    socket.once('error', onError);
    // It has to run before the listener that sends, which asks for the peer.
    socket.prependOnceListener('connect', () => {
      socket.off('error', onError);
      const peer = name.countConnection(socket.remoteAddress);
      if (peer) this.#peers.set(socket, peer);
    });
  }

  /** @type {(socket: Socket) => AddressFigures | null} null: its name has one address */
  peerOf(socket) {
    return this.#peers.get(socket) ?? null;
  }

  /** @type {(endpoint: { hostname: string, port: number }, error: unknown) => void} */
  connectFailed(endpoint, error) {
    this.#resolver.connectFailed(this.to(endpoint).host, error);
  }

  /** Lists the addresses of names that have several. @type {() => AddressFigures[]} */
  toJSON() {
    return [...this.#names.values()].flatMap(({ peers }) => (peers.size > 1 ? [...peers.values()] : []));
  }

  /** Clears the counts of requests: those of the warm-up do not count. */
  reset() {
    for (const { peers } of this.#names.values())
      for (const peer of peers.values()) Object.assign(peer, { requests: 0, time: 0 });
  }

  close() {
    this.#resolver.close();
  }

  /** @type {(host: string, port: number) => Name} */
  #nameOf(host, port) {
    const key = `${host}:${port}`;
    const known = this.#names.get(key);
    if (known) return known;
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    const name = new Name(key, this.#resolver, { family: this.#family, turn: this.#turn });
    this.#names.set(key, name);
    return name;
  }
}

/** The addresses of a name, and which one is next. */
class Name {
  #name;
  #resolver;
  #family;
  #turn;
  /** Lookups that began with an address. @type {Map<string, number>} */
  #tries = new Map();
  /** The lookups of the address chosen last; one that appears later starts from this count. */
  #least = 0;
  /** @type {Map<string, AddressFigures>} */
  peers = new Map();

  /** @param {string} name @param {Resolver} resolver @param {{ family: number, turn: number }} options */
  constructor(name, resolver, { family, turn }) {
    this.#name = name;
    this.#resolver = resolver;
    this.#family = family;
    this.#turn = turn;
  }

  /** @type {(hostname: string, options: any, callback: (...results: any[]) => void) => void} */
  lookup = (hostname, options, callback) => {
    const family = options.family || this.#family;
    this.#resolver.lookup(hostname, { family, all: true }, (error, found) => {
      if (error) {
        callback(error);
        return;
      }
      const chosen = this.#choose(found);
      if (options.all) callback(null, chosen);
      else callback(null, chosen[0].address, chosen[0].family);
    });
  };

  /** @type {(address: string, code: string) => void} */
  countFailure(address, code) {
    const peer = this.#peerOf(address);
    if (!peer) return;
    peer.failed++;
    peer.error ??= code;
  }

  /** Counts a connection. @type {(address: string | undefined) => AddressFigures | null} null: see peerOf */
  countConnection(address) {
    const peer = address === undefined ? null : this.#peerOf(address);
    if (!peer) return null;
    peer.connections++;
    return this.peers.size > 1 ? peer : null;
  }

  /** The address in turn, and those to try after it. @type {(found: LookupAddress[]) => LookupAddress[]} */
  #choose(found) {
    for (const { address } of found) this.#peerOf(address);
    const works = (/** @type {LookupAddress} */ { address }) => (this.peers.get(address)?.connections ?? 0) > 0;
    const hasFailed = (/** @type {LookupAddress} */ { address }) => (this.peers.get(address)?.failed ?? 0) > 0;
    const usable = found.some(works) ? found.filter((one) => works(one) || !hasFailed(one)) : found;
    const from = this.#turn % usable.length;
    const order = [...usable.slice(from), ...usable.slice(0, from)];
    const tries = (/** @type {LookupAddress} */ { address }) => Math.max(this.#tries.get(address) ?? 0, this.#least);
    const first = order.reduce((least, one) => (tries(one) < tries(least) ? one : least));
    this.#least = tries(first);
    this.#tries.set(first.address, this.#least + 1);
    if (works(first)) return [first];
    const others = order.filter((one) => one !== first);
    return [first, ...others.filter(works), ...others.filter((one) => !works(one))];
  }

  /** @type {(address: string) => AddressFigures | null} null: there are too many */
  #peerOf(address) {
    const known = this.peers.get(address);
    if (known) return known;
    if (this.peers.size >= MOST_ADDRESSES) return null;
    const peer = { name: this.#name, address, connections: 0, failed: 0, requests: 0, time: 0 };
    this.peers.set(address, peer);
    return peer;
  }
}

/** @type {(peer: AddressFigures, ms: number) => void} */
export function countAnswer(peer, ms) {
  peer.requests++;
  peer.time += ms;
}

/** What `bind` fails with: not an address of this machine, or one of another version of IP than the server's. */
const CODES = new Set(['EADDRNOTAVAIL', 'EINVAL']);

/**
 * Explains why a connection cannot come from the `localAddress` of an operation, by E_LOCAL_ADDRESS. Any other error of
 * a socket is returned itself: without such an address, there is no `bind`.
 * @type {(error: any) => Error}
 */
export function explainBind(error) {
  if (error.syscall !== 'bind' || !CODES.has(error.code)) return error;
  return makeError('E_LOCAL_ADDRESS', { address: error.address, code: error.code }, { cause: error });
}
