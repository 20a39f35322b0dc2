import { createRequire } from 'node:module';
import net from 'node:net';

import { keepForEndpoint } from '../../http/endpoint.js';
import { isSecure } from '../../http/url-parts.js';

/** @import { ReadWatch } from '../../contracts/connection.js' */
/** @import { Dialled } from '../../http/endpoint.js' */
/** @import { Addresses, DialAddress } from '../addresses.js' */
/** @import { Wire } from './connection.js' */
/** @import { OnReadOpts, Socket } from 'node:net' */
/** @import { ConnectionOptions, SecureContext } from 'node:tls' */

/**
 * @typedef {(endpoint: Dialled, onread: OnReadOpts | undefined, onOpen: () => void, through?: Socket) => Socket} Dial
 *   opens a connection, or TLS on top of another one; the caller listens to all events of the socket itself
 */

const requireHere = createRequire(import.meta.url);

/** It takes 3.6 ms of CPU to load. @type {() => typeof import('node:tls')} */
const loadTls = () => requireHere('node:tls');

/** The protocols that a TLS handshake offers (RFC 7301). */
const HTTP_1_1 = ['http/1.1'];

/**
 * Creates a function that opens connections: TCP to the addresses of a name, TLS with one context and the last session
 * of each endpoint, unix sockets.
 * @type {(addresses: Addresses) => Dial}
 */
export function createDial(addresses) {
  /** @type {Map<string, { context: SecureContext, session: Buffer | undefined }>} */
  const contexts = new Map();

  return (endpoint, onread, onOpen, through) => {
    if (through) return dialSecure(endpoint, { socket: through, host: endpoint.hostname }, onOpen);
    const to = endpoint.socketPath === undefined ? addresses.to(endpoint) : null;
    const options = socketOptions(endpoint, to, onread);
    const socket = isSecure(endpoint.protocol) ? dialSecure(endpoint, options, onOpen) : net.connect(options);
    if (to !== null) addresses.follow(socket, to);
    if (!isSecure(endpoint.protocol)) socket.once('connect', onOpen);
    return socket;
  };

  /** @type {(endpoint: Dialled, to: object, onOpen: () => void) => Socket} */
  function dialSecure(endpoint, to, onOpen) {
    const { tls: options, hostname } = endpoint;
    const known = contextOf(endpoint);
    // The session may be why the handshake failed: the next one starts without it.
    const dropSession = () => (known.session = undefined);
    const socket = loadTls().connect(
      {
        ...(net.isIP(hostname) ? identityOf(hostname, options) : { servername: hostname }),
        ALPNProtocols: endpoint.version?.alpn ?? HTTP_1_1,
        ...options,
        ...to,
        secureContext: known.context,
        session: known.session,
      },
      () => {
        socket.off('error', dropSession);
        onOpen();
      },
    );
    socket.on('session', (session) => (known.session = session));
    socket.once('error', dropSession);
    return socket;
  }

  /** @type {(endpoint: Dialled) => { context: SecureContext, session: Buffer | undefined }} */
  function contextOf({ key, tls: options }) {
    const found = contexts.get(key);
    if (found) return found;
    const created = { context: loadTls().createSecureContext(options), session: undefined };
    keepForEndpoint(contexts, key, created);
    return created;
  }
}

/**
 * Options of net.connect. net.Socket writes the last four into a copy of them: a copy that has them shares its hidden
 * class with those of other sockets, and any other gets classes of its own, 1.5 KB that only a full collection frees.
 * So does a literal with a spread.
 * @type {(endpoint: Dialled, to: DialAddress | null, onread: OnReadOpts | undefined) => any}
 */
function socketOptions({ socketPath, localAddress }, to, onread) {
  return {
    path: socketPath,
    host: to?.host,
    port: to?.port,
    lookup: to?.lookup,
    localAddress,
    noDelay: to !== null,
    onread,
    allowHalfOpen: false,
    emitClose: false,
    autoDestroy: true,
    decodeStrings: false,
  };
}

/**
 * An IP address is no server name, in place of which Node would check the certificate for the host that it dials: with
 * `--connect-to` or a unix socket, that is another one than the URL has. The option `servername` comes first.
 * @type {(address: string, options: Pick<ConnectionOptions, 'servername'>) => Pick<ConnectionOptions, 'servername' |
 *   'checkServerIdentity'>}
 */
