import { randomBytes, randomFillSync } from 'node:crypto';

import { fieldAt } from '../../core/http/field-values.js';

/** @import { Connection, EncodedRequest } from '../../core/contracts/connection.js' */
/** @import { RunOptions } from '../../core/contracts/run-options.js' */
/** @import { Request } from '../../core/contracts/request.js' */
/** @import { TraceSummary } from '../../core/contracts/summaries.js' */
/** @import { Send } from '../../core/iteration/exchange-record.js' */

/**
 * @typedef {object} TraceOptions
 * @property {number} share of the traces that services shall record, 0 to 1
 * @property {string} [link] URL of a recorded trace, with `{traceId}`
 */

const FIELD = 'traceparent';
/**
 * `00-<trace id>-<parent id>-<flags>` (W3C Trace Context, 3.2). Later versions begin with the same fields, and may have
 * more after another hyphen, which version 00 may not; there is no version ff.
 */
const VALUE = /^(?!ff|00.{53}-)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;
const SAMPLED = 1;

/**
 * The line of a field, and where its parts begin. Both ids are hexadecimal; a prepared trace id ends with the id of the
 * first request.
 *
 *     traceparent: 00-0123456789abcdef0123456789abcdef-0123456789abcdef-01
 *                  |  |               |                |                |
 *           VALUE_AT  ID              SECOND           SPAN             FLAGS
 */
const LINE = `${FIELD}: 00-${'0'.repeat(32)}-${'0'.repeat(16)}-00\r\n`;
const VALUE_AT = FIELD.length + 2;
const ID = VALUE_AT + 3;
const SECOND = ID + 16;
const SPAN = ID + 33;
const FLAGS = SPAN + 17;
/** Bytes of half a trace id, and of the id of a request. */
const HALF = 8;
/** Random bytes are drawn for as many traces at once. */
const DRAWN = 512;
/** As many texts are written at once; a lane that waits long keeps them all. Longer requests get a line each. */
const MOST_TEXTS = 32;
const MOST_BYTES = 16 * 1024;
/**
 * Bytes for the texts of all steps of a thread: a list of URLs may have 100,000 steps, each with up to 32 kB. The
 * others add a line to each request, which takes three times as long.
 */
const MOST_KEPT = 8 * 1024 * 1024;
const ZERO = 0x30;

/** Random numbers of 32 bits for the traces of a thread. */
class RandomWords {
  #words = new Uint32Array((DRAWN * HALF) / 4);
  #at = this.#words.length;

  /** @type {() => number} */
  next() {
    if (this.#at === this.#words.length) {
      randomFillSync(this.#words);
      this.#at = 0;
    }
    return this.#words[this.#at++];
  }
}

const RANDOM = new RandomWords();

/**
 * Returns the four hexadecimal digits of 16 bits, a byte each: all at once takes half as long as a table of digits. Of
 * 0x1a2f, the halves of bytes are 0x010a020f, and the letters 0x00010001; the result has the octets of `1a2f`.
 * @type {(bits: number) => number}
 */
function digitsOf(bits) {
  const bytes = ((bits & 0xff00) << 8) | (bits & 0xff);
  const halves = (bytes | (bytes << 4)) & 0x0f0f0f0f;
  // 6 more carries into the next four bits from 10 on, which are letters.
  const letters = ((halves + 0x06060606) >> 4) & 0x01010101;
  return halves + 0x30303030 + letters * 0x27;
}

/** Writes `bits` into the ids of a trace and its request. @type {(view: DataView, at: number, bits: number) => void} */
function writeTwice(view, at, bits) {
  const high = digitsOf(bits >>> 16);
  const low = digitsOf(bits);
  view.setInt32(at + SECOND, high);
  view.setInt32(at + SECOND + 4, low);
  view.setInt32(at + SPAN, high);
  view.setInt32(at + SPAN + 4, low);
}

/** Stands for the id of a trace in the template of a link. */
const TRACE_ID = '{traceId}';

/**
 * Texts of a request for the next traces, each with a line of its own, or the lines alone: writing many at once takes a
 * third of the time (bench/micro/iteration/trace-context.js).
 *
 * All ids are random, as the recommendation prefers: they are different in all threads, shards and agents, and samplers
 * that decide by the last 56 bits of an id take the same share. The traces of a request have the first half of their
 * ids in common, and the second half is the id of the first request, too: half as many digits are written. The random
 * flag of level 2 is not set: level 1 requires it to be zero.
 */
class PreparedTexts {
  #least;
  #bytes;
  /** Of the same bytes: it writes four digits at once in 2 ns, and a Buffer in 37 (CPU time). */
  #view;
  #length;
  #lineAt;
  #body;
  /** They are lines alone, and no whole requests. */
  isLines;
  #text = '';
  #at = 0;

