import { withoutSpace } from '../http/field-values.js';
import { JoinedBytes } from '../process/body-memory.js';

/** @import { Link } from '../contracts/connection.js' */
/** @import { BodySink, Receiver } from '../contracts/response.js' */
/** @import { ProxyLeg } from '../http/endpoint.js' */

// What the connections of all transports have in common: fields of responses, excerpts of errors, and their progress.

/** The fields whose values are a list: set-cookie always, location if several differ, which a redirect refuses. */
const LISTS = ['set-cookie', 'location'];

/**
 * Header fields by name, in the form of node:http: names in lower case, and repeated fields joined by a comma, all of
 * them (Node keeps the first one of some). Kept in a plain object, because that is copied fast; inherited properties
 * are not fields.
 */
export class Fields {
  /** @type {Record<string, any>} */
  #byName = {};

  /** @type {(name: string, value: string) => void} */
  add(name, value) {
    const key = name.toLowerCase();
    const text = withoutSpace(value);
    const known = Object.hasOwn(this.#byName, key) ? this.#byName[key] : undefined;
    if (key === 'set-cookie') this.#set(key, known ? [...known, text] : [text]);
    else if (key === 'location' && known !== undefined) this.#set(key, known === text ? text : [known, text].flat());
    else this.#set(key, known === undefined ? text : `${known}, ${text}`);
  }

  /** Returns a copy that may be changed. @type {() => Record<string, any>} */
  toObject() {
    const copy = { ...this.#byName };
    for (const key of LISTS) if (Array.isArray(copy[key])) copy[key] = [...copy[key]];
    return copy;
  }

  /** @type {(key: string, value: unknown) => void} */
  #set(key, value) {
    if (key === '__proto__')
      Object.defineProperty(this.#byName, key, { value, enumerable: true, configurable: true, writable: true });
    else this.#byName[key] = value;
  }
}

/** Reads names and values in turn. @type {(raw: string[], from?: number) => Fields} */
export function fieldsOf(raw, from = 0) {
  const fields = new Fields();
  for (let i = from; i < raw.length; i += 2) fields.add(raw[i], raw[i + 1]);
  return fields;
}

/** A server that announces to keep a connection for 5 s may close it a little earlier. */
export const KEEP_ALIVE_MARGIN_MS = 500;

/** Bytes of an excerpt. More than a report shows, so that secrets are masked before the text is cut. */
const MAX_BYTES = 4096;

/** The beginning of a body that is not needed, for the sample of an error. @implements {BodySink} */
export class Excerpt {
  #bytes = new JoinedBytes();
  #room = MAX_BYTES;
  // The body is read to its end, as any other.
  isOver = false;
  isEnded = false;

  /** Copies a piece of the body. @type {(source: Buffer, from: number, to: number) => void} */
  add(source, from, to) {
    const end = Math.min(to, from + this.#room);
    this.#room -= end - from;
    this.#bytes.add(source, from, end, MAX_BYTES);
  }

  /** Returns all bytes and becomes empty. @returns {Buffer} */
  take() {
    return this.#bytes.take();
  }
}

/** @type {(statusCode: number, receiver?: Pick<Receiver, 'readsExcerpt'>) => Excerpt | null} */
export function excerptFor(statusCode, receiver) {
  return statusCode >= 400 && receiver?.readsExcerpt?.(statusCode) ? new Excerpt() : null;
}

/** The receiver of a connection that has no exchange. @type {Receiver} */
export const NO_RECEIVER = { onResponse() {}, onError() {} };

/**
 * How far an exchange has come, for all transports: deadlines, retries and examples depend on these fields. Times are
 * instants of the clock; 0: not yet. `endedAt` and `readAt` keep those of the exchange before until they are set.
 */
export class ExchangeProgress {
  isDead = false;
  wasSent = false;
  wasReused = false;
  sawBytes = false;
  connectedAt = 0;
  sentAt = 0;
  firstByteAt = 0;
  endedAt = 0;
  /** When the last bytes of a stream were read. */
  readAt = 0;
  /** The open connection, in a run with a log of requests. @type {Link | null} */
  link = null;
  /** Bytes of the last response that have arrived; NaN: not known. */
  bytesIn = 0;

  get isConnecting() {
    return !this.wasSent;
  }

  /** The response has arrived completely and is not delivered yet. */
  get hasArrived() {
    return false;
  }

  /** Bytes of the last request; NaN: not known. @type {number} */
  get bytesOut() {
    return NaN;
  }

  restart() {
    this.wasSent = false;
    this.wasReused = false;
    this.sawBytes = false;
    this.connectedAt = 0;
    this.sentAt = 0;
    this.firstByteAt = 0;
    this.bytesIn = 0;
  }
}

/** Names who can have closed a connection: its proxy, too. @type {(proxy: ProxyLeg | null) => string} */
export function closerOf(proxy) {
  if (proxy === null) return 'the server';
  return proxy.isTunnel ? 'the server or the proxy' : 'the proxy';
}
