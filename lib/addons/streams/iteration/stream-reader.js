import { counted } from '../../../core/ground/decimal.js';
import { makeError } from '../../../core/ground/errors.js';
import { fieldAt } from '../../../core/http/field-values.js';
import { formatValue } from '../../../core/text/format-value.js';
import { createEventParser, kindOfContent } from '../kinds/index.js';
import { classify } from '../../../core/iteration/failure.js';
import { codingsOf, decoderOf } from '../../../core/iteration/session/decode.js';
import { StreamDecoder } from './stream-decoder.js';
import { EventReader, StreamFigures, StreamValues, isNothing } from './stream-values.js';

/** @import { Request } from '../../../core/contracts/request.js' */
/** @import { BodySink, Response } from '../../../core/contracts/response.js' */
/** @import { BodyAccount } from '../../../core/process/body-memory.js' */
/** @import { EventParser } from '../kinds/types.js' */
/** @import { Exchange } from '../../../core/iteration/exchange.js' */
/** @import { BodyReader } from '../../../core/iteration/types.js' */
/** @import { StreamReading } from '../types.js' */
/** @import { StreamPlan } from './stream-plan.js' */

/** The rest of a response after its `end`: a server that goes on longer has its connection closed. */
const MOST_REST_MS = 1000;
const MOST_REST_BYTES = 64 * 1024;

/**
 * Reads the stream of one exchange: splits it into events, measures them as they arrive, and decides when it has read
 * enough. It keeps no event. The stream ends (`isEnded`) by an event, a number of events or a time; it is over
 * (`isOver`) when the connection reads no more of its response, which is later if the rest of the response is awaited.
 *
 * @implements {BodyReader}
 * @implements {StreamReading}
 */
export class StreamReader {
  #plan;
  #exchange;
  #account;
  #figures;
  #values;
  /** @type {EventParser | null} */
  #parser = null;
  /** Null: the response is not encoded. @type {StreamDecoder | null} */
  #decoder = null;
  /** The error of the decoder. @type {Error | null} */
  #decodeError = null;
  /** When the current piece arrived. */
  #now = 0;
  /** Its current response was read to its end. */
  #isWhole = false;
  /** Bytes of the response after the event that ended the stream; null: no event ended it. @type {number | null} */
  #restBytes = null;
  /** @type {(() => void) | null} */
  #cancelTimer = null;
  /** Its latest response. */
  #status = 0;
  /** @type {Record<string, any>} */
  #headers = {};
  #reopening = new StreamReopening();
  /** The first event that is an error. @type {EventReader | null} */
  #faulty = null;
  isOver = false;
  /** The head of the response to its last request was read. */
  isOpen = false;

  /**
   * @param {StreamPlan} plan
   * @param {Exchange} exchange
   * @param {BodyAccount} account counts the memory of events
   */
  constructor(plan, exchange, account) {
    this.#plan = plan;
    this.#exchange = exchange;
    this.#account = account;
    this.#figures = new StreamFigures(plan.recorder, { counts: plan.rules.count !== null });
    this.#values = new StreamValues({ ...plan, mostBytes: plan.maxEventBytes, account });
  }

