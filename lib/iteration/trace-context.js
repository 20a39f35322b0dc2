import { randomFillSync } from 'node:crypto';

/** @import { Request } from '../contracts/request.js' */
/** @import { TraceSummary } from '../contracts/summaries.js' */
/** @import { Send } from './exchange-record.js' */

/**
 * @typedef {object} TraceOptions
 * @property {number} share of the traces that services shall record, 0 to 1
 * @property {string} [link] URL of a recorded trace, with `{traceId}`
 */

const FIELD = 'traceparent';
/** `00-<trace id>-<parent id>-<flags>` (W3C Trace Context, 3.2); later versions begin with the same fields. */
const VALUE = /^[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;
const SAMPLED = 1;

/** The line of a field, and where its parts begin. */
const LINE = `${FIELD}: 00-${'0'.repeat(32)}-${'0'.repeat(16)}-00\r\n`;
const ID = FIELD.length + 5;
const SPAN = ID + 33;
const FLAGS = SPAN + 17;
const ID_BYTES = 16;
const SPAN_BYTES = 8;
/** Random bytes are drawn for this many lines at once (bench/micro/iteration/trace-context.js). */
const LINES = 128;
const DIGITS = Buffer.from('0123456789abcdef');

/**
 * Writes the lines of new traces. All ids are random, as the recommendation prefers: they are different in all threads,
 * shards and agents, and samplers that decide by the last 56 bits of an id take the same share. The random flag of
 * level 2 is not set: level 1 requires it to be zero.
 */
class Lines {
  #share;
  #random = Buffer.alloc(LINES * (ID_BYTES + SPAN_BYTES));
  #bytes = Buffer.from(LINE.repeat(LINES));
  #text = '';
  #at = 0;

  /** @param {number} share */
  constructor(share) {
    this.#share = share;
  }

  /** @type {() => string} */
  next() {
    if (this.#at === this.#text.length) this.#draw();
    const from = this.#at;
    this.#at += LINE.length;
    return this.#text.slice(from, this.#at);
  }

  #draw() {
    const bytes = this.#bytes;
    const random = randomFillSync(this.#random);
    const least = (1 - this.#share) * 2 ** 32;
    let from = 0;
    for (let at = 0; at < bytes.length; at += LINE.length) {
      // The last 56 bits decide; 32 of them are enough.
      const isSampled = random.readUInt32BE(from + 9) >= least;
      bytes[at + FLAGS + 1] = DIGITS[isSampled ? SAMPLED : 0];
      from = writeDigits(bytes, at + ID, { random, from, count: ID_BYTES });
      from = writeDigits(bytes, at + SPAN, { random, from, count: SPAN_BYTES });
    }
    this.#text = bytes.toString('latin1');
    this.#at = 0;
  }
}

/**
 * Writes bytes as hexadecimal digits, and returns where the next ones begin.
 * @type {(bytes: Buffer, at: number, source: { random: Buffer, from: number, count: number }) => number}
 */
function writeDigits(bytes, at, { random, from, count }) {
  let to = at;
  for (let i = from; i < from + count; i++) {
    bytes[to++] = DIGITS[random[i] >> 4];
    bytes[to++] = DIGITS[random[i] & 15];
  }
  return from + count;
}

/** All steps of a thread share their lines. @type {WeakMap<TraceOptions, Lines>} */
const known = new WeakMap();

/**
 * Creates a send function that adds `traceparent`: all requests of an exchange (redirects, retries) belong to one
 * trace, and each has an id of its own. The flag says whether the service shall record the trace. A field that the
 * flow sets is sent as it is.
 * @type {(options: TraceOptions, send: Send) => Send}
 */
export function tracingContext(options, send) {
  const { share, link } = options;
  const lines = known.get(options) ?? new Lines(share);
  known.set(options, lines);
  /** The last request, which most iterations share, and its own field. @type {Request | null} */
  let latest = null;
  /** @type {string | undefined} */
  let own;

  return (request, connection, exchange, receiver) => {
    if (request.task !== undefined && request.task.kind !== 'connect') {
      exchange.trace = null;
      send(request, connection, exchange, receiver);
      return;
    }
    if (request !== latest) {
      own = fieldOf(request);
      latest = request;
    }
    if (own !== undefined) {
      exchange.trace = VALUE.test(own) ? new Trace(`${FIELD}: ${own}`, link) : null;
      send(request, connection, exchange, receiver);
      return;
    }
    const line = lines.next();
    const { trace } = exchange;
    exchange.trace = exchange.role === 'count' || trace === null ? new Trace(line, link) : trace.withSpanOf(line);
    send(request, connection, exchange, receiver, exchange.trace.line);
  };
}

/** The trace of an exchange. */
export class Trace {
  #link;

  /**
   * @param {string} line of the field
   * @param {string} [link] template
   */
  constructor(line, link) {
    this.line = line;
    this.#link = link;
  }

  /** Returns the same trace with the request id of another line. @type {(other: string) => Trace} */
  withSpanOf(other) {
    const { line } = this;
    return new Trace(line.slice(0, SPAN) + other.slice(SPAN, FLAGS - 1) + line.slice(FLAGS - 1), this.#link);
  }

  /** @type {() => TraceSummary} */
  summary() {
    const id = this.line.slice(ID, SPAN - 1);
    const sampled = (parseInt(this.line.slice(FLAGS, FLAGS + 2), 16) & SAMPLED) === SAMPLED;
    return { id, sampled, ...(sampled && this.#link !== undefined && { link: this.#link.replaceAll(TRACE_ID, id) }) };
  }
}

/** Stands for the id of a trace in a template. */
const TRACE_ID = '{traceId}';

/** Returns the field that the flow, or a hook, has set. @type {(request: Request) => string | undefined} */
function fieldOf({ fields, extra }) {
  return valueIn(fields) ?? (extra === null ? undefined : valueIn(extra));
}

/** @type {(fields: string[]) => string | undefined} */
function valueIn(fields) {
  for (let i = 0; i < fields.length; i += 2)
    if (fields[i].length === FIELD.length && fields[i].toLowerCase() === FIELD) return String(fields[i + 1]).trim();
  return undefined;
}
