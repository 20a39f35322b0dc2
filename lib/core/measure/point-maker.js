/** @import { RecordedPoint } from './series.js' */

/**
 * @typedef {object} Point what happened in one interval
 * @property {number} from ms since the start
 * @property {number} to
 * @property {number} count iterations that completed
 * @property {number} errors
 * @property {number} failed iterations
 * @property {number} max response time, ms; 0 if none completed
 * @property {number} area sum over time of the running iterations, iterations x ms
 * @property {number} utilization of the event loop, 0 to 1; the highest of several threads
 * @property {number} bytes received
 * @property {Uint8Array} counts response times in µs, as `toBytes` of HdrCounts returns them
 * @property {RecordedPoint[]} [operations] without those that had no response
 */

/**
 * Makes a point of each interval. An iteration belongs to the interval of its end time. No timer is involved: the first
 * event after the end of an interval closes it (`#roll`).
 */
export class PointMaker {
  #intervals;
  #utilization;
  #received;
  #times;
  #operations;
  #onPoint;
  #start = 0;
  /** The beginning of the current interval, ms since the start. */
  #from = 0;
  /** The width of the current interval, ms. */
  #width;
  #endsAt = Infinity;
  #errors = 0;
  #failed = 0;
  #max = 0;
  #area = 0;
  #active = 0;
  /** The time up to which `#area` counts, ms since the start, summable. */
  #changedAt = 0;
  /** The clock at the last change of `#active`; NaN: it was in an earlier interval. */
  #changeNow = NaN;
  /** Bytes received before the current interval. */
  #receivedBefore = 0;

  /**
   * @param {(point: Point) => void} onPoint gets each interval when it is over
   * @param {object} [options]
   * @param {number} [options.interval] ms of each
   * @param {() => number} [options.utilization] of the event loop since the last call
   * @param {() => number} [options.received] bytes so far
   * @param {{ sincePoint: () => { count: number, counts: Uint8Array } | null }} [options.times] response times of
   *   iterations that completed
   * @param {() => RecordedPoint[]} [options.operations] since the last call
   */
  constructor(onPoint, options = {}) {
    const { interval, utilization = () => 0, received = () => 0, times = NO_TIMES, operations = () => [] } = options;
    this.#onPoint = onPoint;
    this.#intervals = new Intervals(interval);
    this.#width = this.#intervals.first;
    this.#utilization = utilization;
    this.#received = received;
    this.#times = times;
    this.#operations = operations;
  }

  /** The number of running iterations. */
  get running() {
    return this.#active;
  }

  /** @type {(now: number) => void} */
  begin(now) {
    this.#start = now;
    this.#endsAt = now + this.#width;
    // These calls discard what was measured before the first interval.
    this.#utilization();
    this.#times.sincePoint();
    this.#operations();
    this.#receivedBefore = this.#received();
  }

  /** @type {(now: number) => void} */
  started(now) {
    this.#change(now, 1);
  }

  /** @type {(now: number, hasFailed: boolean) => void} */
  ended(now, hasFailed) {
    this.#change(now, -1);
    if (hasFailed) this.#failed++;
  }

