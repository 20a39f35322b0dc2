import { counted } from '../ground/decimal.js';
import { decode } from '../iteration/session/decode.js';

/** @import { IncomingHttpHeaders, IncomingMessage } from 'node:http' */
/** @import { Socket } from 'node:net' */
/** @import { Exchange, RecordedMessage } from '../contracts/exchange.js' */

/** Bytes of a body that are kept, and of its decoded form. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_DECODED = 16 * 1024 * 1024;
/** Bytes of all bodies of a recording. */
const MOST_IN_ALL = 512 * 1024 * 1024;
const MOST_MESSAGES = 10_000;

/** Keeps the exchanges of a recording, each once. */
export class Recorder {
  /** @type {Exchange[]} */
  #exchanges = [];
  /** @type {Set<Promise<void>>} */
  #decoding = new Set();
  #bytes = 0;
  /** Counts of the requests that are not in the recording, by the reason. @type {Map<string, number>} */
  #lacks = new Map();

  /** The number of exchanges that have ended. */
  get count() {
    return this.#exchanges.length;
  }

  /** Counts a request that is not in the recording, and why. @type {(why: string) => void} */
  lack(why) {
    this.#lacks.set(why, (this.#lacks.get(why) ?? 0) + 1);
  }

  /** Lists the requests that are not in the recording. @type {() => { what: string, why: string }[]} */
  lacks() {
    return [...this.#lacks].map(([why, count]) => ({ what: counted(count, 'request'), why }));
  }

  /** Starts a body, of which bytes up to a limit are kept. @type {() => RecordedBytes} */
  bytes() {
    return new RecordedBytes(MOST_BYTES, (count) => {
      this.#bytes += count;
      return this.#bytes <= MOST_IN_ALL;
    });
  }

  /** Adds an exchange that has ended; its response is decoded. @type {(exchange: Exchange) => void} */
  add(exchange) {
    this.#exchanges.push(exchange);
    const { response } = exchange;
    const coding = response?.headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
    if (!response || coding === undefined || response.isCut) return;
    const decoding = decode(response.body, coding, MOST_DECODED)
      .then((body) => void (response.body = body))
      .catch(() => {
        response.body = Buffer.alloc(0);
        response.isCut = true;
      })
      .finally(() => this.#decoding.delete(decoding));
    this.#decoding.add(decoding);
  }

  /** Returns all exchanges, in the order of their start. @type {() => Promise<Exchange[]>} */
  async finish() {
    await Promise.all(this.#decoding);
    return this.#exchanges.toSorted((a, b) => a.startedAt - b.startedAt);
  }
}

/** The bytes of a body, up to a limit. */
class RecordedBytes {
  /** Bytes are missing. */
  isCut = false;
  /** @type {Buffer[]} */
  #pieces = [];
  #size = 0;
  #limit;
  #reserve;

  /** @param {number} limit @param {(count: number) => boolean} reserve false: all bodies have too many bytes */
  constructor(limit, reserve) {
    this.#limit = limit;
    this.#reserve = reserve;
  }

  /** @type {(piece: Buffer) => void} */
  add(piece) {
    this.#size += piece.length;
    if (!this.isCut && this.#size <= this.#limit && this.#reserve(piece.length)) this.#pieces.push(piece);
    else {
      this.isCut = true;
      this.#pieces = [];
    }
  }

  get size() {
    return this.#size;
  }

  /** @type {() => Buffer} */
  joined() {
    return Buffer.concat(this.#pieces);
  }
}

/** The fields in their order. @type {(message: IncomingMessage) => [name: string, value: string][]} */
export function fieldsOf({ rawHeaders }) {
  /** @type {[string, string][]} */
  const fields = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) fields.push([rawHeaders[i], rawHeaders[i + 1]]);
  return fields;
}

/** @type {(messages: RecordedMessage[], message: RecordedMessage) => void} */
export function addMessage(messages, message) {
  if (messages.length < MOST_MESSAGES) messages.push(message);
}

/** Programs at one address differ by their name. @type {(socket: Socket, headers: IncomingHttpHeaders) => string} */
export function clientOf({ remoteAddress = '' }, headers) {
  return `${remoteAddress} ${headers['user-agent'] ?? ''}`.trim();
}
