import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

import { makeError } from '../../ground/errors.js';

/** @import { Connection, Transport, TransportClient } from '../../contracts/connection.js' */

/**
 * The most that a run may send, whatever its flow does.
 *
 * @typedef {object} LoadLimits
 * @property {number} rate requests per second
 * @property {number} requests of the whole run, those of `before`, of the warm-up and redirects included
 * @property {number} bytes that it sends and receives
 * @property {number} [duration] from its first request, ms
 */

/** The name for worker_threads: threads that start later read it, too. */
const KEY = 'bench-rest: load limits';
/** The interval at which received bytes are counted, ms. */
const COUNT_MS = 50;

/** Requests without a turn that may follow each other, such as redirects. */
const MOST_AHEAD = 20;

/** Requests of this thread that waited for their turn. */
let waited = 0;

/** Returns how many requests of this thread waited for their turn. @type {() => number} */
export function turnsWaited() {
  return waited;
}

/** Limits the runs of this thread, and of threads that it starts. @type {(limits: LoadLimits | undefined) => void} */
export function limitLoad(limits) {
  waited = 0;
  setEnvironmentData(KEY, /** @type {any} */ (limits));
}

/**
 * The limits of the load of one thread. Virtual users wait for the turn of a request, which is no part of its time. A
 * request without a turn, such as one of a redirect, moves the later turns.
 */
export class RequestLimits {
  #gapMs;
  #mostRequests;
  #mostBytes;
  #mostMs;
  #endAt = Infinity;
  #clock;
  #nextAt = -Infinity;
  /** Instant at which the requests so far would be due, and how far ahead of the clock that may be. */
  #dueAt = -Infinity;
  #mostAheadMs;
  /** Turns whose requests were not sent yet. */
  #reserved = 0;
  #sent = 0;
  #isReached = false;
  /** @type {() => void} */
  #stop = () => {};
  /** @type {() => number} */
  #bytes = () => 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * Returns the limits of each of several threads; null: there are none.
   * @type {(threads: number, clock: { now: () => number }) => RequestLimits | null}
   */
  static of(threads, clock) {
    const limits = /** @type {any} */ (getEnvironmentData(KEY));
    return limits === undefined ? null : new RequestLimits(limits, threads, clock);
  }

  /** @param {LoadLimits} limits @param {number} threads @param {{ now: () => number }} clock */
  constructor({ rate, requests, bytes, duration = Infinity }, threads, clock) {
    this.#gapMs = (1000 * threads) / rate;
    this.#mostAheadMs = 1000 + MOST_AHEAD * this.#gapMs;
    this.#mostRequests = Math.max(1, Math.floor(requests / threads));
    this.#mostBytes = bytes / threads;
    this.#mostMs = duration;
    this.#clock = clock;
  }

  /** Reserves a turn, and returns the ms until then. @type {(now: number) => number} */
  takeTurn(now) {
    this.#reserved++;
    const ms = this.#move(now);
    if (ms > 0) waited++;
    return ms;
  }

  /** @type {(now: number) => number} */
  #move(now) {
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#gapMs;
    return at - now;
  }

  /** Counts what a client sends and receives. @type {(open: TransportClient['open']) => TransportClient['open']} */
  around(open) {
    return (options) => {
      const transport = open(options);
      this.#bytes = () => {
        const { bytesSent, bytesReceived } = transport.totals();
        return bytesSent + bytesReceived;
      };
      return this.#counting(transport);
    };
  }

  /** @type {(transport: Transport) => Transport} */
  #counting(transport) {
    return {
      connect: (...given) => this.#counted(transport.connect(...given)),
      totals: () => transport.totals(),
      addresses: transport.addresses,
      close: () => {
        clearInterval(this.#timer);
        return transport.close();
      },
    };
  }

  /** @type {(connection: Connection) => Connection} */
  #counted(connection) {
    const send = connection.send.bind(connection);
    // Texts of requests are not sent ahead: each is a request.
    connection.sendEncoded = undefined;
    connection.encode = undefined;
    connection.send = (request, needs, receiver) => {
      if (this.#maySend(Math.max(1, request.task?.messages?.length ?? 1))) send(request, needs, receiver);
      else queueMicrotask(() => receiver.onError(makeError('E_CANCELLED')));
    };
    return connection;
  }

  /** @type {(count: number) => boolean} */
  #maySend(count) {
    const now = this.#clock.now();
    if (this.#sent === 0) this.#endAt = now + this.#mostMs;
    this.#dueAt = Math.max(now, this.#dueAt) + count * this.#gapMs;
    // A teardown of a run that was cut off does not wait for turns.
    const isAhead = this.#dueAt - now > this.#mostAheadMs;
    if (isAhead || this.#sent + count > this.#mostRequests || this.#bytes() >= this.#mostBytes) this.#reach();
    if (this.#isReached) return false;
    this.#sent += count;
    if (this.#reserved > 0) this.#reserved--;
    else this.#move(now);
    this.#nextAt += (count - 1) * this.#gapMs;
    return true;
  }

  /** Ends the run at a limit. @type {(stop: () => void) => void} */
  onReached(stop) {
    this.#stop = stop;
    this.#timer = setInterval(() => {
      if (this.#bytes() >= this.#mostBytes || this.#clock.now() >= this.#endAt) this.#reach();
    }, COUNT_MS).unref();
  }

  #reach() {
    if (this.#isReached) return;
    this.#isReached = true;
    this.#stop();
  }
}
