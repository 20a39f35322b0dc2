import { counted } from '../../../core/ground/decimal.js';
import { changePointsOf } from './change-points.js';
import { clientMsOf, comparedFigure, withDiscoveries } from '../../compare/measure/compare.js';
import { COMPARED_FIGURES } from '../../compare/measure/compared-figures.js';
import { MIN_RUNS } from '../../compare/measure/comparison-method.js';
import { headOfDocuments } from '../../../core/measure/document.js';
import { valuesNeeded } from '../../../core/measure/percentiles.js';
import { meanOf, squaresOf, twoSidedQuantile } from '../../../core/measure/statistics.js';
import { RESPONSE_TIME } from '../../../core/measure/threshold-figures.js';

/** @import { ComparedFigure } from '../../compare/comparison.js' */
/** @import { Stats } from '../../../core/contracts/stats.js' */
/** @import { Change, Level, Newest, TrendFigure } from '../history.js' */
/** @import { ChangePoint } from './change-points.js' */
/** @import { Deviation, Noise } from '../../compare/measure/comparison-method.js' */

/**
 * The history of a service, many results in the order of time: its levels and changes (`trendOf`), how the newest
 * results differ from the last level (`newestOf`).
 */

/**
 * @typedef {object} HistoryRun what a history needs of a result
 * @property {(number | null)[]} values of the figures that a comparison compares, in their order
 * @property {number[]} ours the part of each value that is the load generator's at most, ms
 * @property {boolean} hasTail it has enough iterations for a p95
 *
 * @typedef {object} Trend
 * @property {Change[]} changes
 * @property {Noise} noise by which runs between two changes differ
 * @property {TrendFigure[]} figures
 */

/** The figures of a result that a history has. @type {(stats: Stats) => HistoryRun} */
export function historyRun(stats) {
  const values = COMPARED_FIGURES.map(({ of }) => of(stats));
  const ours = COMPARED_FIGURES.map(({ figure }) => clientMsOf(stats, figure));
  return { values, ours, hasTail: stats.main.completed.count >= valuesNeeded(0.95) };
}

/**
 * Describes the levels of a history, and the runs from which on it has another one.
 * @type {(runs: HistoryRun[], starts?: boolean[]) => Trend} runs: in the order of time; starts: whether a run is the
 *   first one of its version
 */
export function trendOf(runs, starts) {
  const columns = COMPARED_FIGURES.map((_, i) => runs.map(({ values }) => values[i] ?? NaN));
  const changes = changePointsOf(columns, starts).flatMap((point, i, all) => {
    const [from, to] = [all[i - 1]?.at ?? 0, all[i + 1]?.at ?? runs.length];
    return changeAt(point, runs.slice(from, point.at), runs.slice(point.at, to));
  });
  const bounds = [0, ...changes.map(({ at }) => at), runs.length];
  const parts = bounds.slice(1).map((to, i) => ({ from: bounds[i], to }));
  /** @type {Noise} */
  const noise = new Map();
  const figures = COMPARED_FIGURES.map(({ figure, unit }, i) => {
    const valuesOfParts = parts.map(({ from, to }) => columns[i].slice(from, to).filter((value) => value > 0));
    const deviation = deviationWithin(valuesOfParts.map((values) => values.map(Math.log)));
    if (deviation) noise.set(figure, deviation);
    const levels = parts.flatMap((part, j) => levelOf(part, valuesOfParts[j], deviation));
    return { figure, unit, noise: deviation && deviation.deviation, levels };
  });
  return { changes, noise, figures };
}

/** @type {(point: ChangePoint, before: HistoryRun[], after: HistoryRun[]) => Change[]} none if no figure has changed */
function changeAt({ at, p }, before, after) {
  const figures = comparedRuns(before, after, (row, sides) => comparedFigure(row, sides, { method: 'runs' }))
    .filter(({ verdict, change }) => ['better', 'worse'].includes(verdict) && Math.abs(change ?? 0) >= LEAST_CHANGE)
    .sort((a, b) => Number(a.p) - Number(b.p));
  const [first, ...others] = new Set(figures.map(({ verdict }) => verdict));
  if (first === undefined) return [];
  return [{ at, p, verdict: others.length > 0 ? 'mixed' : /** @type {'better' | 'worse'} */ (first), figures }];
}

