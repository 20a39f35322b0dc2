import { makeError } from '../ground/errors.js';
import { JoinedBytes } from '../process/body-memory.js';
import { createEventParser, kindOfContent } from '../text/streams/index.js';

/** @import { ReceivedEvent, StreamReading } from '../contracts/expectation.js' */
/** @import { OperationRecorder } from '../contracts/recorders.js' */
/** @import { Request } from '../contracts/request.js' */
/** @import { BodySink } from '../contracts/response.js' */
/** @import { Step, StreamRules } from '../contracts/step.js' */
/** @import { BodyAccount } from '../process/body-memory.js' */
/** @import { EventParser } from '../text/streams/types.js' */
/** @import { ExchangeContext } from './exchange-plan.js' */
/** @import { Exchange } from './exchange.js' */

/** The rest of a response after its `end`: a server that goes on longer has its connection closed. */
const MOST_REST_MS = 1000;
const MOST_REST_BYTES = 64 * 1024;

/** The time before a reconnection, unless the server says another one, ms. */
const RECONNECT_MS = 1000;

/** Characters that a field of a request cannot have. */
const UNSENDABLE = /[\0-\x08\x0a-\x1f\x7f]/;

/** The decisions that all streams of a step have in common, made before the run. */
export class StreamPlan {
  /**
   * @param {Step & { stream: StreamRules }} step
   * @param {ExchangeContext} context
   * @param {OperationRecorder} operation
   */
  constructor(step, { clock, trace, goodputs = [], maxBodySize }, operation) {
    const { stream, needs, captures } = step;
    this.rules = stream;
    this.clock = clock;
    this.maxEventBytes = maxBodySize;
    this.recorder = operation.streams(goodputs);
    this.captures = captures.filter(({ event }) => event !== null);
    this.keepsTexts = needs === 'body' || trace !== undefined;
    const { first, count, end } = stream;
    this.readsData = this.keepsTexts || this.captures.length > 0 || (first ?? count ?? end) !== null;
  }

  /** Returns the reader of a stream that begins. @type {(exchange: Exchange) => StreamReader} */
  reader(exchange) {
    return new StreamReader(this, exchange, exchange.bodies);
  }

  /**
   * Records an exchange that has ended, and closes its stream; null: it had none.
   * @type {(stream: StreamReader | null, now: number, end: { failed: boolean, cancelled?: boolean }) => void}
   */
  record(stream, now, end) {
    if (stream === null) this.recorder.ended({ ...NO_STREAM, ...end });
    else {
      stream.record(now, end);
      stream.close();
    }
  }
}

const NO_STREAM = {
  ...{ hasBegun: false, events: 0, bytes: 0, counted: 0, reconnects: 0, gaps: 0, gapsWithin: [] },
  ...{ firstEventMs: NaN, maxGap: NaN, meanGap: NaN, durationMs: NaN },
};

/**
 * Reads the stream of one exchange: splits it into events, measures them as they arrive, and decides when it has read
 * enough. It keeps no event.
 *
 * @implements {BodySink}
 * @implements {StreamReading}
 */
export class StreamReader {
  #plan;
  #exchange;
  #account;
  /** @type {EventParser | null} */
  #parser = null;
  /** The data of all events, if something reads it. @type {JoinedBytes | null} */
  #texts = null;
  #textBytes = 0;
  /** When the current piece arrived. */
  #now = 0;
  #gaps = 0;
  /** Its last response was read to its end. */
  #isWhole = false;
  /** Gaps that are within each limit of the recorder. @type {number[]} */
  #gapsWithin;
  /** After the end: the rest is not read. */
  #restBytes = -1;
  /** @type {(() => void) | null} */
  #cancelTimer = null;
  /** The request of its first connection. @type {Request | null} */
  #request = null;
  /** The values of captures by their names. @type {Map<string, unknown>} */
  captured = new Map();
  openedAt = NaN;
  firstAt = NaN;
  lastAt = NaN;
  /** When the stream ended; NaN: the response ended it. */
  endedAt = NaN;
  events = 0;
  bytes = 0;
  maxGap = 0;
  /** The last value at the path `count`. */
  counted = 0;
  reconnects = 0;
  isOver = false;
  /** The first event after the operation was due, ms; NaN before the end of the exchange. */
  firstEventMs = NaN;

  /**
   * @param {StreamPlan} plan
   * @param {Exchange} exchange
   * @param {BodyAccount} account counts the memory of events
   */
  constructor(plan, exchange, account) {
    this.#plan = plan;
    this.#exchange = exchange;
    this.#account = account;
    this.#gapsWithin = plan.recorder.gapLimits.map(() => 0);
    if (plan.keepsTexts) this.#texts = new JoinedBytes(account);
  }

