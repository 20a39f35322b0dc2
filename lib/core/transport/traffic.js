import { addCodes } from '../http/http2.js';
import { writeAddress } from '../http/url-parts.js';

/** @import { Socket } from 'node:net' */
/** @import { Link, Timings, TransportCounters, TransportTotals } from '../contracts/connection.js' */

/** The counters of a transport, before it has done anything. @type {TransportCounters} */
export const NO_TRAFFIC = {
  opened: 0,
  reused: 0,
  closedByServer: 0,
  discarded: 0,
  foldedHeads: 0,
  bytesSent: 0,
  bytesReceived: 0,
  messagesSent: 0,
  messagesReceived: 0,
  messagesUnread: 0,
  greetingsUnread: 0,
  messagesSurplus: 0,
  callsAbandoned: 0,
  http2Opened: 0,
  http2Fallbacks: 0,
  http2Streams: 0,
  http2InFlight: 0,
  http2Resets: 0,
  http2GoAways: 0,
  http2Violations: 0,
  http2Waits: 0,
  http2WaitTime: 0,
};

const DISCARDED = { update() {} };

/** Discards all timings. @type {Timings} */
export const UNTIMED = { connect: DISCARDED, tls: DISCARDED, ttfb: DISCARDED };

/** RFC 8446 5.1 */
const TLS_RECORD_BYTES = 2 ** 14;

/** Counts connections and bytes of a transport. */
export class Traffic {
  /** Connections count in these themselves; the bytes of closed sockets are added here. @type {TransportTotals} */
  totals = { ...NO_TRAFFIC };
  /** @type {Set<Socket>} */
  #sockets = new Set();
  #tracksLinks;
  /** One listener for all sockets, which are its `this`. @type {(this: Socket) => void} */
  #onClose;

  /**
   * @param {{ tracksLinks?: boolean }} [options] tracksLinks: connections say where they lead, which takes a call of
   *   the system
   */
  constructor({ tracksLinks = false } = {}) {
    this.#tracksLinks = tracksLinks;
    const remove = (/** @type {Socket} */ socket) => this.#remove(socket);
    this.#onClose = function () {
      remove(this);
    };
  }

  /** @type {(socket: Socket) => Link | null} null unless links are tracked; socket: open */
  linkOf(socket) {
    return this.#tracksLinks ? { number: 0, address: addressOf(socket) } : null;
  }

  /** Counts the bytes of a socket. @type {(socket: Socket) => void} */
  add(socket) {
    this.#sockets.add(socket);
    socket.on('close', this.#onClose);
  }

  /** @type {(socket: Socket) => void} */
  #remove(socket) {
    this.#sockets.delete(socket);
    this.totals.bytesSent += socket.bytesWritten;
    this.totals.bytesReceived += socket.bytesRead;
  }

  /** Returns a copy, with the bytes of open sockets. @type {() => TransportTotals} */
  sum() {
    const now = addTotals([this.totals]);
    for (const socket of this.#sockets) {
      now.bytesSent += socket.bytesWritten;
      now.bytesReceived += socket.bytesRead;
    }
    return now;
  }

  async end() {
    const closed = [...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }
}

/** @type {(socket: Socket) => string} empty for a unix socket */
function addressOf({ remoteAddress, remotePort }) {
  if (remoteAddress === undefined) return '';
  return writeAddress(remoteAddress, Number(remotePort));
}

/**
 * Checks if a request is still being sent, so that a server that has already answered has not read all of it. Over TLS
 * a response may arrive before the write is reported as finished, so one record is tolerated.
 * @type {(socket: Pick<Socket, 'writableLength'>) => boolean}
 */
export function isStillWriting(socket) {
  return socket.writableLength > TLS_RECORD_BYTES;
}

/** Adds the totals of several threads. @type {(all: TransportTotals[]) => TransportTotals} */
export function addTotals(all) {
  const codes = addCodes(all.flatMap(({ http2Codes = [] }) => http2Codes));
  const counters = mapCounters((name) => all.reduce((sum, totals) => sum + totals[name], 0));
  return { ...counters, ...(codes.length > 0 && { http2Codes: codes }) };
}

/** Returns the difference of two totals. @type {(now: TransportTotals, earlier: TransportTotals) => TransportTotals} */
export function subtractTotals(now, earlier) {
  const before = (earlier.http2Codes ?? []).map((one) => ({ ...one, count: -one.count }));
  const codes = addCodes([...(now.http2Codes ?? []), ...before]).filter(({ count }) => count > 0);
  const counters = mapCounters((name) => now[name] - earlier[name]);
  return { ...counters, ...(codes.length > 0 && { http2Codes: codes }) };
}

/** @type {(count: (name: keyof TransportCounters) => number) => TransportCounters} */
function mapCounters(count) {
  const names = /** @type {(keyof TransportCounters)[]} */ (Object.keys(NO_TRAFFIC));
  return /** @type {TransportCounters} */ (Object.fromEntries(names.map((name) => [name, count(name)])));
}
