import { createRequire } from 'node:module';

import { keepForEndpoint } from '../../http/endpoint.js';
import { HAS_NO_BODY } from '../../http/field-values.js';
import { OTHER_VERSION } from '../../http/versions.js';
import { Addresses, explainBind } from '../addresses.js';
import { Traffic, UNTIMED } from '../traffic.js';
import { WireConnection } from './connection.js';
import { HeadMemo } from './head-memo.js';
import { ResponseParser } from './parser.js';
import { WireResponse } from './response.js';
import { Inbox, Outbox, createDial, openSocket, readInto } from './socket.js';

/** @import { Socket } from 'node:net' */
/** @import { EncodedRequest, Transport, TransportOptions } from '../../contracts/connection.js' */
/** @import { Request } from '../../contracts/request.js' */
/** @import { Endpoint, ProxyLeg } from '../../http/endpoint.js' */
/** @import { HttpVersion } from '../../http/versions.js' */
/** @import { Wire } from './connection.js' */
/** @import { Pipeline } from './pipeline.js' */
/** @import { Expected, ParserOptions } from './parser.js' */
/** @import { SocketListener } from './socket.js' */

/**
 * A version of HTTP that is not 1.1, on the wire of this client. `wireTo` returns the wire to an endpoint, or to its
 * proxy.
 *
 * @typedef {(wireTo: (endpoint: Endpoint) => Wire, options: TransportOptions) => Transport['connect']} OpenVersion
 *
 * @typedef {HttpVersion & { open: () => OpenVersion }} WireVersion open: called for the first endpoint that speaks it;
 *   without a promise, as `connect` returns a connection at once
 */

const READ_BYTES = 64 * 1024;

const requireHere = createRequire(import.meta.url);

/** @type {() => typeof import('./pipeline.js')} */
const loadPipeline = () => requireHere('./pipeline.js');
/** @type {() => typeof import('../proxy.js')} */
const loadProxy = () => requireHere('../proxy.js');

/**
 * The built-in client: HTTP/1.1 on sockets of node:net and node:tls. A thread opens it once; all its connections share
 * the `wire`, which has everything that a connection does not own.
 * @type {(options: TransportOptions) => Transport}
 */
export function open(options) {
  const traffic = new Traffic(options);
  const addresses = new Addresses(options);
  const wire = createWire(options, { traffic, addresses });
  /** @type {(endpoint: Endpoint) => Wire} */
  const wireTo = (endpoint) => (endpoint.proxy === null ? wire : throughProxy(wire, endpoint));
  const { pipelining = 1 } = options;
  return {
    connect: pipelining > 1 ? openPipelines(wireTo) : openConnections(wireTo, options),
    totals: () => traffic.sum(),
    addresses,
    close() {
      addresses.close();
      return traffic.end();
    },
  };
}

/** @type {(options: TransportOptions, parts: { traffic: Traffic, addresses: Addresses }) => Wire} */
function createWire(options, { traffic, addresses }) {
  const { maxBodySize, maxHeaderSize, maxHeaderFields, timings = UNTIMED, reads } = options;
  const onFolded = () => void traffic.totals.foldedHeads++;
  const limits = { maxBodySize, maxHeadBytes: maxHeaderSize, maxFields: maxHeaderFields, onFolded };
  const memo = new HeadMemo();
  const now = performance.now.bind(performance);
  const outbox = new Outbox(now);
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  return {
    dial: createDial(addresses),
    open: openSocket,
    explain: explainBind,
    encodeHead: createEncoder(),
    encoded: new EncodedRequests(),
    buffer,
    onread: readInto(buffer),
    memo,
    parsers: new ParserPool({ ...limits, memo }),
    response: new WireResponse(),
    inbox: new Inbox(outbox, reads),
    outbox,
    traffic,
    timings,
    now,
    peerOf: (socket) => addresses.peerOf(socket),
    connectFailed: (endpoint, error) => addresses.connectFailed(endpoint, error),
    limits,
  };
}

/** @type {(wireTo: (endpoint: Endpoint) => Wire, options: TransportOptions) => Transport['connect']} */
function openConnections(wireTo, options) {
  /** @type {Transport['connect'] | null} */
  let connectOther = null;
  return (endpoint, bodies) => {
    if (endpoint.version === undefined) return new WireConnection(endpoint, wireTo(endpoint), bodies);
    connectOther ??= /** @type {WireVersion} */ (OTHER_VERSION).open()(wireTo, options);
    return connectOther(endpoint, bodies);
  };
}

