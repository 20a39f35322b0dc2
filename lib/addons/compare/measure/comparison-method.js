import { counted } from '../../../core/ground/decimal.js';
import { readNoiseShares } from './compared-figures.js';
import { medianOf } from '../../../core/measure/statistics.js';
import { statisticOf } from '../../../core/measure/threshold-figures.js';

/** @import { Method } from '../comparison.js' */
/** @import { Note, Stats } from '../../../core/contracts/stats.js' */

/**
 * Decides by which test two sides are compared, or why none can tell noise from change: by the number of their runs,
 * and by the order in which these took place.
 */

/**
 * @typedef {object} Known about the runs of two sides
 * @property {number[]} runs of each side
 * @property {number} fewest of a side
 * @property {boolean} isPaired run i of one side ran next to run i of the other
 * @property {RunOrder} order
 * @property {boolean} hasNoise the user knows how much runs differ by chance
 */

/** Values of each side that show how much they differ by chance. */
export const MIN_RUNS = 3;
/**
 * The fewest runs that show whether neighbours in time are alike; with fewer, a drift was taken for a change in more
 * than 5 % (bench/alarms.js).
 */
const MIN_IN_SEQUENCE = 5;

/**
 * The first row that suits decides; code and why: it cannot tell noise from change.
 * @type {{ method: Method, suits: (known: Known) => boolean, code?: string, why?: string }[]}
 */
const TABLE = [
  {
    method: 'pairs',
    suits: ({ runs, fewest, isPaired, order }) =>
      isPaired && runs[0] === runs[1] && fewest >= MIN_RUNS && order === 'mixed',
  },
  { method: 'runs', suits: ({ fewest, order }) => fewest >= MIN_RUNS && order === 'mixed' },
  { method: 'sequence', suits: ({ fewest, order }) => fewest >= MIN_IN_SEQUENCE && order === 'sequence' },
  { method: 'noise', suits: ({ hasNoise }) => hasNoise },
  { method: 'none', suits: ({ runs }) => Math.max(...runs) === 1, code: 'singleRuns', why: 'each side has one run' },
  {
    method: 'none',
    suits: ({ fewest }) => fewest < MIN_RUNS,
    code: 'fewRuns',
    why: `a side has fewer than ${MIN_RUNS} runs`,
  },
  {
    method: 'none',
    suits: ({ order }) => order === 'apart',
    code: 'runsApart',
    why: 'the sides ran at different times, so the machine may have changed',
  },
  {
    method: 'none',
    suits: ({ order }) => order === 'unknown',
    code: 'orderUnknown',
    why: 'the order of the runs is not known, because they have no times',
  },
  {
    method: 'none',
    suits: () => true,
    code: 'runsInSequence',
    why: `the sides did not run in turn, and one has fewer than ${MIN_IN_SEQUENCE} runs, so the machine may have drifted`,
  },
];

/** Codes of why noise cannot be told from change: of all figures, and of one alone. */
export const UNTESTED_CODES = [
  ...TABLE.flatMap(({ code }) => code ?? []),
  'noiseUnknown',
  'loadGeneratorInFigures',
  'fewValues',
  'sideFailed',
];

/**
 * Decides how two sides are tested, or why they cannot be (`untested`). `history` is how many earlier results there
 * are; `order` is set if it is known otherwise.
 * @type {(bases: Timed[], others: Timed[], options: { isPaired: boolean, hasNoise: boolean, history?: number, order?:
 *   RunOrder }) => { method: Method, untested?: Note }}
 */
export function methodOf(bases, others, { isPaired, hasNoise, history = 0, order = orderOf(bases, others) }) {
  const runs = [bases.length, others.length];
  const known = { runs, fewest: Math.min(...runs), isPaired, hasNoise, order };
  const { method = 'none', code, why } = TABLE.find(({ suits }) => suits(known)) ?? {};
  if (code === undefined) return { method };
  return { method, untested: { code, message: `${why}${shortHistory(history)}` } };
}

/** @type {(history: number) => string} */
function shortHistory(history) {
  if (history === 0 || history >= MIN_RUNS) return '';
  return `, and the history has ${counted(history, 'result')}: it needs ${MIN_RUNS}`;
}

/**
 * Explains why a figure, by its name in options, of two sides with one run each cannot be tested; null if it can.
 * @type {(figure: string, known: { noise: Noise, history: number }) => string | null}
 */
export function whyUntested(figure, { noise, history }) {
  if (noise.has(figure)) return null;
  return noise.size > 0 ? noiseUnknown(figure).message : `each side has one run${shortHistory(history)}`;
}

/** @type {(figure: string) => Note} */
export function noiseUnknown(figure) {
  return { code: 'noiseUnknown', message: `the noise of ${statisticOf(figure)} is not known` };
}

/** @typedef {'mixed' | 'sequence' | 'apart' | 'unknown'} RunOrder of the runs of two sides in time */
/** @typedef {Pick<Stats, 'startedAt' | 'endedAt' | 'totalElapsed'>} Timed */
/** @typedef {{ side: number, start: number, end: number }} Span ms */

