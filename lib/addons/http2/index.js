import { makeError } from '../../core/ground/errors.js';
import { keepForEndpoint } from '../../core/http/endpoint.js';
import { WireConnection } from '../../core/transport/wire/connection.js';
import { createHeadReader } from './head.js';
import { KnownBlocks } from './hpack-decoder.js';
import { Slab } from './request-writer.js';
import { Session } from './session.js';
import { Stream } from './stream.js';
import { NEGOTIATED, NOT_NEGOTIATED, REQUIRED } from './version.js';

/** @import { Socket } from 'node:net' */
/** @import { Transport } from '../../core/contracts/connection.js' */
/** @import { Request } from '../../core/contracts/request.js' */
/** @import { Endpoint } from '../../core/http/endpoint.js' */
/** @import { Wire } from '../../core/transport/wire/connection.js' */
/** @import { SocketListener } from '../../core/transport/wire/socket.js' */
/** @import { RequestHead } from './head.js' */

/**
 * @typedef {object} Http2Options
 * @property {number} [connections] to each endpoint, which all virtual users share; default: each has its own
 * @property {number} [streams] the most in flight on a connection
 *
 * @typedef {object} Http2Client shared by the sessions of a thread
 * @property {number} maxStreams
 * @property {Slab} slab for frames that are written
 * @property {(request: Request) => RequestHead} headOf
 * @property {(endpoint: Endpoint, wire: Wire, session: Session) => Socket} openSession
 */

/**
 * Opens the client of HTTP/2 on the wire of HTTP/1.1. `wireTo` returns the wire to an endpoint, or to its proxy.
 * @type {(wireTo: (endpoint: Endpoint) => Wire, options: Http2Options) => Transport['connect']}
 */
export function openHttp2(wireTo, { connections = 0, streams = Infinity }) {
  /** @type {Http2Client} */
  const client = { maxStreams: streams, slab: new Slab(), headOf: createHeadReader(), openSession };
  /** Endpoints whose servers have no HTTP/2, by key. @type {Map<string, OldServer>} */
  const oldServers = new Map();
  /** The channels that virtual users share, by key. @type {Map<string, { channels: Channel[], next: number }>} */
  const shared = new Map();
  /** The last header blocks of the responses of each endpoint. @type {WeakMap<Endpoint, KnownBlocks>} */
  const blocks = new WeakMap();

  return function connect(endpoint, bodies) {
    const old = oldServers.get(endpoint.key);
    if (old !== undefined) return new WireConnection(old.endpoint, old.wire, bodies);
    const channel = connections > 0 ? sharedChannel(endpoint) : createChannel(endpoint);
    return new Stream(channel, channel.wire, bodies);
  };

  /** @type {(endpoint: Endpoint) => Channel} */
  function createChannel(endpoint) {
    const knownBlocks = blocks.get(endpoint) ?? new KnownBlocks();
    blocks.set(endpoint, knownBlocks);
    return new Channel(endpoint, { wire: wireTo(endpoint), client, knownBlocks });
  }

  /** @type {(endpoint: Endpoint) => Channel} */
  function sharedChannel(endpoint) {
    const known = shared.get(endpoint.key);
    const all = known ?? { next: 0, channels: Array.from({ length: connections }, () => createChannel(endpoint)) };
    // The users of forgotten channels still use them.
    keepForEndpoint(shared, endpoint.key, all);
    return all.channels[all.next++ % connections];
  }

  /** @type {Http2Client['openSession']} */
  function openSession(endpoint, wire, session) {
    if (endpoint.version === REQUIRED && endpoint.protocol === 'http:')
      throw makeError('E_NO_HTTP2', { what: `it ${NOT_NEGOTIATED}` });
    const relay = new Relay(endpoint, session, (old) => {
      const known = oldServers.get(endpoint.key) ?? new OldServer(endpoint, wireTo(endpoint));
      keepForEndpoint(oldServers, endpoint.key, known);
      known.park(old);
    });
    return wire.open(endpoint, wire, relay);
  }
}

/**
 * Passes the events of a socket on: to a session, or, if the server has chosen HTTP/1.1 in the handshake of TLS, to the
 * connection of HTTP/1.1 that takes it over:
 *
 *     onOpen -+-> h2: session.onOpen
 *             +-> http/1.1: onOld (OldServer.park); session.refuse: its exchanges ask for a connection again
 *                   connect -> WireConnection -> OldServer.#openNext -> handOver
 *
 * @implements {SocketListener}
 */
class Relay {
  #endpoint;
  #session;
  #onOld;
  /** @type {SocketListener} */
  #to;
  /** @type {{ dialled: Socket, socket: Socket } | null} */
  #open = null;
  #connectedAt = 0;

  /**
   * @param {Endpoint} endpoint
   * @param {Session} session
   * @param {(relay: Relay) => void} onOld called if HTTP/1.1 takes over
   */
  constructor(endpoint, session, onOld) {
    this.#endpoint = endpoint;
    this.#session = this.#to = session;
    this.#onOld = onOld;
  }

  /** @type {SocketListener['onConnect']} */
  onConnect(socket, at) {
    this.#connectedAt = at;
    this.#to.onConnect(socket, at);
  }

