import { CHECKS } from './check-threshold.js';
import { TRANSACTIONS } from './transactions.js';
import { RECENT_MS } from './windows.js';

/**
 * @import { Threshold } from './thresholds.js'
 * @import { Stats } from './types.js'
 */

/**
 * The figures of a part of a run that thresholds and limits of errors need. Adding these up takes the same time however long a run
 * is, and however many operations it has: 0.5 ms for a part of 10 minutes instead of 5 (its series, mostly).
 *
 * @param {Stats} stats of a run that goes on, with counts
 * @param {Threshold[]} thresholds
 * @returns {Stats}
 */
export function judgedPart(stats, thresholds) {
  const { operations, series, checks, exemplars: _examples, histograms, ...rest } = stats;
  const names = new Set(thresholds.flatMap(({ operation }) => operation ?? []));
  const namedIn = (/** @type {{ name: string }[]} */ all) => all.flatMap(({ name }, i) => (names.has(name) ? i : []));
  const ofOperations = namedIn(operations);
  const latest = -pointsNeeded(series.interval, thresholds);
  const judged = {
    ...rest,
    operations: picked(operations, ofOperations),
    exemplars: { slowest: [], failed: [] },
    series: { ...series, points: latest === 0 ? [] : series.points.slice(latest) },
    ...(checks && thresholds.some(({ metric }) => metric === CHECKS) && { checks }),
  };
  if (!histograms) return judged;
  const encoded = {
    ...histograms,
    series: latest === 0 ? [] : histograms.series.slice(latest),
    operations: picked(histograms.operations, ofOperations),
    ...pickedLists(histograms, ['operationsOk', 'operationsByStatus', 'operationsLeast'], ofOperations),
  };
  for (const { key, least } of TRANSACTIONS) {
    const places = namedIn(stats[key] ?? []);
    Object.assign(judged, pickedLists(stats, [key], places));
    Object.assign(encoded, pickedLists(histograms, [key, least], places));
  }
  return { ...judged, histograms: encoded };
}

/** Points at the end of the series. @type {(interval: number, thresholds: Threshold[]) => number} */
function pointsNeeded(interval, thresholds) {
  const longestMs = Math.max(0, ...thresholds.map(({ overMs }) => overMs ?? 0));
  return longestMs === 0 ? 0 : Math.ceil((longestMs + RECENT_MS) / interval) + 1;
}

/** @type {<T>(list: T[], places: number[]) => T[]} */
function picked(list, places) {
  return places.map((i) => list[i]);
}

/** The same of those that there are. @type {(object: Record<string, any>, keys: string[], places: number[]) => Record<string, any>} */
function pickedLists(object, keys, places) {
  const present = keys.filter((key) => object[key] !== undefined);
  return Object.fromEntries(present.map((key) => [key, picked(object[key], places)]));
}