function identityOf(address, { servername = '' }) {
  return {
    servername: '',
    checkServerIdentity: (_dialled, certificate) => loadTls().checkServerIdentity(servername || address, certificate),
  };
}

/**
 * @typedef {object} SocketListener
 * @property {(socket: Socket, at: number) => void} onConnect TCP is connected, TLS is not
 * @property {(dialled: Socket, socket: Socket) => void} onOpen requests can be written to `socket`: from now on it is
 *   the socket, not the one that was dialled
 * @property {(socket: Socket, size: number) => void} onData `size` bytes are at the beginning of the wire's buffer
 * @property {(socket: Socket) => void} onEnd the server has closed its side
 * @property {(socket: Socket, error: any) => void} onError the socket failed; null: it was closed
 */

/**
 * Opens a socket, measures how long it takes, and passes its events to a listener.
 * @throws {Error} if OpenSSL cannot read the TLS options
 * @type {(endpoint: Dialled, wire: Wire, listener: SocketListener) => Socket}
 */
export function openSocket(endpoint, wire, listener) {
  const { dial, onread, traffic, timings, now } = wire;
  const isTls = isSecure(endpoint.protocol);
  const dialledAt = now();
  let connectedAt = dialledAt;
  const socket = /** @type {OwnSocket} */ (
    dial(endpoint, onread, () => {
      traffic.totals.opened++;
      if (isTls) timings.tls.update(now() - connectedAt);
      socket[IS_OPEN] = true;
      listener.onOpen(socket, socket);
    })
  );
  // It has to run before the handler of `dial`, which calls onOpen.
  socket.prependOnceListener('connect', () => {
    connectedAt = now();
    timings.connect.update(connectedAt - dialledAt);
    listener.onConnect(socket, connectedAt);
  });
  socket[LISTENER] = listener;
  socket[WIRE] = wire;
  socket[IS_OPEN] = false;
  socket.on('end', onEnd);
  socket.on('error', onError);
  socket.on('close', onClose);
  traffic.hold(socket);
  return socket;
}

const LISTENER = Symbol('listener');
const WIRE = Symbol('wire');
const IS_OPEN = Symbol('is open');

/**
 * A socket with what its events lead to. The functions that are called with events are the same for all sockets: a
 * function for each event of each socket, and what they refer to, are 13 objects and 650 bytes of every connection.
 * @typedef {Socket & { [LISTENER]: SocketListener, [WIRE]: Wire, [IS_OPEN]: boolean }} OwnSocket
 */

/**
 * Returns the option `onread` of all sockets of a wire. Node calls `callback` as a method of the socket.
 * @type {(buffer: Uint8Array) => OnReadOpts}
 */
export function readInto(buffer) {
  return { buffer, callback: onBytes };
}

/** @this {any} an OwnSocket @param {number} size */
function onBytes(size) {
  this[LISTENER].onData(this, size);
  return true;
}

/** @this {OwnSocket} */
function onEnd() {
  this[LISTENER].onEnd(this);
}

/** @this {OwnSocket} @param {Error} error */
function onError(error) {
  this[LISTENER].onError(this, this[IS_OPEN] ? error : this[WIRE].explain(error));
}

/** @this {OwnSocket} */
function onClose() {
  this[WIRE].traffic.release(this);
  this[LISTENER].onError(this, null);
}

/**
 * What is handled together. Two arrays take turns, and stay as long as they are: growing anew, each was 22 bytes of a
 * request.
 * @template T
 */
class Batch {
  /** @type {T[]} */
  #items = [];
  /** The other one; null: it is being handled. @type {T[] | null} */
  #spare = [];
  size = 0;

  /** @type {(item: T) => number} the size */
  add(item) {
    this.#items[this.size] = item;
    return ++this.size;
  }

  /** Returns the array: its first items, as many as `size` was, are handled now. @type {() => T[]} */
  take() {
    const items = this.#items;
    this.#items = this.#spare ?? [];
    this.#spare = null;
    this.size = 0;
    return items;
  }

  /** Takes back the array. @type {(items: T[]) => void} */
  handled(items) {
    this.#spare = items;
  }
}

/** @typedef {{ flush: (now: number) => void }} Sender writes its pending request */
/** @typedef {{ deliver: () => void }} Recipient delivers its response */

/**
 * Requests that are written with one reading of the clock. A write takes 3 to 4 us, a reading 0.04: the times of the
 * last ones of 64 requests would be longer by 200 us than they are.
 */