  /**
   * Begins to read the body of a response.
   * @throws {Error} E_STREAM_ENCODED
   * @type {(headers: Record<string, any>) => this}
   */
  open(headers) {
    const { rules, maxEventBytes, readsData } = this.#plan;
    const coding = String(headers['content-encoding'] ?? 'identity');
    this.#isWhole = false;
    if (coding.toLowerCase() !== 'identity') throw makeError('E_STREAM_ENCODED', { coding });
    const kind = rules.kind ?? kindOfContent(String(headers['content-type'] ?? ''));
    const { lastEventId } = this;
    this.#parser?.release();
    this.#parser = createEventParser(kind, {
      onEvent: (event) => this.#take(event),
      lastEventId,
      maxEventBytes,
      keeps: readsData,
      account: this.#account,
    });
    this.#now = this.#exchange.readAt;
    if (!Number.isNaN(this.openedAt)) return this;
    this.openedAt = this.#now;
    if (rules.forMs !== null) this.#finishAfter(rules.forMs);
    return this;
  }

  /** It has ended before its response. @type {BodySink['isEnded']} */
  get isEnded() {
    return !Number.isNaN(this.endedAt);
  }

  /** Returns the error of a stream that ended without an event. @type {() => Error | null} */
  emptyError() {
    const { first, mayBeEmpty } = this.#plan.rules;
    if (this.events > 0 || mayBeEmpty) return null;
    return makeError('E_STREAM_EMPTY', { reason: first === null ? '' : ' that has a value at the path of first' });
  }

  get lastEventId() {
    return this.#parser?.lastEventId ?? '';
  }

  /** Reports whether it is opened again after its connection has ended. @type {(statusCode?: number) => boolean} */
  mayReconnect(statusCode = 200) {
    // A server says by 204 that there is no more.
    const isStream = statusCode >= 200 && statusCode < 300 && statusCode !== 204;
    return !this.isEnded && isStream && this.reconnects < this.#plan.rules.reconnects;
  }

  /** The time until then, ms. */
  get reconnectMs() {
    return this.#parser?.retryMs ?? RECONNECT_MS;
  }

  /**
   * Returns the request of the next connection, which continues after the last event.
   * @type {(own: Request) => Request}
   */
  nextRequest(own) {
    this.#request ??= own;
    this.reconnects++;
    const id = Buffer.from(this.lastEventId).toString('latin1');
    if (id === '' || UNSENDABLE.test(id)) return this.#request;
    return { ...this.#request, extra: [...(this.#request.extra ?? []), 'last-event-id', id] };
  }

  /** The mean time between its events, ms; of what it counts, if that is given. NaN: it has fewer than two. */
  get meanGap() {
    const units = (this.#plan.rules.count === null ? this.events : this.counted) - 1;
    return units > 0 ? (this.lastAt - this.firstAt) / units : NaN;
  }

  /** @type {BodySink['add']} */
  add(bytes, from, to) {
    if (this.isOver) return;
    if (this.#restBytes >= 0) {
      this.#restBytes += to - from;
      if (this.#restBytes > MOST_REST_BYTES) this.isOver = true;
      return;
    }
    this.bytes += to - from;
    this.#now = this.#exchange.readAt;
    /** @type {EventParser} */ (this.#parser).feed(bytes, from, to);
  }

  /** There is no excerpt of a stream. @type {BodySink['take']} */
  take() {
    return null;
  }

  /**
   * The response has ended at this instant: what follows the last separator may be an event.
   * @type {(now: number) => void}
   */
  endResponse(now) {
    if (this.isEnded) return;
    this.#isWhole = true;
    this.#now = now;
    this.#parser?.end();
  }

  /** Returns the data of all events so far, a line each. */
  get texts() {
    return this.#texts?.view ?? null;
  }

  /** Returns the same; null if nothing reads it. @type {() => Buffer | null} */
  takeTexts() {
    return this.#texts?.take() ?? null;
  }

  /**
   * Records the stream, whose exchange has ended.
   * @type {(now: number, end: { failed: boolean, cancelled?: boolean }) => void}
   */
  record(now, end) {
    if (end.failed && !this.isEnded && !this.#isWhole) this.#cut(now);
    const { events, bytes, counted, reconnects, maxGap, meanGap, firstEventMs, openedAt } = this;
    this.#plan.recorder.ended({
      ...{ events, bytes, counted, reconnects, maxGap, meanGap, firstEventMs },
      hasBegun: !Number.isNaN(openedAt),
      durationMs: (this.isEnded ? this.endedAt : now) - openedAt,
      gaps: this.#gaps,
      gapsWithin: this.#gapsWithin,
      ...end,
    });
  }

  /** Discards what it holds. */
  close() {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#parser?.release();
    this.#texts?.drop();
  }

  /** @type {(event: EventParser) => void} */
  #take(event) {
    const { rules, captures, readsData } = this.#plan;
    if (readsData) {
      const received = new EventReader(event);
      if (rules.end !== null && received.text === rules.end) {
        this.#end();
        this.#restBytes = 0;
        this.#finishAfter(MOST_REST_MS);
        return;
      }
      if (this.#texts !== null) this.#keep(received.text);
      for (const capture of captures) this.#capture(capture, received);
      if (rules.count !== null) this.#count(rules.count(received));
      if (rules.first !== null && isNothing(rules.first(received))) return;
    }
    this.#measure();
    if (this.events !== rules.events) return;
    this.#end();
    this.isOver = true;
  }

  #measure() {
    const now = this.#now;
    if (this.events++ === 0) this.firstAt = now;
    else this.#measureGap(now - this.lastAt);
    this.lastAt = now;
  }

  /** @type {(ms: number) => void} */
  #measureGap(ms) {
    const { recorder } = this.#plan;
    recorder.gap(ms);
    this.#gaps++;
    if (ms > this.maxGap) this.maxGap = ms;
    for (let i = 0; i < this.#gapsWithin.length; i++) if (recorder.gapLimits[i](ms)) this.#gapsWithin[i]++;
  }

  /**
   * The stream is cut while it waits for an event: a stall, longer than every gap before, counts as one.
   * @type {(now: number) => void}
   */
  #cut(now) {
    const ms = now - this.lastAt;
    if (ms > this.maxGap) this.#measureGap(ms);
  }

  /** @type {(value: unknown) => void} */
  #count(value) {
    if (typeof value === 'number' && Number.isFinite(value)) this.counted = value;
  }

  /** @type {(capture: StreamPlan['captures'][0], received: EventReader) => void} */
  #capture({ name, event, joins, read }, received) {
    if (event !== true && event !== received.type) return;
    if (this.captured.has(name) && !joins) return;
    const value = read(/** @type {any} */ (received));
    if (value === undefined) return;
    if (!joins) this.captured.set(name, value);
    else if (!isNothing(value)) this.#join(name, String(value));
  }

  /** @type {(name: string, text: string) => void} */
  #join(name, text) {
    const joined = `${this.captured.get(name) ?? ''}${text}`;
    this.#limitText(text.length);
    this.#account.reserve(text.length);
    this.captured.set(name, joined);
  }

  /** @type {(text: string) => void} */
  #keep(text) {
    const bytes = Buffer.from(this.#textBytes > 0 ? `\n${text}` : text);
    this.#limitText(bytes.length);
    this.#texts?.add(bytes, 0, bytes.length, this.#plan.maxEventBytes);
  }

  /** @type {(size: number) => void} */
  #limitText(size) {
    this.#textBytes += size;
    const { maxEventBytes: limit } = this.#plan;
    if (this.#textBytes > limit) throw makeError('E_BODY_TOO_LARGE', { limit });
  }

  /** It needs no more of the stream. */
  #end() {
    this.endedAt = this.#now;
    /** @type {EventParser} */ (this.#parser).isStopped = true;
  }

  /**
   * Ends the exchange after a time. After a stall of this thread, timers run before sockets are read: what has arrived
   * counts.
   * @type {(ms: number) => void}
   */
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
      this.endedAt = now;
      this.#cut(now);
    }
    // Its connection may just be opened again.
    this.isOver = true;
    this.#exchange.finishStream();
  }
}

/**
 * An event as paths and captures read it: its JSON is parsed once.
 *
 * @implements {ReceivedEvent}
 */
class EventReader {
  /** @type {import('../contracts/expectation.js').ParsedJson | null} */
  #json = null;

  /** @param {EventParser} event */
  constructor({ type, data }) {
    this.type = type;
    this.text = data;
  }

  get json() {
    return (this.#json ??= parsed(this.text));
  }
}

/** @type {(text: string) => import('../contracts/expectation.js').ParsedJson} */
function parsed(text) {
  try {
    return { value: JSON.parse(text), fault: null };
  } catch {
    return { value: undefined, fault: 'an event that is not JSON' };
  }
}

/** @type {(value: unknown) => boolean} */
function isNothing(value) {
  return value === undefined || value === null || value === '';
}
