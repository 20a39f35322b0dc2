import { offered, placed } from '../../ground/addons.js';
import { count, counted, ms, percent, rate } from '../../ground/decimal.js';
import { perSecond } from '../../ground/units.js';
import { valuesNeeded } from '../../measure/percentiles.js';
import { statisticOf } from '../../measure/threshold-figures.js';
import { shortened } from '../../text/format-value.js';
import { safe } from '../../text/safe.js';
import { hintedErrors } from '../errors.js';
import { cut } from '../text/layout.js';

/** @import { Tick } from '../../contracts/run.js' */
/** @import { ReachedPrecision, Stats } from '../../contracts/stats.js' */
/** @import { ErrorSample } from '../../contracts/summaries.js' */
/** @import { LiveStats, OfferedTexts } from '../types.js' */

/**
 * @typedef {object} LiveTexts the figures of a run in progress, as text
 * @property {string} rate of the last second or, if little happened in it, of the last seconds
 * @property {string} p50 of the last interval
 * @property {string} p99 the same; the maximum if the interval has too few iterations for it
 * @property {string} inFlight
 * @property {string} errors
 * @property {string[]} precision how near the run is to each goal; empty without any
 * @property {string[]} parts the last interval of parts of the run
 *
 * @typedef {object} LiveValues the values that change fast
 * @property {number} rate iterations per second, of the last second or, if little happened in it, of the last seconds
 * @property {number | null} p50 of the last interval, ms; null if it has too few iterations
 * @property {number | null} p95
 * @property {number | null} p99
 * @property {number | null} max
 */

/** @type {OfferedTexts[]} */
const PARTS = placed(/** @type {OfferedTexts[]} */ ([]), offered('liveTexts'));

/** The rate covers at least this much time. */
const WINDOW_MS = 1000;
/** The rate covers at least this many iterations. */
const FEWEST = 20;
/** The rate covers no more time than this, measured in windows. */
const MAX_WINDOWS = 5;
/** Percentiles of an interval that ended longer ago, measured in intervals and in ms, are not those of the moment. */
const MAX_AGE = 2;
const MAX_AGE_MS = 2000;
/** The age counts up to the last results, as they may arrive seldom; up to now if none arrived for this long. */
const MAX_STATE_AGE_MS = 10_000;
const P99_VALUES = valuesNeeded(0.99);
const P95_VALUES = valuesNeeded(0.95);
const P50_VALUES = valuesNeeded(0.5);

/** The figures that a display shows. Rates count from one tick to another, regardless of other readers of the stats. */
export class LiveFigures {
  /** The ticks of the window, and one before it. @type {{ elapsedMs: number, ended: number }[]} */
  #ticks = [{ elapsedMs: 0, ended: 0 }];
  /** The last complete interval. @type {Stats['series']['points'][0] | undefined} */
  #point;
  #intervalMs = Infinity;
  #stateMs = -Infinity;
  /** @type {string[]} */
  #precision = [];
  /** @type {{ kind: string, figures: string[], text: string }[]} */
  #parts = [];
  #windowMs;

  /** @param {{ windowMs?: number }} [options] time that the rate covers at least */
  constructor({ windowMs = WINDOW_MS } = {}) {
    this.#windowMs = windowMs;
  }

  /** Notes how many iterations have ended. @type {(tick: Tick) => void} */
  tick({ elapsedMs, ended }) {
    if (elapsedMs === null) return;
    this.#ticks.push({ elapsedMs, ended });
    while (this.#ticks.length > 2 && elapsedMs - this.#ticks[1].elapsedMs >= MAX_WINDOWS * this.#windowMs)
      this.#ticks.shift();
  }

  /** Notes the last interval of the results so far. @type {(stats: LiveStats) => void} */
  state(stats) {
    const { series, measuredElapsed = -Infinity, precision = [] } = stats;
    this.#stateMs = measuredElapsed;
    this.#precision = precision.map(precisionText);
    this.#point = series.points.at(-1);
    this.#intervalMs = series.interval;
    const at = this.#point?.at ?? 0;
    const isIdle = (/** @type {number} */ from, /** @type {number} */ interval) => isOld(at - from, interval);
    const suiting = PARTS.filter(({ suits }) => suits(stats));
    this.#parts = suiting.flatMap(({ name: kind, load }) =>
      load()
        .textsOf(stats, isIdle)
        .map(({ name, figures }) => ({ kind, figures, text: `${shortName(name)} ${figures.join(', ')}` })),
    );
  }

  /** @type {(tick: Tick) => LiveTexts} */
  textsOf({ elapsedMs, inFlight, errors }) {
    const { rate: perSecond, p50, p99, max } = this.valuesAt(elapsedMs);
    return {
      rate: `${rate(perSecond)}/s`,
      p50: p50 === null ? 'p50 -' : `p50 ${ms(p50)} ms`,
      p99: p99 === null ? (max === null ? 'p99 -' : `max ${ms(max)} ms`) : `p99 ${ms(p99)} ms`,
      inFlight: `${count(inFlight)} in flight`,
      errors: counted(errors, 'error'),
      precision: this.#precision,
      parts: this.#parts.map(({ text }) => text),
    };
  }