const WRITES_PER_READING = 4;

/**
 * Collects requests and writes them together, at the latest at the end of a turn of the event loop. The server then
 * wakes once for many requests, which saves a fifth of the cost of a request on both sides
 * (bench/micro/transport/wire/socket.js).
 */
export class Outbox {
  #now;
  /** @type {Batch<Sender>} */
  #senders = new Batch();
  #isScheduled = false;

  /** @param {() => number} now ms */
  constructor(now) {
    this.#now = now;
  }

  /** @param {Sender} sender */
  add(sender) {
    this.#senders.add(sender);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.flushLast);
  }

  flush() {
    const { size } = this.#senders;
    if (size === 0) return;
    const senders = this.#senders.take();
    let at = 0;
    while (at < size) {
      const now = this.#now();
      const end = Math.min(size, at + WRITES_PER_READING);
      while (at < end) senders[at++].flush(now);
    }
    this.#senders.handled(senders);
  }

  /** Leaves requests to `flushLast`, which is called later in this turn. */
  schedule() {
    this.#isScheduled = true;
  }

  flushLast = () => {
    this.#isScheduled = false;
    this.flush();
  };
}

/** @type {ReadWatch} */
const UNWATCHED = { onRead() {}, onHandled() {} };
/** Connections whose responses are delivered together. */
const GROUP = 64;
/** Groups of a turn whose requests are written at once: 1,024 responses, which is what one call of epoll returns. */
const MOST_WRITTEN = 16;

/**
 * Collects the connections whose responses have arrived, and delivers these in groups, the last one at the end of the
 * turn of the event loop. The requests that follow are written at once:
 *
 *     read 64 -> deliver 64 -> write 64 -> read 64 -> … -> read the rest -> deliver it -> write it
 *
 * After 1,024 responses requests wait for the end of the turn. While that many sockets can be read, libuv reads again,
 * up to 48 times, before it serves timers: with 8,000 connections whose server answers at once, turns had 49,151
 * responses.
 *
 * With 1,000 connections, reading all of them before the first one is delivered, and delivering all of them before the
 * first request is written, finds none of their memory in the cache of the CPU: 13.9 us of CPU per request instead of
 * 12.0. Groups of 16 or 128 made no difference.
 */
export class Inbox {
  #outbox;
  #reads;
  /** @type {Batch<Recipient>} */
  #group = new Batch();
  /** Groups delivered in this turn. */
  #groups = 0;
  #isScheduled = false;

  /**
   * @param {Outbox} outbox
   * @param {ReadWatch} [reads]
   */
  constructor(outbox, reads = UNWATCHED) {
    this.#outbox = outbox;
    this.#reads = reads;
  }

  /** @type {(recipient: Recipient, now: number) => void} now: its response has arrived */
  add(recipient, now) {
    if (!this.#isScheduled) this.#begin(now);
    if (this.#group.add(recipient) === GROUP) this.#deliver(++this.#groups <= MOST_WRITTEN);
  }

  /** @type {(now: number) => void} */
  #begin(now) {
    this.#isScheduled = true;
    this.#groups = 0;
    setImmediate(this.#deliverLast);
    setImmediate(this.#endTurn);
    this.#outbox.schedule();
    this.#reads.onRead(now);
  }

  #deliverLast = () => {
    this.#isScheduled = false;
    this.#deliver(true);
  };

  // It runs right after deliverLast and the microtasks behind it. A function of the flow that awaits something sends
  // from those, after the flush of deliverLast; without this second one its request would wait for the next turn.
  #endTurn = () => {
    this.#outbox.flushLast();
    this.#reads.onHandled();
  };

  /** Delivers the responses; requests that follow are written together. @type {(writes: boolean) => void} */
  #deliver(writes) {
    const { size } = this.#group;
    const group = this.#group.take();
    let at = 0;
    try {
      while (at < size) group[at++].deliver();
    } finally {
      // After an internal error the others still get their responses.
      if (at < size) this.#deliverLater(group.slice(at, size));
      this.#group.handled(group);
      if (writes) this.#outbox.flush();
    }
  }

  /** @type {(rest: Recipient[]) => void} */
  #deliverLater(rest) {
    for (const recipient of rest) this.#group.add(recipient);
    setImmediate(this.#deliverLast);
  }
}