/** @type {(wireTo: (endpoint: Endpoint) => Wire) => Transport['connect']} */
function openPipelines(wireTo) {
  const { Pipeline } = loadPipeline();
  /** By the key of the endpoint. @type {WeakMap<object, Map<string, Pipeline>>} */
  const pipelines = new WeakMap();
  return (endpoint, bodies, generation = {}) => {
    const ofGeneration = pipelines.get(generation) ?? new Map();
    const pipeline = ofGeneration.get(endpoint.key) ?? new Pipeline(endpoint, wireTo(endpoint));
    // The slots of a forgotten pipeline still use it.
    keepForEndpoint(ofGeneration, endpoint.key, pipeline);
    pipelines.set(generation, ofGeneration);
    return pipeline.addSlot(bodies);
  };
}

/**
 * @typedef {{ endpoint: Endpoint, text: string, isFramed: boolean }} EncodedFields text: what follows the path;
 *   isFramed: one of the fields says where the body ends
 */

/**
 * Creates an encoder of request heads. Everything after the path is encoded once per list of fields that the iterations
 * of a step share. Such a list is recognized when it comes twice in a row, as it soon does with many lanes. A list of
 * one request, with tokens or changed by a hook, is not kept: in a WeakMap it would cost 2 us of CPU time, most of it
 * garbage collection (bench/micro/transport/wire/index.js).
 * @type {() => (request: Request, size: number) => string}
 */
export function createEncoder() {
  /** @type {WeakMap<string[], EncodedFields>} */
  const known = new WeakMap();
  /** The last list that was not known. @type {string[] | null} */
  let latest = null;

  /**
   * @param {Request} request
   * @param {number} size of the body in bytes
   * @returns {string} all bytes before the body, as latin1
   */
  return function encodeHead({ endpoint, method, path, fields, extra, body }, size) {
    const shared = known.get(fields);
    const rest = shared?.endpoint === endpoint ? shared : encodeRest(fields, endpoint);
    const own = extra === null ? '' : encodeFields(extra);
    const needsLength = !rest.isFramed && (body !== null || !HAS_NO_BODY.has(method));
    const length = needsLength ? `content-length: ${size}\r\n\r\n` : '\r\n';
    return `${method} ${path}${rest.text}${own}${length}`;
  };

  /** @type {(fields: string[], endpoint: Endpoint) => EncodedFields} */
  function encodeRest(fields, endpoint) {
    let namesHost = false;
    let isFramed = false;
    for (let i = 0; i < fields.length; i += 2) {
      // The length tells most names apart, so that few are put into lower case.
      const { length } = fields[i];
      if (length === 4) namesHost ||= fields[i].toLowerCase() === 'host';
      else if (length === 14 || length === 17) isFramed ||= FRAMING.has(fields[i].toLowerCase());
    }
    const host = namesHost ? '' : `host: ${endpoint.host}\r\n`;
    const encoded = { endpoint, text: ` HTTP/1.1\r\n${host}${encodeFields(fields)}`, isFramed };
    if (fields === latest) known.set(fields, encoded);
    latest = fields;
    return encoded;
  }
}

/** The texts that are kept: the lanes of a flow send its operations in turn. */
const MOST_ENCODED = 4;
/** Of requests with longer bodies, only one is kept: iterations with bodies of their own would fill the memory. */
const LONG_BODY = 64 * 1024;

/**
 * Encodes requests, and keeps the texts of the last ones. A request that every iteration sends is encoded once for all
 * lanes, which keep the same text: 120 bytes less for each.
 */
export class EncodedRequests {
  /** @type {(EncodedRequest & { request: Request | null })[]} */
  #kept = Array.from({ length: MOST_ENCODED }, () => ({ request: null, text: '', bytes: null, headEnd: 0 }));
  /** The place of the next one that is not kept. */
  #next = 0;

  /** Valid until the next call. @type {(request: Request, encodeHead: Wire['encodeHead']) => EncodedRequest} */
  of(request, encodeHead) {
    for (let i = 0; i < MOST_ENCODED; i++) if (this.#kept[i].request === request) return this.#kept[i];
    const encoded = this.#kept[this.#next];
    const { body } = request;
    const size = body === null ? 0 : Buffer.byteLength(body);
    // The next request takes the place of one with a long body.
    if (size <= LONG_BODY) this.#next = (this.#next + 1) % MOST_ENCODED;
    const head = encodeHead(request, size);
    // The text has as many bytes as characters: it is ASCII.
    const isAscii = typeof body === 'string' && body.length === size;
    encoded.request = request;
    encoded.headEnd = head.length - 2;
    encoded.text = isAscii ? head + body : head;
    encoded.bytes = isAscii || body === null ? null : typeof body === 'string' ? Buffer.from(body) : body;
    return encoded;
  }
}

/** Fields that say where the body ends, in place of a computed length. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);

/** @type {(fields: string[]) => string} */
function encodeFields(fields) {
  let text = '';
  for (let i = 0; i < fields.length; i += 2) text += `${fields[i]}: ${fields[i + 1]}\r\n`;
  return text;
}

/**
 * The parsers of a thread. A connection borrows one from the first byte of a response to its last: most responses
 * arrive in one piece, so that a few parsers, which stay in the cache of the CPU, serve thousands of connections.
 */
export class ParserPool {
  #options;
  /** @type {ResponseParser[]} */
  #free = [];

