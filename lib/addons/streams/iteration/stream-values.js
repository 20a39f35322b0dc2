import { makeError } from '../../../core/ground/errors.js';
import { JoinedBytes } from '../../../core/process/body-memory.js';
import { textOf } from '../../../core/text/format-value.js';
import { withoutMark } from '../../../core/iteration/response-reader.js';

/** @import { ParsedJson } from '../../../core/contracts/expectation.js' */
/** @import { StreamRecorder } from '../measure/streams.js' */
/** @import { CaptureOfEvents, EndedStream, ReceivedEvent } from '../types.js' */
/** @import { BodyAccount } from '../../../core/process/body-memory.js' */
/** @import { EventParser } from '../kinds/types.js' */

/** Keeps what an operation needs of the data of events: captured values, and all texts if something reads them. */
export class StreamValues {
  #captures;
  #account;
  #mostBytes;
  /** @type {JoinedBytes | null} */
  #texts;
  #textBytes = 0;
  #hasText = false;
  /** Bytes of joined values by the names of captures. @type {Map<string, number>} */
  #joinedBytes = new Map();
  /** Values by the names of captures. @type {Map<string, unknown>} */
  captured = new Map();

  /**
   * @param {{ captures: CaptureOfEvents[], keepsTexts: boolean, mostBytes: number, account: BodyAccount }} options
   *   mostBytes: of all texts, and of each joined capture
   */
  constructor({ captures, keepsTexts, mostBytes, account }) {
    this.#captures = captures;
    this.#account = account;
    this.#mostBytes = mostBytes;
    this.#texts = keepsTexts ? new JoinedBytes(account) : null;
  }

  /** @throws {Error} E_BODY_TOO_LARGE, E_BODY_MEMORY @type {(event: EventReader) => void} */
  take(event) {
    if (this.#texts !== null) this.#keep(this.#texts, event.text);
    for (const capture of this.#captures) this.#capture(capture, event);
  }

  /** Returns the data of all events so far, a line each; null: nothing reads it. @type {() => Buffer | null} */
  texts() {
    return this.#texts?.view ?? null;
  }

  /** Returns the same, and keeps it no longer. @type {() => Buffer | null} */
  takeTexts() {
    return this.#texts?.take() ?? null;
  }

  /** Discards the texts. Captured values outlive the stream: the account releases them with those of the phase. */
  release() {
    this.#texts?.drop();
  }

  /** @type {(capture: CaptureOfEvents, event: EventReader) => void} */
  #capture({ name, event: type, joins, read }, event) {
    if (type !== true && type !== event.type) return;
    if (this.captured.has(name) && !joins) return;
    const value = read(/** @type {any} */ (event));
    if (value === undefined) return;
    if (!joins) this.captured.set(name, value);
    else if (!isNothing(value)) this.#join(name, textOf(value));
  }

  /** @type {(name: string, text: string) => void} */
  #join(name, text) {
    const size = Buffer.byteLength(text);
    const bytes = (this.#joinedBytes.get(name) ?? 0) + size;
    this.#limit(bytes);
    this.#account.reserve(size);
    this.#joinedBytes.set(name, bytes);
    this.captured.set(name, `${this.captured.get(name) ?? ''}${text}`);
  }

  /** @type {(texts: JoinedBytes, text: string) => void} */
  #keep(texts, text) {
    const bytes = Buffer.from(this.#hasText ? `\n${text}` : text);
    this.#hasText = true;
    this.#textBytes += bytes.length;
    this.#limit(this.#textBytes);
    texts.add(bytes, 0, bytes.length, this.#mostBytes);
  }

  /** @type {(bytes: number) => void} */
  #limit(bytes) {
    if (bytes > this.#mostBytes) throw makeError('E_BODY_TOO_LARGE', { limit: this.#mostBytes });
  }
}

/** An event as paths and captures read it: its JSON is parsed once. @implements {ReceivedEvent} */
export class EventReader {
  /** @type {ParsedJson | null} */
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

/** @type {(text: string) => ParsedJson} */
function parsed(text) {
  try {
    // The first line of NDJSON may have one.
    return { value: JSON.parse(withoutMark(text)), fault: null };
  } catch {
    return { value: undefined, fault: 'an event that is not JSON' };
  }
}

/** @type {(value: unknown) => boolean} */
export function isNothing(value) {
  return value === undefined || value === null || value === '';
}

/** Measures one stream as its events arrive. Times are instants of the clock. */
export class StreamFigures {
  #recorder;
  /** Gaps that are within each limit of the recorder. @type {number[]} */
  #gapsWithin;
  #gaps = 0;
  #gapsMs = 0;
  /** The instant of the head of its first response. */
  openedAt = NaN;
  firstAt = NaN;
  lastAt = NaN;
  /** NaN: the response ended it. */
  endedAt = NaN;
  events = 0;
  bytes = 0;
  maxGap = 0;
  /** The last value at the path `count`; null: events are counted. @type {number | null} */
  counted;
  reconnects = 0;
  /** The first event after the operation was due, ms. */
  firstEventMs = NaN;

  /**
   * @param {StreamRecorder} recorder
   * @param {{ counts: boolean }} options counts: it reports what it counts
   */
  constructor(recorder, { counts }) {
    this.#recorder = recorder;
    this.counted = counts ? 0 : null;
    this.#gapsWithin = recorder.gapLimits.map(() => 0);
  }

  /** The mean time between its events, ms; of what it counts, if it has counted any. NaN: it has fewer than two. */
  get meanGap() {
    // A count of zero stands for none, too.
    const units = (this.counted || this.events) - 1;
    return units > 0 ? (this.lastAt - this.firstAt) / units : NaN;
  }

  /** Records an event after the first one. @type {(now: number) => void} */
  next(now) {
    this.events++;
    this.#gap(now - this.lastAt);
    this.lastAt = now;
  }

  /** Records the first event. @type {(now: number, ms: number) => void} ms: after the operation was due */
  first(now, ms) {
    this.events = 1;
    this.firstAt = this.lastAt = now;
    this.firstEventMs = ms;
    this.#recorder.firstEvent(ms);
  }

  /** The stream is cut while it waits: a stall counts, if longer than each gap before. @type {(now: number) => void} */
  cut(now) {
    const ms = now - this.lastAt;
    if (ms > this.maxGap) this.#gap(ms);
  }

  /** @type {(now: number, end: { failed: boolean, cancelled?: boolean }) => EndedStream} */
  ended(now, end) {
    const { events, bytes, counted, reconnects, maxGap, meanGap, firstEventMs, openedAt, endedAt } = this;
    return {
      ...{ events, bytes, counted, reconnects, maxGap, meanGap, firstEventMs },
      hasBegun: !Number.isNaN(openedAt),
      durationMs: (Number.isNaN(endedAt) ? now : endedAt) - openedAt,
      gaps: this.#gaps,
      gapsMs: this.#gapsMs,
      gapsWithin: this.#gapsWithin,
      ...end,
    };
  }

  /** @type {(ms: number) => void} */
  #gap(ms) {
    const recorder = this.#recorder;
    recorder.gap(ms);
    this.#gaps++;
    this.#gapsMs += ms;
    if (ms > this.maxGap) this.maxGap = ms;
    for (let i = 0; i < this.#gapsWithin.length; i++) if (recorder.gapLimits[i](ms)) this.#gapsWithin[i]++;
  }
}
