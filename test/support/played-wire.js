import { Traffic, UNTIMED } from '../../lib/core/transport/traffic.js';
import { WireConnection } from '../../lib/core/transport/wire/connection.js';
import { HeadMemo } from '../../lib/core/transport/wire/head-memo.js';
import { EncodedRequests, ParserPool, createEncoder } from '../../lib/core/transport/wire/index.js';
import { WireResponse } from '../../lib/core/transport/wire/response.js';
import { Inbox, Outbox } from '../../lib/core/transport/wire/socket.js';
import { GOOD } from './faulty-server.js';
import { requestTo } from './transports.js';

export const REQUEST = requestTo('http://a.example/');

/** Ends the turn of the event loop: responses are delivered, requests are written. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A wire whose sockets a test plays, its connections, and what happened, in order. */
export function playWire({ memo = new HeadMemo(), timings = UNTIMED } = {}) {
  const log = [];
  const arrivals = [];
  const written = [];
  let now = 0;
  const outbox = new Outbox(() => now);
  const limits = { maxBodySize: 1000, maxHeadBytes: 1000, maxFields: 100 };
  const traffic = new Traffic();
  const wire = {
    open: (endpoint, own, listener) => listener.dialled(),
    encodeHead: createEncoder(),
    encoded: new EncodedRequests(),
    buffer: Buffer.alloc(4096),
    memo,
    parsers: new ParserPool({ ...limits, memo }),
    response: new WireResponse(),
    inbox: new Inbox(outbox, { onRead: (at) => arrivals.push(at), onHandled() {} }),
    outbox,
    traffic,
    timings,
    now: () => now,
    peerOf: () => null,
    limits,
  };

  /** A connection that has sent a request. */
  const connect = (name, options = {}) => {
    const { needs = 'status', request = REQUEST, onResponse = () => {}, readsExcerpt } = options;
    const connection = new WireConnection(REQUEST.endpoint, wire);
    let socket;
    let isOpen;
    connection.dialled = () => {
      log.push(`${name} opens`);
      const write = (text) => written.push(text) && log.push(`${name} writes`);
      isOpen = false;
      return (socket = { writableLength: 0, write, destroy: () => (isOpen = false) });
    };
    const receiver = {
      onResponse(response, at) {
        log.push(`${name} ${response.statusCode} of ${at}`);
        onResponse(response);
      },
      onError: ({ code }) => log.push(`${name} ${code}`),
      readsExcerpt,
    };
    const send = (next = request, nextNeeds = needs) => connection.send(next, nextNeeds, receiver);
    /** The socket that was dialled last is connected. */
    const opens = () => {
      isOpen = true;
      connection.onOpen(socket, socket);
    };
    send();
    opens();
    return {
      connection,
      send,
      opens,
      isOpen: () => isOpen,
      receives: (text = GOOD) => connection.onData(socket, wire.buffer.write(text, 'latin1')),
      ends: () => connection.onEnd(socket),
      resets: () => connection.onError(socket, Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
    };
  };

  return {
    log,
    arrivals,
    written,
    connect,
    totals: traffic.totals,
    wire,
    at: (ms) => void (now = ms),
    begin: () => void (log.length = 0),
  };
}