  /** @param {ParserOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /** Lends a parser for the response that begins. @type {(expected: Expected) => ResponseParser} */
  borrow(expected) {
    const parser = this.#free.pop() ?? new ResponseParser(this.#options);
    parser.begin(expected);
    return parser;
  }

  /** Returns a parser, which releases the kept parts of a body. @type {(parser: ResponseParser) => void} */
  release(parser) {
    parser.drop();
    this.#free.push(parser);
  }
}

/**
 * The wire of connections by a proxy, which differs in how it opens sockets and explains errors; without a tunnel, also
 * in the heads of requests.
 * @type {(wire: Wire, endpoint: Endpoint) => Wire}
 */
function throughProxy(wire, endpoint) {
  const { absoluteRequests, explainProxy, refuseBroken } = loadProxy();
  const proxy = /** @type {ProxyLeg} */ (endpoint.proxy);
  const rewrite = absoluteRequests(endpoint);
  return {
    ...wire,
    open: (_, own, listener) => {
      refuseBroken(proxy);
      return proxy.isTunnel ? openTunnelled(endpoint, own, listener) : openSocket(proxy, own, listener);
    },
    explain: (error) => explainProxy(error, proxy),
    // The error is that of `explain`, whose cause is the error of the socket.
    connectFailed: (_, error) => wire.connectFailed(proxy, error.cause ?? error),
    encodeHead: proxy.isTunnel ? wire.encodeHead : (request, size) => wire.encodeHead(rewrite(request), size),
  };
}

/**
 * Opens a socket to a server through the tunnel of a proxy: TCP, and TLS if the proxy wants it, CONNECT, and TLS to an
 * https server. Until `onOpen`, the listener gets all events with the socket to the proxy, which it has from here;
 * afterwards with that of the server, which is another one with TLS.
 * @type {(endpoint: Endpoint, wire: Wire, listener: SocketListener) => Socket}
 */
function openTunnelled(endpoint, wire, listener) {
  const { dial, traffic, timings, now, limits, buffer } = wire;
  const { explainProxy, openTunnel } = loadProxy();
  const proxy = /** @type {ProxyLeg} */ (endpoint.proxy);
  const dialledAt = now();
  const onDialError = (/** @type {any} */ error) => listener.onError(socket, explainProxy(error, proxy));
  const socket = dial(proxy, undefined, () => {
    socket.off('error', onDialError);
    openTunnel(socket, endpoint, limits.maxHeadBytes, (error) =>
      error ? listener.onError(socket, error) : onTunnel(),
    );
  });
  socket.on('error', onDialError);
  // openTunnel, and then the protocol on top of it, handle later errors; none of them may be without a listener.
  socket.on('error', () => {});
  traffic.add(socket);
  return socket;

  function onTunnel() {
    const connectedAt = now();
    timings.connect.update(connectedAt - dialledAt);
    listener.onConnect(socket, connectedAt);
    if (endpoint.protocol === 'http:') {
      socket.on('error', (error) => listener.onError(socket, error));
      follow(socket, () => socket, buffer, listener);
      traffic.totals.opened++;
      listener.onOpen(socket, socket);
      socket.resume();
    } else secure(connectedAt);
  }

  /** @type {(connectedAt: number) => void} */
  function secure(connectedAt) {
    /** The socket by which the listener knows this connection. */
    let known = socket;
    const inner = dial(
      endpoint,
      undefined,
      () => {
        known = inner;
        traffic.totals.opened++;
        timings.tls.update(now() - connectedAt);
        listener.onOpen(socket, inner);
      },
      socket,
    );
    inner.on('error', (error) => listener.onError(known, error));
    follow(inner, () => known, buffer, listener);
    socket.once('close', () => inner.destroy());
    inner.once('close', () => socket.destroy());
  }
}

/** @type {(from: Socket, known: () => Socket, buffer: Buffer, listener: SocketListener) => void} */
function follow(from, known, buffer, listener) {
  from.on('data', (chunk) => {
    for (let at = 0; at < chunk.length; at += buffer.length) {
      const size = chunk.copy(buffer, 0, at);
      listener.onData(known(), size);
    }
  });
  from.on('end', () => listener.onEnd(known()));
  from.on('close', () => listener.onError(known(), null));
}