  /** @type {SocketListener['onOpen']} */
  onOpen(dialled, socket) {
    const { protocol, version, origin } = this.#endpoint;
    const chosen = /** @type {import('node:tls').TLSSocket} */ (socket).alpnProtocol;
    if (protocol === 'http:' || chosen === 'h2') {
      this.#to.onOpen(dialled, socket);
      return;
    }
    if (version === NEGOTIATED) {
      this.#open = { dialled, socket };
      this.#to = NOBODY;
      this.#onOld(this);
      this.#session.refuse(makeError('E_HTTP_1_1', { origin }));
    } else {
      socket.destroy();
      this.#session.refuse(
        makeError('E_NO_HTTP2', { what: chosen ? `it has chosen ${chosen}` : 'it has chosen no protocol' }),
      );
    }
  }

  /** @type {SocketListener['onData']} */
  onData(socket, size) {
    this.#to.onData(socket, size);
  }

  /** @type {SocketListener['onEnd']} */
  onEnd(socket) {
    this.#to.onEnd(socket);
  }

  /** @type {SocketListener['onError']} */
  onError(socket, error) {
    if (NOT_AGREED.test(error?.code))
      this.#session.refuse(makeError('E_NO_HTTP2', { what: 'it refuses the handshake' }));
    else this.#to.onError(socket, error);
  }

  /** Hands the socket over; null: it is closed. @type {(listener: SocketListener) => Socket | null} */
  handOver(listener) {
    const { dialled, socket } = /** @type {{ dialled: Socket, socket: Socket }} */ (this.#open);
    if (socket.destroyed || socket.readableEnded) return null;
    this.#to = listener;
    // As with a socket that is opened, the listener has it before its first event.
    queueMicrotask(() => {
      listener.onConnect(dialled, this.#connectedAt);
      listener.onOpen(dialled, socket);
    });
    return dialled;
  }
}

/** The alert no_application_protocol (RFC 7301 3.2). */
const NOT_AGREED = /NO_APPLICATION_PROTOCOL/;

/** @type {SocketListener} */
const NOBODY = { onConnect() {}, onOpen() {}, onData() {}, onEnd() {}, onError() {} };

/** An endpoint whose server has no HTTP/2: connections of HTTP/1.1 begin with the sockets that found it out. */
class OldServer {
  #wire;
  /** @type {Relay[]} */
  #parked = [];
  endpoint;
  wire;

  /** @param {Endpoint} endpoint @param {Wire} wire */
  constructor(endpoint, wire) {
    this.#wire = wire;
    // HTTP/2 is not offered again until the run ends.
    this.endpoint = { ...endpoint, version: undefined };
    this.wire = { ...wire, open: this.#openNext };
  }

  /** @type {(relay: Relay) => void} */
  park(relay) {
    this.#wire.traffic.totals.http2Fallbacks++;
    this.#parked.push(relay);
  }

  /** @type {Wire['open']} */
  #openNext = (endpoint, own, listener) => {
    for (let relay = this.#parked.pop(); relay !== undefined; relay = this.#parked.pop()) {
      const socket = relay.handOver(listener);
      if (socket !== null) return socket;
    }
    this.#wire.traffic.totals.http2Fallbacks++;
    return this.#wire.open(endpoint, own, listener);
  };
}

/**
 * Opens one session after another to an endpoint, for the streams of one virtual user, or of several that share it.
 * Streams wait here while the session has no room.
 */
export class Channel {
  #endpoint;
  /** The session for the next streams. @type {Session | null} */
  #session = null;
  /** Streams that wait for a free one. @type {Set<Stream>} */
  #waiting = new Set();
  #users = 0;

  /**
   * @param {Endpoint} endpoint
   * @param {{ wire: Wire, client: Http2Client, knownBlocks: KnownBlocks }} parts wire: to the endpoint; knownBlocks: of
   *   its responses
   */
  constructor(endpoint, { wire, client, knownBlocks }) {
    this.#endpoint = endpoint;
    this.wire = wire;
    this.client = client;
    this.knownBlocks = knownBlocks;
  }

  addUser() {
    this.#users++;
  }

  removeUser() {
    this.#users--;
    if (this.#users === 0) this.#session?.retire();
  }

  /** @type {(stream: Stream) => void} */
  send(stream) {
    const session = this.#session;
    if (session === null) this.#open(stream);
    else if (session.hasRoom) session.add(stream);
    else {
      if (stream.waitsSince === 0) stream.waitsSince = this.wire.now();
      this.#waiting.add(stream);
    }
  }

  /** @type {(stream: Stream) => void} */
  #open(stream) {
    const session = new Session(this, this.#endpoint);
    this.#session = session;
    session.add(stream);
    session.open();
  }

  /** Cancels an exchange. @type {(stream: Stream) => void} */
  cancel(stream) {
    const { session } = stream;
    if (session !== null) session.cancel(stream);
    else this.#waiting.delete(stream);
  }

  /** Sends waiting streams while the session has room. */
  onRoom() {
    if (this.#waiting.size === 0) return;
    for (const stream of this.#waiting) {
      if (!this.#session?.hasRoom) return;
      this.#waiting.delete(stream);
      this.#session.add(stream);
    }
  }

  /** Call it when a session takes no more streams. @type {(session: Session, unsent: Stream[]) => void} */
  onRetired(session, unsent) {
    const streams = [...unsent];
    if (session === this.#session) {
      this.#session = null;
      streams.push(...this.#waiting);
      this.#waiting.clear();
    }
    for (const stream of streams) this.send(stream);
  }
}
