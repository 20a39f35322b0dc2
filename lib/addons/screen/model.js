import { count, counted, ms, rate } from '../../core/ground/decimal.js';
import { perSecond } from '../../core/ground/units.js';
import { partsOf } from '../../core/measure/transactions.js';
import { shortened } from '../../core/text/format-value.js';
import { safe } from '../../core/text/safe.js';
import { rangeOf } from '../../core/report/distribution-charts.js';
import { hintedErrors } from '../../core/report/errors.js';
import { LOAD_COLUMNS, loadRows } from '../loads/report/loads.js';
import { goalRows } from '../../core/report/outcome.js';
import { checksLine } from '../../core/report/rows.js';
import { readable } from '../../core/report/supported.js';
import { durationText, shareDone } from '../../core/report/live/live-figures.js';

/** @import { Tick } from '../../core/contracts/run.js' */
/** @import { Stats } from '../../core/contracts/stats.js' */
/** @import { Verdict } from '../../core/measure/outcome.js' */
/** @import { HistogramSummary } from '../../core/contracts/summaries.js' */
/** @import { LiveFigures } from '../../core/report/live/live-figures.js' */
/** @import { HeatStrip } from './heat.js' */
/** @import { InkStyle } from './line.js' */

/** @typedef {[text: string, style?: InkStyle]} Piece of a row */

/**
 * @typedef {object} Card a figure with its course
 * @property {string} label
 * @property {string} value of the moment
 * @property {string} unit
 * @property {string} note about the whole run
 * @property {(number | null)[]} course
 * @property {InkStyle} style
 *
 * @typedef {object} StateModel what the results so far show; all texts are safe
 * @property {Record<string, Pick<Card, 'note' | 'course'>>} cards by label
 * @property {Piece[]} counters
 * @property {{ name: string, count: string, errors: number, times: HistogramSummary }[]} operations
 * @property {HistogramSummary | null} times of the iterations
 * @property {string[][]} loads rows of a table with {@link LOAD_HEADS}
 * @property {{ state: Verdict, text: string, measured: string }[]} goals
 * @property {string} checks
 * @property {Piece[]} statuses
 * @property {{ count: string, text: string }[]} errors
 * @property {string[]} server figures of it
 * @property {string[]} streams a line for each operation with streams
 *
 * @typedef {object} ScreenModel
 * @property {string} title
 * @property {string} about the load and the target
 * @property {string} time
 * @property {number | null} share of the run, 0 to 1; null: nothing ends it
 * @property {Card[]} cards
 * @property {Piece[]} counters
 * @property {StateModel} state
 * @property {HeatStrip} strip
 * @property {{ low: number, high: number, endMs: number } | null} axes of the strip
 * @property {string[]} messages
 *
 * @typedef {object} ScreenInput
 * @property {{ title: string, subtitle: string }} head
 * @property {number} totalMs
 * @property {Tick | null} tick
 * @property {LiveFigures} figures
 * @property {StateModel} state
 * @property {HeatStrip} strip
 * @property {string[]} messages
 */

/** Characters of a name or a message: more than a row of a terminal has. */
const LONGEST = 400;
/** Errors, statuses and operations: more than a screen has. */
const MOST = 100;

/** @type {(text: string) => string} */
function oneLine(text) {
  return shortened(safe(shortened(text, 4 * LONGEST)), LONGEST);
}

/** The columns of the table of loads, without the verdict. */
export const LOAD_HEADS = LOAD_COLUMNS.slice(0, -1);

/** The state before the first results. @type {StateModel} */
export const NO_STATE = {
  cards: {},
  counters: [],
  operations: [],
  times: null,
  loads: [],
  goals: [],
  checks: '',
  statuses: [],
  errors: [],
  server: [],
  streams: [],
};

/** What the screen shows of the results so far. @type {(stats: Stats, figures: LiveFigures) => StateModel} */
export function stateModel(stats, figures) {
  const result = readable(stats);
  const { main, iterations, requests, checks } = result;
  const operations = partsOf(result).filter(({ kind }) => kind !== 'load');
  return {
    cards: cardsOf(result),
    counters: countersOf(result),
    operations: operations.slice(0, MOST).map(({ name, summary, time }) => ({
      name: oneLine(name),
      count: count(summary.count),
      errors: summary.errors,
      times: time,
    })),
    times: iterations.completed > 0 ? main.completed : null,
    loads: loadRows(result).map(({ name, cells }) => [oneLine(name), ...cells.slice(0, -1)]),
    goals: goalRows(result).map(({ state, expression, measured }) => ({
      state,
      text: oneLine(expression),
      measured: oneLine(measured),
    })),
    checks: checks ? checksLine(checks) : '',
    statuses: Object.entries(requests.statusCodes ?? {})
      .slice(0, MOST)
      .map(([status, n]) => [`${status} ${count(n)}`, styleOf(status)]),
    errors: hintedErrors(result)
      .slice(0, MOST)
      .map(({ kind, operation, where, message, count: n }) => ({
        count: count(n),
        text: oneLine(`${kind} in ${operation || where}: ${message}`),
      })),
    server: figures.partsOf('server').flatMap((part) => part.figures.map(oneLine)),
    streams: figures.partsOf('streams').map(({ text }) => oneLine(text)),
  };
}

