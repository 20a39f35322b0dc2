import { counted } from '../../core/ground/decimal.js';
import { decode } from '../../core/iteration/session/decode.js';
import { JoinedBytes } from '../../core/process/body-memory.js';
import { valueOf } from './rewrite.js';

/** @import { IncomingHttpHeaders, IncomingMessage } from 'node:http' */
/** @import { Socket } from 'node:net' */
/** @import { Exchange } from '../import/exchange.js' */

/** The most bytes of a body that is kept, and of its decoded form. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_DECODED = 16 * 1024 * 1024;
/** The memory of an exchange without its texts, and of a field. */
const EXCHANGE_BYTES = 1000;
const FIELD_BYTES = 100;
/** The most bytes of all heads, bodies and messages that are kept, as they came. */
export const MOST_IN_ALL = 512 * 1024 * 1024;

/**
 * Keeps the exchanges of a recording, and counts the requests that the recording lacks. Bodies are kept up to a limit
 * of bytes for each of them, and one for all, which heads and messages of WebSockets share.
 */
export class Recorder {
  /** @type {Exchange[]} */
  #exchanges = [];
  /** @type {Set<Promise<void>>} */
  #decoding = new Set();
  #keptBytes = 0;
  /** Counts of the requests that are not in the recording, by the reason. @type {Map<string, number>} */
  #lacks = new Map();

  /** Counts a request that is not in the recording, and why. @type {(why: string) => void} */
  lack(why) {
    this.#lacks.set(why, (this.#lacks.get(why) ?? 0) + 1);
  }

  /** Lists the requests that are not in the recording. @type {() => { what: string, why: string }[]} */
  lacks() {
    return [...this.#lacks].map(([why, count]) => ({ what: counted(count, 'request'), why }));
  }

  /** Starts the recording of a body. @type {() => RecordedBytes} */
  bytes() {
    return new RecordedBytes(this);
  }

  /** Counts bytes to keep unless they are too many; a negative number frees them. @type {(bytes: number) => boolean} */
  reserve(bytes) {
    const isKept = this.#keptBytes + bytes <= MOST_IN_ALL;
    if (isKept) this.#keptBytes += bytes;
    return isKept;
  }

  /** Adds an exchange that has ended; its response is decoded. @type {(exchange: Exchange) => void} */
  add(exchange) {
    const { request, response } = exchange;
    if (!this.reserve(EXCHANGE_BYTES + sizeOf(request) + (response ? sizeOf(response) : 0))) {
      this.lack(`is above the ${MOST_IN_ALL / 2 ** 20} MiB that a recording keeps`);
      this.reserve(-request.body.length - (response?.body.length ?? 0));
      return;
    }
    this.#exchanges.push(exchange);
    if (response === null || response.isCut) return;
    const coding = valueOf(response.headers, 'content-encoding');
    if (coding === undefined) return;
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

/** A body, whole or without any byte: the beginning of a body is of no use to an import. */
class RecordedBytes {
  /** The body has too many bytes, and none of them are kept. */
  isCut = false;
  /** The bytes of the body, kept or not. */
  size = 0;
  /** Pieces of one byte are no objects of their own. */
  #bytes = new JoinedBytes();
  #recorder;

  /** @param {Recorder} recorder */
  constructor(recorder) {
    this.#recorder = recorder;
  }

  /** @type {(piece: Buffer) => void} */
  add(piece) {
    const keptBefore = this.size;
    this.size += piece.length;
    if (this.isCut) return;
    if (this.size <= MOST_BYTES && this.#recorder.reserve(piece.length))
      this.#bytes.add(piece, 0, piece.length, MOST_BYTES);
    else {
      this.isCut = true;
      this.#bytes.drop();
      this.#recorder.reserve(-keptBefore);
    }
  }

  /** Returns the body, once. @type {() => Buffer} */
  take() {
    return this.#bytes.take();
  }
}

/** Counts the bytes of a head. @type {(head: { url?: string, headers: [string, string][] }) => number} */
function sizeOf({ url = '', headers }) {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + FIELD_BYTES, url.length);
}

/** The fields in their order. @type {(message: IncomingMessage) => [name: string, value: string][]} */
export function fieldsOf({ rawHeaders }) {
  /** @type {[string, string][]} */
  const fields = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) fields.push([rawHeaders[i], rawHeaders[i + 1]]);
  return fields;
}

/** Programs at one address differ by their name. @type {(socket: Socket, headers: IncomingHttpHeaders) => string} */
export function clientOf({ remoteAddress = '' }, headers) {
  return `${remoteAddress} ${headers['user-agent'] ?? ''}`.trim();
}