/**
 * In which order the runs of two sides took place: whether a drift of the machine looks like a change depends on it.
 *
 *     mixed       A B B A A B …   in turn, from the first run to the last: a drift affects both sides
 *     sequence    A A A B B B     a drift looks like a change; so it does in B B B B B B A B A B
 *     apart       A A A … B B B   the same, with a gap that is longer than the runs before or after it took, so that
 *                                 they do not show the drift
 *     unknown                     some runs have no time, or two began at once
 * @type {(bases: Timed[], others: Timed[]) => RunOrder}
 */
export function orderOf(bases, others) {
  const spans = [bases, others]
    .flatMap((side, i) => side.map((stats) => spanOf(stats, i)))
    .sort((a, b) => a.start - b.start);
  const starts = new Set(spans.map(({ start }) => start));
  if (starts.size < spans.length || starts.has(NaN)) return 'unknown';
  if (isApart(spans)) return 'apart';
  return isMixed(spans) ? 'mixed' : 'sequence';
}

/** @type {(stats: Timed, side: number) => Span} */
function spanOf({ startedAt = '', endedAt, totalElapsed }, side) {
  const start = Date.parse(startedAt);
  return { side, start, end: endedAt === undefined ? start + totalElapsed : Date.parse(endedAt) };
}

/**
 * Reports whether the sides change as often as those of a random order would, 2nm / (n + m) times, and no side has more
 * runs than its share before the first run of the other, or after the last. With 20 runs of B and then 3 pairs, up to
 * 45 % of equal services on a drifting machine differed.
 * @type {(spans: Span[]) => boolean}
 */
function isMixed(spans) {
  const [n, m] = countsOf(spans);
  const changes = spans.flatMap(({ side }, i) => (i > 0 && side !== spans[i - 1].side ? [i] : []));
  const outside = Math.max(changes[0] ?? spans.length, spans.length - (changes.at(-1) ?? 0));
  const share = Math.ceil(Math.max(n, m) / Math.min(n, m));
  const needed = Math.max(2, Math.min((2 * n * m) / (n + m), 2 * Math.min(n, m) - 1));
  return changes.length >= needed && outside <= Math.max(MOST_OUTSIDE, share);
}

/** Neighbours of one side at the begin and the end of an order, as a random one has. */
const MOST_OUTSIDE = 2;

/** @type {(spans: Span[]) => number[]} */
function countsOf(spans) {
  return [0, 1].map((side) => spans.filter((one) => one.side === side).length);
}

/**
 * Reports whether a long pause separates runs of one side from those of the other: of one side, the part before it has
 * a larger share than of the other, by more than one run. A pause is long if it is longer than the part before it, or
 * after it, took, and than the usual pause of these runs.
 * @type {(spans: Span[]) => boolean}
 */
function isApart(spans) {
  const total = countsOf(spans);
  const pauses = spans.slice(1).map(({ start }, i) => Math.max(0, start - spans[i].end));
  return pauses.some((pause, i) => {
    const before = spans.slice(0, i + 1);
    const after = spans.slice(i + 1);
    const shortest = Math.min(
      ...[before, after].map((part) => Math.max(...part.map(({ end }) => end)) - part[0].start),
    );
    if (pause <= shortest || pause <= USUAL * medianOf(pauses.filter((_, at) => at !== i))) return false;
    const [n, m] = countsOf(before);
    const hasOneSideEach = [before, after].every((part) => Math.min(...countsOf(part)) === 0);
    return hasOneSideEach || Math.abs(n * total[1] - m * total[0]) > Math.max(...total);
  });
}

/** A pause that is longer than this many times the median of the others is not usual. */
const USUAL = 3;

/** Sorts runs by time, then content: their given order decides nothing. @type {<T extends Timed>(side: T[]) => T[]} */
export function inTime(side) {
  const startOf = (/** @type {Timed} */ one) => {
    const { start } = spanOf(one, 0);
    return Number.isNaN(start) ? Infinity : start;
  };
  const textOf = (/** @type {Timed & { id?: string, main?: object }} */ { id, main }) => JSON.stringify([id, main]);
  return [...side].sort((a, b) => {
    const [one, other] = [startOf(a), startOf(b)];
    if (one !== other) return one - other;
    return textOf(a) < textOf(b) ? -1 : 1;
  });
}

/**
 * @typedef {{ deviation: number, df: number }} Deviation of runs of an unchanged service: standard deviation of the
 *   logarithms, and its degrees of freedom
 * @typedef {Map<string, Deviation>} Noise by the name of a figure
 */

/**
 * Returns how much runs of an unchanged service differ by chance, by the shares of the user, `p95=4%`, or `4%` for
 * every figure, which replace those of a history (`known`).
 * @throws {Error} E_USAGE
 * @type {(noise: string[], known?: Noise) => Noise}
 */
export function noiseOf(noise, known = new Map()) {
  const own = noise.flatMap((text) => readNoiseShares(text));
  return new Map([
    ...known,
    ...own.map(({ figure, share }) => /** @type {const} */ ([figure, { deviation: share, df: Infinity }])),
  ]);
}

/** Codes of the warnings about the results of a history. */
export const HISTORY_CODES = [
  'historyOfOtherFlow',
  'historyOfOtherLoad',
  'historyOfOtherMachine',
  'historyOfOtherOptions',
  'historyFailed',
  'historySuspect',
];