  /**
   * Begins to read the body of a response.
   * @throws {Error} E_STREAM_ENCODED, E_BODY_MEMORY
   * @type {(statusCode: number, headers: Record<string, any>) => this}
   */
  open(statusCode, headers) {
    const { rules, maxEventBytes, readsData } = this.#plan;
    const account = this.#account;
    this.isOpen = true;
    this.#status = statusCode;
    this.#headers = headers;
    this.#isWhole = false;
    const kind = rules.kind ?? kindOfContent(typeOf(headers));
    const onEvent = (/** @type {EventParser} */ event) => this.#take(event);
    const { lastEventId } = this;
    const retryMs = this.#parser?.retryMs ?? null;
    this.#parser?.release();
    this.#parser = createEventParser(kind, { onEvent, lastEventId, maxEventBytes, keeps: readsData, account });
    this.#parser.retryMs = retryMs;
    this.#decoder?.release();
    this.#decoder = this.#decoderFor(codingsOf(String(headers['content-encoding'] ?? '')));
    this.#now = this.#exchange.readAt;
    if (!Number.isNaN(this.#figures.openedAt)) return this;
    this.#figures.openedAt = this.#now;
    if (rules.forMs !== null) this.#finishAfter(rules.forMs);
    return this;
  }

  /** Reports whether it has ended, before its response. @type {BodySink['isEnded']} */
  get isEnded() {
    return !Number.isNaN(this.#figures.endedAt);
  }

  get endedAt() {
    return this.#figures.endedAt;
  }

  get readsData() {
    return this.#plan.readsData;
  }

  get events() {
    return this.#figures.events;
  }

  get firstEventMs() {
    return this.#figures.firstEventMs;
  }

  get maxGap() {
    return this.#figures.maxGap;
  }

  /** Returns the error of one of its events, or of a stream without any. @type {() => Error | null} */
  errorAtEnd() {
    const { first, fault, mayBeEmpty, kind } = this.#plan.rules;
    if (this.#faulty !== null) return /** @type {NonNullable<typeof fault>} */ (fault)(this.#faulty);
    if (this.events > 0 || mayBeEmpty) return null;
    const isOther = kind === 'sse' && kindOfContent(typeOf(this.#headers)) !== 'sse';
    const type = isOther ? `: ${typeText(this.#headers)}` : '';
    return makeError('E_STREAM_EMPTY', {
      reason: `${first === null ? '' : ' that has a value at the path of first'}${type}`,
    });
  }

  get lastEventId() {
    return this.#parser?.lastEventId ?? '';
  }

  /** Reports whether it is opened again after its connection has ended. @type {(statusCode?: number) => boolean} */
  mayReconnect(statusCode = 200) {
    // A server ends a stream for good with 204.
    const mayContinue = mayStream(statusCode) && statusCode !== 204;
    return !this.isEnded && mayContinue && this.#figures.reconnects < this.#plan.rules.reconnects;
  }

  /** The pause before its next connection, ms: it grows while connections bring no event. */
  get reconnectMs() {
    return this.#reopening.pauseMs(this.#parser?.retryMs ?? null);
  }

  /** Returns the request of the next connection. @type {(own: Request) => Request} */
  nextRequest(own) {
    this.#figures.reconnects++;
    this.isOpen = false;
    this.#decoder?.release();
    this.#decoder = null;
    return this.#reopening.next(own, this.lastEventId);
  }

  /** Returns the response of a stream whose last connection was lost. @type {() => Response} */
  response() {
    return {
      statusCode: this.#status,
      headers: this.#headers,
      ...{ setCookies: null, contentEncoding: undefined, body: null, statusMessage: '', rawHeaders: [] },
      bodyBytes: this.#figures.bytes,
    };
  }

  /** @type {BodySink['add']} */
  add(bytes, from, to, size = to - from) {
    if (this.isOver) return;
    if (this.#restBytes !== null) {
      this.#restBytes += to - from;
      if (this.#restBytes > MOST_REST_BYTES) this.isOver = true;
      return;
    }
    this.#figures.bytes += size;
    this.#now = this.#exchange.readAt;
    if (this.#decoder !== null) this.#decoder.write(bytes, from, to, this.#now);
    else /** @type {EventParser} */ (this.#parser).feed(bytes, from, to);
  }

  /** There is no excerpt of a stream. @type {BodySink['take']} */
  take() {
    return null;
  }

  /** Reports whether bytes that have arrived may not be decoded yet. */
  get isDecoding() {
    return this.#decoder !== null && !this.isEnded;
  }

  /** Calls `then` when all is decoded, with `now`. @type {(isWhole: boolean, then: (now: number) => void) => void} */
  afterDecoding(isWhole, then) {
    const decoder = /** @type {StreamDecoder} */ (this.#decoder);
    const end = () => {
      this.#decoder = null;
      decoder.release();
      const { lane } = this.#exchange;
      lane.readClock();
      then(lane.now);
    };
    if (isWhole) decoder.end(end);
    else decoder.whenIdle(end);
  }

  /**
   * Ends a response at an instant: the bytes after the last separator may be an event. A response that is no stream has
   * none: these bytes are the rest of a lost connection.
   * @throws {Error} E_DECODE, or the error of the last event
   * @type {(now: number) => void}
   */
  endResponse(now) {
    if (this.isEnded || !this.isOpen) return;
    if (this.#decodeError !== null) throw this.#decodeError;
    this.#isWhole = true;
    this.#now = now;
    this.#parser?.end();
  }

  /** The data of all events so far, a line each; null: nothing reads it. */
  get texts() {
    return this.#values.texts();
  }

  /** Returns the same, and keeps it no longer. @type {() => Buffer | null} */
  takeTexts() {
    return this.#values.takeTexts();
  }

  /** The values of captures by their names. */
  get captured() {
    return this.#values.captured;
  }

  /** Records the ended stream. @type {(now: number, end: { failed: boolean, cancelled?: boolean }) => void} */
  record(now, end) {
    if (end.failed && !this.isEnded && !this.#isWhole) this.#figures.cut(now);
    this.#plan.recorder.ended(this.#figures.ended(now, end));
  }

  /** Adds the number of its events to the message of a failure. @type {(error: any) => void} */
  explain(error) {
    if (['reset', 'timeout'].includes(classify(error).kind))
      error.message += `, after ${counted(this.events, 'event')} of the stream`;
  }

  close() {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#parser?.release();
    this.#decoder?.release();
    this.#decoder = null;
    this.#values.release();
  }

  /** @type {(event: EventParser) => void} */
  #take(event) {
    const { rules, readsData } = this.#plan;
    this.#reopening.hasEvent = true;
    if (rules.endType !== null && event.type === rules.endType) {
      this.#endBefore();
      return;
    }
    if (rules.type !== null && event.type !== rules.type) return;
    if (readsData) {
      const received = new EventReader(event);
      if (rules.end !== null && received.text === rules.end) {
        this.#endBefore();
        return;
      }
      this.#values.take(received);
      if (rules.count !== null) this.#count(rules.count(received));
      this.#judge(received);
      if (rules.first !== null && isNothing(rules.first(received))) return;
    }
    const figures = this.#figures;
    if (figures.events > 0) figures.next(this.#now);
    else figures.first(this.#now, this.#exchange.sinceDue(this.#now));
    if (figures.events !== rules.events) return;
    this.#end();
    this.#stopReading();
  }

  /** Keeps the first event that is an error. @type {(received: EventReader) => void} */
  #judge(received) {
    const { fault } = this.#plan.rules;
    if (fault !== null && this.#faulty === null && fault(received) !== null) this.#faulty = received;
  }

  /** @type {(value: unknown) => void} */
  #count(value) {
    if (typeof value === 'number' && Number.isFinite(value)) this.#figures.counted = value;
  }

  /**
   * Returns the decoder of content codings.
   * @throws {Error} E_STREAM_ENCODED
   * @type {(codings: string[]) => StreamDecoder | null}
   */
  #decoderFor(codings) {
    if (codings.length === 0 || !this.#plan.rules.decodes) return null;
    const [coding] = codings;
    if (codings.length > 1 || decoderOf(coding) === undefined)
      throw makeError('E_STREAM_ENCODED', { coding: codings.join(', ') });
    return new StreamDecoder({
      coding,
      account: this.#account,
      most: this.#plan.maxEventBytes,
      onData: (bytes, arrivedAt) => this.#takeDecoded(bytes, arrivedAt),
      onError: (error) => {
        this.#decodeError = error;
        this.#exchange.failReading(error);
      },
    });
  }

  /** @type {(bytes: Buffer, arrivedAt: number) => void} */
  #takeDecoded(bytes, arrivedAt) {
    if (this.isOver || this.isEnded) return;
    this.#now = arrivedAt;
    /** @type {EventParser} */ (this.#parser).feed(bytes, 0, bytes.length);
  }

  /** Ends the stream before the current event, which is not part of it: the rest of the response is read. */
  #endBefore() {
    this.#end();
    this.#restBytes = 0;
    this.#finishAfter(MOST_REST_MS);
  }

  /** Reads no more events. */
  #end() {
    this.#figures.endedAt = this.#now;
    /** @type {EventParser} */ (this.#parser).isStopped = true;
    this.#decoder?.release();
  }

  /** Ends the exchange. The connection polls `isOver` while it reads; a decoder brings events later than that. */
  #stopReading() {
    this.isOver = true;
    if (this.#decoder !== null) this.#exchange.finishReading();
  }

  /** After a stall, timers run before sockets are read: what has arrived counts. @type {(ms: number) => void} */
  #finishAfter(ms) {
    const { clock } = this.#plan;
    this.#cancelTimer?.();
    this.#cancelTimer = clock.after(() => {
      this.#cancelTimer = clock.afterReads(() => this.#finish(clock.now()));
    }, ms);
  }

  /** @type {(now: number) => void} */
  #finish(now) {
    this.#cancelTimer = null;
    if (!this.isEnded) {
      this.#figures.endedAt = now;
      this.#figures.cut(now);
    }
    // Its connection may just be opened again.
    this.isOver = true;
    this.#exchange.finishReading();
  }
}

/** The time before a stream is opened again, unless the server sets another one, ms. */
const RECONNECT_MS = 1000;

/** The first of the growing pauses after connections without an event, and the longest one, ms. */
const FIRST_PAUSE_MS = 100;
const MOST_PAUSE_MS = 5000;

/** Characters that a field of a request cannot have. */
const UNSENDABLE = /[\0-\x08\x0a-\x1f\x7f]/;

/** Decides when a stream whose connection has ended is opened again, and with which request. */
export class StreamReopening {
  /** The request of the first connection. @type {Request | null} */
  #request = null;
  /** The connections without an event since the last one that had some. */
  #barren = 0;
  /** An event came over the current connection. */
  hasEvent = false;

  /** Returns the pause before the next connection. @type {(retryMs: number | null) => number} retryMs: of the server */
  pauseMs(retryMs) {
    const barren = this.#barrenSoFar;
    const leastMs = barren === 0 ? 0 : Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (barren - 1));
    return Math.max(leastMs, retryMs ?? RECONNECT_MS);
  }

  /** Connections without an event, with the current one. */
  get #barrenSoFar() {
    return this.hasEvent ? 0 : this.#barren + 1;
  }

  /** Creates the request that continues after an event. @type {(own: Request, lastEventId: string) => Request} */
  next(own, lastEventId) {
    this.#request ??= own;
    this.#barren = this.#barrenSoFar;
    this.hasEvent = false;
    const id = Buffer.from(lastEventId).toString('latin1');
    if (id === '' || UNSENDABLE.test(id)) return this.#request;
    // It is a field of its own, which a redirect keeps: middleware adds `extra` to each hop anew.
    const { fields } = this.#request;
    const at = fieldAt(fields, 'last-event-id');
    const others = at < 0 ? fields : fields.toSpliced(at, 2);
    return { ...this.#request, fields: [...others, 'last-event-id', id] };
  }
}

/** Reports whether the body of a response may be a stream. @type {(statusCode: number) => boolean} */
export function mayStream(statusCode) {
  return statusCode >= 200 && statusCode < 300;
}

/** Returns the content type. @type {(headers: Record<string, any>) => string} */
export function typeOf(headers) {
  return String(headers['content-type'] ?? '');
}

/** @type {(headers: Record<string, any>) => string} */
export function typeText(headers) {
  const type = typeOf(headers);
  return type === '' ? 'it has no Content-Type' : `its Content-Type is ${formatValue(type)}`;
}