/** @type {(status: string) => InkStyle | undefined} */
function styleOf(status) {
  if (status >= '500') return 'red';
  return status >= '400' ? 'yellow' : undefined;
}

const RATE = 'iterations/s';
const TIMES = /** @type {const} */ ([
  { label: 'p50', key: 'median', style: 'p50' },
  { label: 'p95', key: 'p95', style: 'p95' },
  { label: 'p99', key: 'p99', style: 'p99' },
  { label: 'max', key: 'max', style: 'p99' },
]);

/** @type {(stats: Stats) => StateModel['cards']} */
function cardsOf({ series, iterations, measuredElapsed, main: { completed } }) {
  const { points: all, interval } = series.recent ?? series;
  // The last interval is not over.
  const points = all.slice(0, -1);
  const times = TIMES.map(({ label, key }) => {
    const course = points.map((point) => (point.iterations.completed > 0 ? (point.responseTime[key] ?? null) : null));
    return [label, { note: `${ms(completed[key])} ms so far`, course }];
  });
  return {
    [RATE]: {
      note: rateNote(iterations, measuredElapsed),
      // All iterations that ended, as the rate of the moment counts them.
      course: points.map(({ iterations: { completed: done, failed } }) => perSecond(done + failed, interval)),
    },
    ...Object.fromEntries(times),
  };
}

/** @type {(iterations: Stats['iterations'], elapsedMs: number) => string} */
function rateNote({ completed, failed, completedRate = null }, elapsedMs) {
  if (failed === 0 || elapsedMs <= 0) return `${rate(completedRate)} so far`;
  return `${rate(completedRate)} of ${rate(perSecond(completed + failed, elapsedMs))} completed`;
}

/** The counters of arrivals, the most important ones first. @type {(stats: Stats) => Piece[]} */
function countersOf({ loads, iterations: { plannedRate, late, maxBacklog, dropped } }) {
  if (plannedRate === undefined) return [];
  return [
    [`${count(late)} late`],
    [`${count(dropped)} dropped`, dropped > 0 ? 'red' : undefined],
    [`backlog at most ${count(maxBacklog)}`],
    // Several loads have a table with it.
    ...(loads ? [] : [/** @type {Piece} */ ([`planned ${rate(plannedRate)}/s`])]),
  ];
}

/** What a frame shows: the figures of the moment, and the last results. @type {(input: ScreenInput) => ScreenModel} */
export function screenModel({ head, totalMs, tick, figures, state, strip, messages }) {
  const { elapsedMs = null } = tick ?? {};
  const now = figures.valuesAt(elapsedMs);
  const hasStarted = elapsedMs !== null;
  const hasMaxOnly = now.p99 === null && now.max !== null;
  const times = TIMES.filter(({ label }) => label !== (hasMaxOnly ? 'p99' : 'max'));
  const values = [
    { label: RATE, value: hasStarted ? rate(now.rate) : '-', unit: '', style: /** @type {const} */ ('p50') },
    ...times.map(({ label, style }) => ({ label, value: ms(now[label]), unit: 'ms', style })),
  ];
  return {
    title: oneLine(head.title),
    about: oneLine(head.subtitle),
    time: tick ? durationText(tick, totalMs) : '',
    share: tick && shareDone(tick, totalMs),
    cards: values.map((one) => ({ ...one, ...(state.cards[one.label] ?? { note: '', course: [] }) })),
    counters: [...(tick ? liveCounters(tick) : []), ...state.counters],
    state,
    strip,
    axes: axesOf(state, { strip, totalMs, elapsedMs: elapsedMs ?? 0 }),
    messages: messages.map(oneLine),
  };
}

/** @type {(tick: Tick) => Piece[]} */
function liveCounters({ ended, inFlight, errors }) {
  return [
    [counted(ended, 'iteration')],
    [`${count(inFlight)} in flight`],
    [counted(errors, 'error'), errors > 0 ? 'red' : undefined],
  ];
}

/** By this time of a run the response times of its first intervals have arrived. */
const STRIP_FROM_MS = 5000;

/** Ends of the time axis of a run whose end is not known, s. */
const ENDS = [15, 30, 60, 120, 300, 600, 1200, 1800, 3600];

/**
 * @type {(state: StateModel, run: Pick<ScreenInput, 'strip' | 'totalMs'> & { elapsedMs: number }) =>
 *   ScreenModel['axes']}
 */
function axesOf({ times }, { strip, totalMs, elapsedMs }) {
  if (times === null || times.min === null || times.max === null) return null;
  // A run on agents brings no intervals, so its screen has no map.
  if (strip.isEmpty && elapsedMs > STRIP_FROM_MS) return null;
  const [low, high] = rangeOf(times.min, times.max);
  const end = ENDS.find((seconds) => seconds * 1000 >= elapsedMs) ?? Math.ceil(elapsedMs / 3_600_000) * 3600;
  return { low, high, endMs: totalMs < Infinity && totalMs > 0 ? totalMs : end * 1000 };
}
