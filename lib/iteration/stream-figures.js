/** @import { EndedStream, StreamRecorder } from '../contracts/recorders.js' */

/** Measures one stream as its events arrive. Times are instants of the clock. */
export class StreamFigures {
  #recorder;
  /** Gaps that are within each limit of the recorder. @type {number[]} */
  #gapsWithin;
  #gaps = 0;
  /** The head of its first response. */
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

  /** The mean time between its events, ms; of what it counts, if that is given. NaN: it has fewer than two. */
  get meanGap() {
    const units = (this.counted ?? this.events) - 1;
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

  /**
   * The stream is cut while it waits for an event: a stall, longer than every gap before, counts as one.
   * @type {(now: number) => void}
   */
  cut(now) {
    const ms = now - this.lastAt;
    if (ms > this.maxGap) this.#gap(ms);
  }

  /**
   * Returns the figures of a stream whose exchange has ended.
   * @type {(now: number, end: { failed: boolean, cancelled?: boolean }) => EndedStream}
   */
  ended(now, end) {
    const { events, bytes, counted, reconnects, maxGap, meanGap, firstEventMs, openedAt, endedAt } = this;
    return {
      ...{ events, bytes, counted, reconnects, maxGap, meanGap, firstEventMs },
      hasBegun: !Number.isNaN(openedAt),
      durationMs: (Number.isNaN(endedAt) ? now : endedAt) - openedAt,
      gaps: this.#gaps,
      gapsWithin: this.#gapsWithin,
      ...end,
    };
  }

  /** @type {(ms: number) => void} */
  #gap(ms) {
    const recorder = this.#recorder;
    recorder.gap(ms);
    this.#gaps++;
    if (ms > this.maxGap) this.maxGap = ms;
    for (let i = 0; i < this.#gapsWithin.length; i++) if (recorder.gapLimits[i](ms)) this.#gapsWithin[i]++;
  }
}
