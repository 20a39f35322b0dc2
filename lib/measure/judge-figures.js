import { counted, ms as milliseconds } from '../ground/decimal.js';
import { listed } from '../text/format-value.js';
import { isOpen } from './figures.js';
import { Histogram } from './histogram.js';
import { MAIN_PERCENTILES, PERCENTILES, valuesNeeded } from './percentiles.js';
import { PERCENTILE, RESPONSE_TIME, TIMES, figureOfRun, figureText } from './threshold-figures.js';
import { partNamed, partsOf } from './transactions.js';

/** @import { LoadGeneratorFigures, JudgedFigure, JudgedPart, Stats } from '../contracts/stats.js' */
/** @import { HistogramSummary } from '../contracts/summaries.js' */
/** @import { Stop, Stops } from '../process/stops.js' */
/** @import { Threshold } from './thresholds.js' */

/**
 * Judges how much of each time may be the load generator's: the difference between a percentile of the times as
 * measured and the same percentile of the `least` times. A figure of which this is a large part is suspect, and the
 * reason names the cause.
 */

/**
 * @typedef {object} Times measured times, and the same without what the load generator may have added
 * @property {string} prefix of the names of its figures
 * @property {JudgedPart} of empty: the whole run
 * @property {HistogramSummary} all
 * @property {HistogramSummary | undefined} least
 */

/** The part of a valid figure that may be the load generator's. */
const MOST_SHARE = 0.1;
/** A part that is longer, ms, may be half as large a share: 9 of 100 ms are no detail. */
const LONG_MS = 1;
const MOST_SHARE_OF_LONG = 0.05;
/** An event loop cannot tell shorter parts from its own work, ms. */
const RESOLUTION_MS = 0.1;
/** A stop explains a part if it is as long as this share of it. */
const EXPLAINS = 0.5;
/** Figures of operations in the sentence. */
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
  const add = (/** @type {Times} */ times, /** @type {string} */ statistic) => {
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

/** @type {(stats: Stats) => Times[]} */
function timesOf({ main, iterations }) {
  const completed = { prefix: `${RESPONSE_TIME}.`, of: {}, all: main.completed, least: main.least };
  if (!isOpen({ iterations })) return [completed];
  return [completed, { prefix: 'serviceTime.', of: {}, all: main.serviceTime, least: main.serviceLeast }];
}

/** Returns the times of all parts, or of those with a name. @type {(stats: Stats, selected?: string) => Times[]} */
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

/** @type {(times: Times, name: string) => JudgedFigure | null} null if it was not measured */
function judgedFigure({ prefix, of, all, least }, name) {
  // Results of earlier versions have no second histogram.
  if (!least || least.count !== all.count || least.count === 0) return null;
  const percentile = PERCENTILE.exec(name)?.[1];
  if (percentile !== undefined && all.count < valuesNeeded(Number(percentile) / 100)) return null;
  const ms = valueOf(name, all);
  const leastMs = valueOf(name, least);
  if (ms === null || leastMs === null) return null;
  const clientMs = Math.max(0, ms - leastMs);
  const mostShare = clientMs > LONG_MS ? MOST_SHARE_OF_LONG : MOST_SHARE;
  const isSuspect = clientMs > RESOLUTION_MS && clientMs > ms * mostShare;
  const status = isSuspect ? 'suspect' : 'valid';
  return { figure: `${prefix}${name}`, of, actual: ms, loadGeneratorTime: clientMs, status };
}

/** @type {(name: string, summary: HistogramSummary) => number | null} */
function valueOf(name, summary) {
  const key = PERCENTILES.find(({ label }) => label === name)?.key ?? TIMES[name];
  if (key) return /** @type {any} */ (summary)[key];
  return PERCENTILE.test(name) ? (Histogram.decode(summary)?.valueAt(Number(name.slice(1))) ?? null) : null;
}

/**
 * Returns the sentence about figures that are suspect: "p50 is valid; of p99 (61.2 ms) up to 50.3 ms are the load
 * generator's: …"; null if all of them are valid.
 * @type {(figures: JudgedFigure[], loadGenerator: LoadGeneratorFigures) => string | null}
 */
export function doubtOfFigures(figures, loadGenerator) {
  const suspect = figures.filter(({ status }) => status === 'suspect');
  if (suspect.length === 0) return null;
  const main = MAIN_PERCENTILES.map(({ label }) => `${RESPONSE_TIME}.${label}`);
  const mainFigures = suspect.filter(({ figure }) => main.includes(figure));
  // The percentiles between those that all reports show add nothing.
  const others = suspect.filter(({ figure }) => !PERCENTILES.some(({ label }) => figure.endsWith(label)));
  const named = mainFigures.length > 0 ? [...mainFigures, ...others] : suspect;
  const shown = named.slice(0, Math.max(MOST_NAMED, mainFigures.length));
  const rest = named.length - shown.length;
  const parts = shown.map(
    (one) => `of ${figureText(one)} (${milliseconds(one.actual)} ms) up to ${milliseconds(one.loadGeneratorTime)} ms`,
  );
  if (rest > 0) parts.push(`parts of ${counted(rest, 'other figure')}`);
  const valid = mainFigures.length > 0 ? validText(figures, main) : '';
  return `${valid}${listed(parts)} are the load generator's: ${causeOf(Math.min(...shown.map((one) => one.loadGeneratorTime)), loadGenerator)}`;
}

/** @type {(figures: JudgedFigure[], named: string[]) => string} */
function validText(figures, named) {
  const valid = figures.filter(({ figure, status }) => status === 'valid' && named.includes(figure));
  if (valid.length === 0) return '';
  return `${listed(valid.map(figureText))} ${valid.length === 1 ? 'is' : 'are'} valid; `;
}

/** The sentence of each cause. @type {Record<keyof Stops, (stop: Stop) => string>} */
const CAUSES = {
  suspended: ({ count, longest }) => `it was suspended ${timesText(count)} for up to ${milliseconds(longest)} ms`,
  noCpu: ({ count, longest, total }) =>
    `it waited for a CPU ${timesText(count)} for up to ${milliseconds(longest)} ms, ${milliseconds(total)} ms in all, because other processes or a limit left it none`,
  gc: ({ count, longest }) => `garbage collection stopped it ${timesText(count)} for up to ${milliseconds(longest)} ms`,
  blocked: ({ count, longest }) =>
    `a hook, a listener or other work blocked it ${timesText(count)} for up to ${milliseconds(longest)} ms`,
};

/**
 * Finds the cause of a part of a figure: the kind of stops that took the most time of those that are long enough.
 * @type {(clientMs: number, loadGenerator: LoadGeneratorFigures) => string}
 */
function causeOf(clientMs, { stops, eventLoopUtilization }) {
  const busy = `its event loop was busy ${Math.round(eventLoopUtilization * 100)} % of the time`;
  if (!stops) return busy;
  // A collection of garbage blocks the event loop, so it is a part of both.
  const weight = (/** @type {keyof typeof CAUSES} */ cause) =>
    cause === 'blocked' ? stops.blocked.total - stops.gc.total : stops[cause].total;
  const [cause] = /** @type {(keyof typeof CAUSES)[]} */ (Object.keys(CAUSES))
    .filter((one) => stops[one].count > 0 && stops[one].longest >= clientMs * EXPLAINS)
    .sort((one, other) => weight(other) - weight(one));
  return cause === undefined ? busy : CAUSES[cause](stops[cause]);
}

/** @type {(count: number) => string} */
function timesText(count) {
  return count === 1 ? 'once' : `${count} times`;
}
