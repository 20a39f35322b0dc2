import { counted } from '../ground/decimal.js';
import { listed } from '../text/format-value.js';
import { isOpen } from './figures.js';
import { Histogram } from './histogram.js';
import { FEWEST, causeOf, isSuspect } from './own-time.js';
import { MAIN_PERCENTILES, PERCENTILES, valuesNeeded } from './percentiles.js';
import { PERCENTILE, RESPONSE_TIME, TIMES, figureOfRun, figureText } from './threshold-figures.js';
import { partNamed, partsOf } from './transactions.js';

/** @import { LoadGeneratorFigures, JudgedFigure, JudgedPart, Stats } from '../contracts/stats.js' */
/** @import { HistogramSummary } from '../contracts/summaries.js' */
/** @import { Threshold } from './thresholds.js' */

/**
 * Judges how much of each time may be the load generator's: the difference between a percentile of the times as
 * measured and the same percentile of the `least` times. A figure of which this is a part that matters is a range; if
 * it is more than a tenth, the figure is suspect, and the sentence about it names the cause.
 */

/**
 * @typedef {object} LeastTimes measured times, and the same without what the load generator may have added
 * @property {string} prefix of the names of its figures
 * @property {JudgedPart} of empty: the whole run
 * @property {HistogramSummary} all
 * @property {HistogramSummary | undefined} least
 */

/** The figures of the run that decide whether it can be trusted, beside those of thresholds. */
const DECIDING = ['p50', 'p95'].map((label) => `${RESPONSE_TIME}.${label}`);
/** Figures in the sentence. */
const MOST_NAMED = 3;

/**
 * Judges each figure, and those of thresholds, by itself: how much of it the load generator may have added. Percentiles
 * that too few values support are left out.
 * @type {(stats: Stats, thresholds: Threshold[]) => JudgedFigure[]}
 */
export function judgeFigures(stats, thresholds) {
  const timesOfRun = timesOf(stats);
  /** @type {Map<string, JudgedFigure>} */
  const figures = new Map();
  const add = (/** @type {LeastTimes} */ times, /** @type {string} */ statistic) => {
    const judged = judgedFigure(times, statistic);
    if (judged && isSlower(judged, figures.get(figureText(judged)))) figures.set(figureText(judged), judged);
  };
  for (const times of timesOfRun) for (const { label } of PERCENTILES) add(times, label);
  for (const { percentile } of stats.percentiles ?? []) add(timesOfRun[0], `p${percentile}`);
  // With one operation alone, the times are those of the run.
  const parts = partsOf(stats).length > 1 ? timesOfParts(stats) : [];
  for (const times of parts) for (const { label } of MAIN_PERCENTILES) add(times, label);
  for (const threshold of thresholds) {
    // The figures are those of the whole run.
    if (threshold.unit !== 'ms' || threshold.overMs !== null) continue;
    const { prefix, statistic } = timeIn(threshold);
    const { operation } = threshold;
    const named = operation === null ? timesOfRun : timesOfParts(stats, operation);
    for (const times of named) if (times.prefix === prefix) add(times, statistic);
  }
  return [...figures.values()];
}

/** @type {(threshold: Threshold) => { prefix: string, statistic: string }} */
function timeIn({ operation, figure }) {
  if (operation !== null) return { prefix: '', statistic: figure };
  const { times, statistic = '' } = figureOfRun(figure) ?? {};
  // Times without a short name are not judged: none has this prefix.
  return { prefix: `${times?.short}.`, statistic };
}

/** Reports whether a figure is the slower one. @type {(one: JudgedFigure, other?: JudgedFigure) => boolean} */
function isSlower(one, other) {
  return other === undefined || one.actual > other.actual;
}

/** @type {(stats: Stats) => LeastTimes[]} */
function timesOf({ main, iterations }) {
  const completed = { prefix: `${RESPONSE_TIME}.`, of: {}, all: main.completed, least: main.least };
  if (!isOpen({ iterations })) return [completed];
  return [completed, { prefix: 'serviceTime.', of: {}, all: main.serviceTime, least: main.serviceLeast }];
}

/**
 * Returns the times of all parts, or of those with a name.
 * @type {(stats: Stats, selected?: string) => LeastTimes[]}
 */
function timesOfParts(stats, selected) {
  return partsOf(stats)
    .filter(({ names }) => selected === undefined || names.includes(selected))
    .map(({ name, kind, time, summary }) => ({
      prefix: '',
      of: partNamed(selected ?? name, kind),
      all: time,
      least: summary.times.least,
    }));
}

/** @type {(times: LeastTimes, name: string) => JudgedFigure | null} null if it was not measured */
function judgedFigure({ prefix, of, all, least }, name) {
  if (!least || least.count !== all.count || least.count < FEWEST) return null;
  const percentile = PERCENTILE.exec(name)?.[1];
  if (percentile !== undefined && all.count < valuesNeeded(Number(percentile) / 100)) return null;
  const ms = valueOf(name, all);
  const leastMs = valueOf(name, least);
  if (ms === null || leastMs === null) return null;
  const clientMs = Math.max(0, ms - leastMs);
  const status = isSuspect(ms, clientMs) ? 'suspect' : 'valid';
  return { figure: `${prefix}${name}`, of, actual: ms, loadGeneratorTime: clientMs, status };
}

/** @type {(name: string, summary: HistogramSummary) => number | null} */
function valueOf(name, summary) {
  const key = PERCENTILES.find(({ label }) => label === name)?.key ?? TIMES[name];
  if (key) return /** @type {any} */ (summary)[key];
  return PERCENTILE.test(name) ? (Histogram.decode(summary)?.valueAt(Number(name.slice(1))) ?? null) : null;
}

/**
 * Returns the figures by which the validity of a run is judged: its p50 and p95, and the times of thresholds.
 * @type {(figures: JudgedFigure[], thresholds: Pick<Threshold, 'figure' | 'operation'>[]) => JudgedFigure[]}
 */
export function decidingOf(figures, thresholds) {
  return figures.filter(({ figure, of }) => {
    const part = Object.values(of)[0] ?? null;
    if (part === null && DECIDING.includes(figure)) return true;
    return thresholds.some((one) => one.figure === figure && one.operation === part);
  });
}

/**
 * Returns the sentence about figures that are suspect: "p95 is a range: other programs used the CPU for 0.9 of 10.0 s";
 * null if all of them are valid.
 * @type {(figures: JudgedFigure[], loadGenerator: LoadGeneratorFigures, measuredMs: number) => string | null}
 */
export function doubtOfFigures(figures, loadGenerator, measuredMs) {
  const suspect = figures.filter(({ status }) => status === 'suspect').map(figureText);
  if (suspect.length === 0) return null;
  const rest = suspect.length - MOST_NAMED;
  const named = [...suspect.slice(0, MOST_NAMED), ...(rest > 0 ? [counted(rest, 'other figure')] : [])];
  return `${listed(named)} ${suspect.length === 1 ? 'is a range' : 'are ranges'}: ${causeOf(loadGenerator, measuredMs).text}`;
}