  /**
   * @param {number} share
   * @param {EncodedRequest} [request] without it, the texts are lines alone
   */
  constructor(share, request) {
    const { text, headEnd, bytes } = request ?? { text: '', headEnd: 0, bytes: null };
    const line = LINE.slice(0, ID) + randomBytes(HALF).toString('hex') + LINE.slice(SECOND);
    const whole = text.slice(0, headEnd) + line + text.slice(headEnd);
    const count = Math.min(MOST_TEXTS, Math.floor(MOST_BYTES / whole.length));
    this.#least = (1 - share) * 2 ** 32;
    this.#bytes = Buffer.from(whole.repeat(count), 'latin1');
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset);
    this.#length = whole.length;
    this.#lineAt = headEnd;
    this.#body = bytes;
    this.isLines = request === undefined;
  }

  /** Bytes of the texts, and of the string of them; lines, which all steps share, do not count. */
  get keptBytes() {
    return this.isLines ? 0 : 2 * this.#bytes.length;
  }

  /** Takes the next text, which begins a trace. @type {(trace: Trace) => void} */
  next(trace) {
    if (this.#at === this.#text.length) this.#write();
    const from = this.#at;
    this.#at += this.#length;
    trace.text = this.#text.slice(from, this.#at);
    trace.lineAt = this.#lineAt;
    trace.bytes = this.#body;
    trace.isWhole = !this.isLines;
  }

  #write() {
    const bytes = this.#bytes;
    const view = this.#view;
    for (let at = this.#lineAt; at < bytes.length; at += this.#length) {
      const first = RANDOM.next();
      const second = RANDOM.next();
      writeTwice(view, at, first);
      writeTwice(view, at + 8, second);
      // The last 56 bits decide; 32 of them are enough.
      const decides = ((first << 8) | (second >>> 24)) >>> 0;
      bytes[at + FLAGS + 1] = ZERO + (decides >= this.#least ? SAMPLED : 0);
    }
    this.#text = bytes.toString('latin1');
    this.#at = 0;
  }
}

/**
 * By the options of a thread: the lines alone, which its steps share, and how many bytes their other texts have.
 * @type {WeakMap<TraceOptions, { lines: PreparedTexts, keptBytes: number }>}
 */
const sharedBySteps = new WeakMap();

/** The texts of the latest request of a step, which most iterations share. */
class StepTexts {
  #share;
  #shared;
  /** The lines alone, which all steps share. */
  lines;
  /** @type {Request | null} */
  #latest = null;
  /** The field that the flow sets in the latest request. @type {string | undefined} */
  own = undefined;
  /** Lines, until the latest request is sent again: then whole texts of it, if memory allows. @type {PreparedTexts} */
  prepared;
  /** The latest request is short enough for whole texts. */
  #isShort = true;