/** A smaller change of the level is no change of the service. */
const LEAST_CHANGE = 0.005;

/**
 * @type {(before: HistoryRun[], after: HistoryRun[], compare: (row: typeof COMPARED_FIGURES[0], sides: [(number |
 *   null)[], (number | null)[]]) => ComparedFigure) => ComparedFigure[]}
 */
function comparedRuns(before, after, compare) {
  return COMPARED_FIGURES.map((row, i) =>
    compare(row, [before.map(({ values }) => values[i]), after.map(({ values }) => values[i])]),
  );
}

/**
 * How much the runs between two changes differ: the deviations of all parts from their own means, pooled.
 * @type {(parts: number[][]) => Deviation | null} null: too few values
 */
function deviationWithin(parts) {
  const known = parts.filter((values) => values.length > 0);
  const df = known.reduce((sum, { length }) => sum + length - 1, 0);
  if (df < MIN_RUNS - 1) return null;
  const squares = known.reduce((sum, values) => sum + squaresOf(values), 0);
  return { deviation: Math.sqrt(squares / df), df };
}

/** The share of the intervals of levels that may miss. */
const MISSED = 0.05;

/** @type {(part: { from: number, to: number }, values: number[], noise: Deviation | null) => Level[]} */
function levelOf(part, values, noise) {
  if (values.length === 0) return [];
  const mean = meanOf(values.map(Math.log));
  const half = noise && (twoSidedQuantile(MISSED, noise.df) * noise.deviation) / Math.sqrt(values.length);
  return [
    {
      ...part,
      value: Math.exp(mean),
      low: half === null ? null : Math.exp(mean - half),
      high: half === null ? null : Math.exp(mean + half),
    },
  ];
}

/** Fewer earlier runs do not show how much runs differ. */
const FEWEST = 5;

/**
 * Compares the newest runs with those since the last change before them; the noise is that of the whole history.
 * @type {(runs: HistoryRun[], newest: HistoryRun[], starts?: boolean[]) => Newest} runs: the earlier ones, in the
 *   order of time
 */
export function newestOf(runs, newest, starts) {
  const { changes, noise } = trendOf(runs, starts);
  const last = runs.slice(changes.at(-1)?.at ?? 0);
  if (runs.length < FEWEST) {
    const are = runs.length === 1 ? 'is' : 'are';
    const message = `there ${are} ${counted(runs.length, 'earlier result')}, and it needs ${FEWEST}`;
    return { verdict: 'unknown', reason: { code: 'fewRuns', message }, runs: last.length, figures: [] };
  }
  const compared = comparedRuns(last, newest, (row, sides) => {
    const at = COMPARED_FIGURES.indexOf(row);
    const ours = [last, newest].map((side) => side.map((run) => run.ours[at]));
    return comparedFigure(row, sides, { method: 'noise', noise: noise.get(row.figure), ours });
  });
  const hasTail = [...last, ...newest].every((run) => run.hasTail);
  const deciding = `${RESPONSE_TIME}.${hasTail ? 'p95' : 'p50'}`;
  const { figures } = withDiscoveries({ figures: compared, operations: [] }, [deciding]);
  const verdict = /** @type {const} */ (['worse', 'better', 'noise']).find((one) =>
    figures.some((each) => each.verdict === one),
  );
  if (verdict !== undefined) return { verdict, runs: last.length, figures };
  const reason = { code: 'fewValues', message: 'no figure has enough results' };
  return { verdict: 'unknown', reason, runs: last.length, figures };
}

/** Codes of files that are in no group of a history. */
export const LEFT_OUT_CODES = ['noFlow', 'noTime', 'running', 'invalid', 'failed', 'sameRun', 'missing', 'unreadable'];
/** Codes of changes beside those of the service, and of a newest version that could not be judged. */
export const HISTORY_NOTES = ['otherVersion', 'otherRuntime', 'moreChanges', 'suspect', 'untold'];

/** The first keys of a history. */
export const HISTORY_HEAD = headOfDocuments('history');
