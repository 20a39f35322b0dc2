import { offered } from '../ground/addons.js';
import { writeAddress } from '../http/url-parts.js';

/** @import { Socket } from 'node:net' */
/** @import { Link, Timings, TransportCounters, TransportTotals } from '../contracts/connection.js' */

/** @type {{ counters: { key: string, endsLate?: boolean }[], lists?: { key: string, by: string[] }[] }[]} */
const OFFERED = offered('figures');

const COUNTERS = OFFERED.flatMap(({ counters }) => counters);
/** Lists beside the counters, of objects with a `count`. */
const LISTS = OFFERED.flatMap(({ lists = [] }) => lists);

/** The counters of a transport, before it has done anything. */
export const NO_TRAFFIC = /** @type {TransportTotals} */ ({
  opened: 0,
  reused: 0,
  closedByServer: 0,
  discarded: 0,
  foldedHeads: 0,
  bytesSent: 0,
  bytesReceived: 0,
  ...Object.fromEntries(COUNTERS.map(({ key }) => [key, 0])),
});

const COUNTED = /** @type {(keyof TransportCounters)[]} */ (Object.keys(NO_TRAFFIC));

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
  /**
   * @param {{ tracksLinks?: boolean }} [options] tracksLinks: connections say where they lead, which takes a call of
   *   the system
   */
  constructor({ tracksLinks = false } = {}) {
    this.#tracksLinks = tracksLinks;
  }

  /** @type {(socket: Socket) => Link | null} null unless links are tracked; socket: open */
  linkOf(socket) {
    return this.#tracksLinks ? { number: 0, address: addressOf(socket) } : null;
  }

  /** Counts the bytes of a socket. @type {(socket: Socket) => void} */
  add(socket) {
    this.hold(socket);
    socket.on('close', () => this.release(socket));
  }

  /** The same, for a caller that releases it when it is closed: a listener less. @type {(socket: Socket) => void} */
  hold(socket) {
    this.#sockets.add(socket);
  }

  /** @type {(socket: Socket) => void} */
  release(socket) {
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
  const counters = mapCounters((name) => {
    let sum = 0;
    for (const totals of all) sum += totals[name];
    return sum;
  });
  return withLists(counters, (key) => all.flatMap((totals) => listOf(totals, key)));
}

/** Returns the difference of two totals. @type {(now: TransportTotals, earlier: TransportTotals) => TransportTotals} */
export function subtractTotals(now, earlier) {
  const counters = mapCounters((name) => now[name] - earlier[name]);
  return withLists(counters, (key) => [
    ...listOf(now, key),
    ...listOf(earlier, key).map((one) => ({ ...one, count: -one.count })),
  ]);
}

/** Returns the counters whose last value is right, though the measured time is over. @type {(now: TransportTotals) =>
 *   Partial<TransportTotals>} */
export function countedLate(now) {
  const late = COUNTERS.filter(({ endsLate }) => endsLate);
  return Object.fromEntries(late.map(({ key }) => [key, /** @type {any} */ (now)[key]]));
}

/** @type {(totals: TransportTotals, key: string) => { count: number }[]} */
function listOf(totals, key) {
  return /** @type {any} */ (totals)[key] ?? [];
}

/** Adds the lists that are not empty. @type {(counters: TransportTotals, of: (key: string) => { count: number }[]) =>
 *   TransportTotals} */
function withLists(counters, of) {
  for (const { key, by } of LISTS) {
    const rows = addCounts(of(key), by).filter(({ count }) => count > 0);
    if (rows.length > 0) /** @type {any} */ (counters)[key] = rows;
  }
  return counters;
}

/**
 * Adds the counts of those that are equal in the properties `by`; the rest is that of the first one.
 * @type {<Row extends { count: number }>(all: Row[], by: string[]) => Row[]}
 */
export function addCounts(all, by) {
  /** @type {any[]} */
  const sums = [];
  for (const one of /** @type {any[]} */ (all)) {
    const known = sums.find((sum) => by.every((name) => sum[name] === one[name]));
    if (known === undefined) sums.push({ ...one });
    else known.count += one.count;
  }
  return sums;
}

/** @type {(count: (name: keyof TransportCounters) => number) => TransportTotals} */
function mapCounters(count) {
  const counters = { ...NO_TRAFFIC };
  for (const name of COUNTED) counters[name] = count(name);
  return counters;
}