  /** @param {TraceOptions} options */
  constructor(options) {
    this.#share = options.share;
    this.#shared = sharedBySteps.get(options) ?? { lines: new PreparedTexts(options.share), keptBytes: 0 };
    sharedBySteps.set(options, this.#shared);
    this.lines = this.prepared = this.#shared.lines;
  }

  /** Selects the texts of the request that is sent next. @type {(request: Request, connection: Connection) => void} */
  select(request, connection) {
    if (request !== this.#latest) this.#begin(request);
    else if (this.prepared === this.lines && this.own === undefined && this.#mayPrepare)
      this.#prepareWhole(request, connection);
  }

  get #mayPrepare() {
    return this.#isShort && this.#shared.keptBytes < MOST_KEPT;
  }

  /** @type {(request: Request) => void} */
  #begin(request) {
    this.#latest = request;
    this.own = fieldOf(request);
    this.#shared.keptBytes -= this.prepared.keptBytes;
    this.prepared = this.lines;
    this.#isShort = true;
  }

  /** @type {(request: Request, connection: Connection) => void} */
  #prepareWhole(request, connection) {
    if (!connection.encode) return;
    const encoded = connection.encode(request);
    this.#isShort = encoded.text.length + LINE.length <= MOST_BYTES;
    if (this.#isShort) this.prepared = new PreparedTexts(this.#share, encoded);
    this.#shared.keptBytes += this.prepared.keptBytes;
  }
}

/**
 * `traceLink` without `traceContext` traces all requests.
 * @type {(options: Pick<RunOptions, 'traceContext' | 'traceLink'>) => (send: Send) => Send}
 */
export function senderOf({ traceContext, traceLink }) {
  const options = { share: Number(traceContext ?? 1), link: traceLink };
  return (send) => tracingContext(options, send);
}

/**
 * Creates a send function that adds `traceparent`: all requests of an exchange (redirects, retries) belong to one
 * trace, and each has an id of its own. The flag says whether the service shall record the trace. A field that the
 * flow sets is sent as it is.
 * @type {(options: TraceOptions, send: Send) => Send}
 */
export function tracingContext(options, send) {
  const { link } = options;
  const texts = new StepTexts(options);
  return (request, connection, exchange, receiver) => {
    if (request.task !== undefined && request.task.sendsFields !== true) {
      exchange.trace = null;
      send(request, connection, exchange, receiver);
      return;
    }
    texts.select(request, connection);
    const { own } = texts;
    if (own !== undefined) {
      exchange.trace = VALUE.test(own) ? new Trace(link, `${FIELD}: ${own}`) : null;
      send(request, connection, exchange, receiver);
      return;
    }
    const trace = /** @type {Trace} */ (exchange.trace ?? new Trace(link));
    if (exchange.trace !== null && exchange.role !== 'count') trace.follow(texts.lines);
    else texts.prepared.next(trace);
    exchange.trace = trace;
    send(request, connection, exchange, receiver, trace);
  };
}

/** The trace of the last exchange of a lane. */
class Trace {
  #link;
  /** Where its line begins in the text. */
  lineAt = 0;
  /** The text is a whole request. */
  isWhole = false;
  /** The body of that request, if the text does not have it. @type {Buffer | null} */
  bytes = null;

  /**
   * @param {string} [link] template
   * @param {string} [text] a line
   */
  constructor(link, text = LINE) {
    this.#link = link;
    this.text = text;
  }

  /** Continues a trace: only the span id of the new line is used. @type {(lines: PreparedTexts) => void} */
  follow(lines) {
    const before = this.text.slice(this.lineAt, this.lineAt + LINE.length);
    lines.next(this);
    this.text = before.slice(0, SPAN) + this.text.slice(SPAN, FLAGS - 1) + before.slice(FLAGS - 1);
  }

  /** The name and the value of the field. @type {[name: string, value: string]} */
  get field() {
    const { text, lineAt } = this;
    return [FIELD, text.slice(lineAt + VALUE_AT, lineAt + FLAGS + 2)];
  }

  /** @type {() => TraceSummary} */
  summary() {
    const line = this.text.slice(this.lineAt);
    const id = line.slice(ID, SPAN - 1);
    const sampled = (parseInt(line.slice(FLAGS, FLAGS + 2), 16) & SAMPLED) === SAMPLED;
    return { id, sampled, ...(sampled && this.#link !== undefined && { link: this.#link.replaceAll(TRACE_ID, id) }) };
  }
}

/** Returns the field that the flow, or a hook, has set. @type {(request: Request) => string | undefined} */
function fieldOf({ fields, extra }) {
  return valueIn(fields) ?? (extra === null ? undefined : valueIn(extra));
}

/** @type {(fields: string[]) => string | undefined} */
function valueIn(fields) {
  const at = fieldAt(fields, FIELD);
  return at < 0 ? undefined : String(fields[at + 1]).trim();
}