  /** @type {(elapsedMs: Tick['elapsedMs']) => LiveValues} */
  valuesAt(elapsedMs) {
    return { rate: this.#rate(), ...this.#percentiles(elapsedMs ?? 0) };
  }

  /** Returns the last interval of parts of a kind. @type {(name: string) => { figures: string[], text: string }[]} */
  partsOf(name) {
    return this.#parts.filter(({ kind }) => kind === name);
  }

  /** The rate since the latest tick that is a window and {@link FEWEST} iterations back, or else the oldest one. */
  #rate() {
    const last = this.#ticks[this.#ticks.length - 1];
    const since = this.#ticks.findLast(
      ({ elapsedMs, ended }) => last.elapsedMs - elapsedMs >= this.#windowMs && last.ended - ended >= FEWEST,
    );
    const from = since ?? this.#ticks[0];
    return perSecond(last.ended - from.ended, last.elapsedMs - from.elapsedMs);
  }

  /** @type {(elapsedMs: number) => Omit<LiveValues, 'rate'>} */
  #percentiles(elapsedMs) {
    const point = this.#point;
    const nowMs = elapsedMs - this.#stateMs > MAX_STATE_AGE_MS ? elapsedMs : this.#stateMs;
    if (!point || isOld(nowMs - (point.at + this.#intervalMs), this.#intervalMs))
      return { p50: null, p95: null, p99: null, max: null };
    const { completed } = point.iterations;
    const { median, p95 = null, p99, max } = point.responseTime;
    return {
      p50: completed >= P50_VALUES ? median : null,
      p95: completed >= P95_VALUES ? p95 : null,
      p99: completed >= P99_VALUES ? p99 : null,
      max,
    };
  }
}

/** Reports whether a point of a series is too old to show. @type {(ageMs: number, intervalMs: number) => boolean} */
function isOld(ageMs, intervalMs) {
  return ageMs > Math.max(MAX_AGE * intervalMs, MAX_AGE_MS);
}

/** `p95 ± 4.1 % of ± 3 %`; `p95 ± - of ± 3 %` without an interval. @type {(goal: ReachedPrecision) => string} */
function precisionText({ figure, actual, bound }) {
  return `${statisticOf(figure)} ± ${actual === null ? '-' : percent(actual)} of ± ${Number((bound * 100).toPrecision(6))} %`;
}

/** Columns of the name of a load, or an operation, so that the line of a terminal has room for several. */
const LONGEST_NAME = 24;

/** A function of a flow may name an operation by text of a server. @type {(name: string) => string} */
function shortName(name) {
  return cut(safe(name), LONGEST_NAME);
}

/**
 * Returns the share of a run that is over, 0 to 1; null: nothing ends the run.
 * @type {(tick: Pick<Tick, 'share'>, totalMs: number) => number | null}
 */
export function shareDone({ share }, totalMs) {
  return totalMs < Infinity || share > 0 ? Math.min(1, share) : null;
}

/** Below this share of the run its end cannot be estimated. */
const FEWEST_SHARE = 0.02;
const MINUTES_FROM_MS = 120_000;

/**
 * Tells how long a run has lasted, and how long it lasts in all: `33 s of 60 s`. A run that ends after a number of
 * iterations (`totalMs` is Infinity) has an estimate: `12 s of ~22 s`.
 * @type {(tick: Pick<Tick, 'elapsedMs' | 'share' | 'phase'>, totalMs: number) => string}
 */
export function durationText({ elapsedMs, share, phase }, totalMs) {
  if (phase === 'after') return 'after';
  if (elapsedMs === null) return 'before and warm-up';
  // The limit that ends the run first decides.
  const estimated = share >= FEWEST_SHARE ? elapsedMs / share : Infinity;
  const isEstimate = estimated < totalMs * 0.99;
  const total = isEstimate ? Math.round(estimated / 1000) * 1000 : totalMs;
  if (total === Infinity) return timeText(elapsedMs, elapsedMs);
  const shown = Math.min(elapsedMs, total);
  return `${timeText(shown, total)} of ${isEstimate ? '~' : ''}${timeText(total, total)}`;
}

/** Seconds, or minutes and seconds if the whole is long. @type {(ms: number, wholeMs: number) => string} */
function timeText(ms, wholeMs) {
  // A second counts when it is over; an estimate is rounded to whole seconds.
  const seconds = Math.floor(ms / 1000 + 1e-6);
  if (wholeMs < MINUTES_FROM_MS) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest} min`;
}

const MAX_GROUPS = 10;
const MAX_LENGTH = 300;

/** The first error of each group, as lines for the time of a run. */
export class FirstErrors {
  /** Keys of groups. @type {Set<string>} */
  #known = new Set();

  /**
   * The groups that are new since the last call, at most ten of a run.
   * @type {(stats: Pick<Stats, 'errors'> & Partial<Pick<Stats, 'requests'>>) => string[]}
   */
  linesOf(stats) {
    const fresh = hintedErrors(stats).filter((sample) => !this.#known.has(keyOf(sample)));
    const before = this.#known.size;
    for (const sample of fresh) this.#known.add(keyOf(sample));
    const lines = fresh.slice(0, Math.max(0, MAX_GROUPS - before)).map(lineOf);
    const more = this.#known.size - MAX_GROUPS;
    if (before > MAX_GROUPS || more <= 0) return lines;
    return [...lines, `${counted(more, 'more kind')} of errors; the report lists them`];
  }
}

/** @type {(sample: ReturnType<typeof hintedErrors>[0]) => string} */
function lineOf({ kind, where, firstIndex, message }) {
  const first = firstIndex === null ? '' : `, iteration ${count(firstIndex)}`;
  return safe(`${kind} in ${where}${first}: ${shortened(message, MAX_LENGTH)}`);
}

/** @type {(sample: ErrorSample) => string} */
function keyOf({ kind, code, path, operation, phase }) {
  return JSON.stringify([kind, code, path, operation, phase]);
}