  /** Called before the response time of a completed iteration is recorded. @type {(now: number, ms: number) => void} */
  completes(now, ms) {
    if (now >= this.#endsAt) this.#roll(now);
    if (ms > this.#max) this.#max = ms;
  }

  /** Counts an error of an iteration. @type {(now: number) => void} */
  addError(now) {
    if (now >= this.#endsAt) this.#roll(now);
    this.#errors++;
  }

  /** Closes the intervals that are over. @type {(now: number) => void} */
  advance(now) {
    if (now >= this.#endsAt) this.#roll(now);
  }

  /** Ends the last interval, which may be shorter. @type {(now: number) => void} */
  close(now) {
    if (now >= this.#endsAt) this.#roll(now);
    if (this.#endsAt < Infinity && now > this.#start + this.#from)
      this.#closePoint(now, { utilization: this.#utilization(), bytes: this.#takeBytes(1) });
    this.#endsAt = Infinity;
  }

  /** @type {(now: number, by: number) => void} */
  #change(now, by) {
    // Most iterations start when another one ends.
    if (now !== this.#changeNow) {
      if (now >= this.#endsAt) this.#roll(now);
      const changedAt = summable(now - this.#start);
      this.#area += this.#active * (changedAt - this.#changedAt);
      this.#changedAt = changedAt;
      this.#changeNow = now;
    }
    this.#active += by;
  }

  /** Closes all intervals that are over, including empty ones. @type {(now: number) => void} */
  #roll(now) {
    const utilization = this.#utilization();
    while (now >= this.#endsAt) {
      const isLast = now < this.#endsAt + this.#intervals.lengthAt(this.#from + this.#width);
      // Later intervals may be longer, so this is their number at most.
      const over = isLast ? 1 : Math.floor((now - this.#start - this.#from) / this.#width);
      this.#closePoint(this.#endsAt, { utilization, bytes: this.#takeBytes(over) });
    }
  }

  /** One interval's share of the new bytes: when they came is not known. @type {(intervals: number) => number} */
  #takeBytes(intervals) {
    const bytes = Math.round((this.#received() - this.#receivedBefore) / intervals);
    this.#receivedBefore += bytes;
    return bytes;
  }

  /** @type {(end: number, measured: Pick<Point, 'utilization' | 'bytes'>) => void} */
  #closePoint(end, measured) {
    const from = this.#from;
    const to = end === this.#endsAt ? from + this.#width : end - this.#start;
    const changedAt = summable(to);
    this.#area += this.#active * (changedAt - this.#changedAt);
    this.#changeNow = NaN;
    // An event that is older than the end of the interval before takes its time off this one, or the next.
    const area = Math.max(0, this.#area);
    const { count, counts } = this.#times.sincePoint() ?? NOTHING;
    this.#onPoint({
      from,
      to,
      count,
      errors: this.#errors,
      failed: this.#failed,
      max: this.#max,
      area,
      ...measured,
      counts,
      // If several intervals end together, the first one has them.
      operations: this.#operations(),
    });
    this.#errors = 0;
    this.#failed = 0;
    this.#max = 0;
    this.#area -= area;
    this.#changedAt = changedAt;
    this.#from += this.#width;
    this.#width = this.#intervals.lengthAt(this.#from);
    this.#endsAt = this.#start + this.#from + this.#width;
  }
}

const NOTHING = { count: 0, counts: new Uint8Array() };
const NO_TIMES = { sincePoint: () => null };

const FIRST_MS = 125;
const LONGEST_MS = 1000;
/** Intervals of a length, before it doubles: half as many are left then, which suffice to judge if a run is steady. */
const MOST_OF_A_LENGTH = 32;

/**
 * The lengths of the intervals that a run over time is cut into: 1 s, but shorter ones during the first 16 s, so that a
 * short run has a course, too. They double, so that a longer one consists of shorter ones.
 */
export class Intervals {
  #longest;

  /**
   * Returns the unit of a length, ms: intervals of this length may be joined later, but none that reach over a multiple
   * of it.
   * @type {(length: number) => number}
   */
  static unitOf(length) {
    const isOpeningLength = length < LONGEST_MS && Number.isInteger(Math.log2(length / FIRST_MS));
    return isOpeningLength ? LONGEST_MS : length;
  }

  /** @param {number} [fixed] ms of all of them */
  constructor(fixed) {
    /** ms */
    this.first = fixed ?? FIRST_MS;
    this.#longest = fixed ?? LONGEST_MS;
  }

  /** Returns the length of the interval that begins at a time, ms since the start. @type {(from: number) => number} */
  lengthAt(from) {
    let length = this.first;
    while (length < this.#longest && from >= MOST_OF_A_LENGTH * length) length *= 2;
    return length;
  }
}

const PER_MS = 2 ** 14;

/** Rounds to a multiple of 2^-14 ms (61 ns): sums are exact, however a run is split. @type {(ms: number) => number} */
export function summable(ms) {
  return Math.round(ms * PER_MS) / PER_MS;
}
