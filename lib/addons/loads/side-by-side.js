/** @import { Schedule } from '../../core/contracts/schedule.js' */

/**
 * Makes one schedule of the loads that run side by side. Iteration n of the load at a position has this INDEX:
 *
 *     INDEX = n x loads + position        of three loads:   visits  0 3 6 9 ...
 *                                                           import  1 4 7 ...
 *                                                           cron    2 5 ...
 *
 * So no two iterations have the same INDEX, and a shard or a thread takes its part of each load as of a single one.
 * @param {{ from: number, after?: number | null, schedule: Schedule }[]} given from: the start of a load, ms after that
 *   of the run, or after the end of the load at the position `after`, which is not planned
 * @param {number} [end] of the run, ms; default: when the last load ends
 * @returns {Schedule} `arrived` counts the iterations of the open loads
 */
export function sideBySide(given, end = Infinity) {
  const loads = given.map(({ from, after = null, schedule }) => ({ from: after === null ? from : Infinity, schedule }));
  const open = loads.filter(({ schedule }) => schedule.arrived !== null);
  const last = Math.max(...loads.map(({ from, schedule }) => from + schedule.end));
  return {
    arrival(index) {
      const { from, schedule } = loads[index % loads.length];
      return from + schedule.arrival(Math.floor(index / loads.length));
    },
    lanes: (t) => sumOf(loads, ({ from, schedule }) => (t < from ? 0 : schedule.lanes(t - from))),
    most: sumOf(loads, ({ schedule }) => schedule.most),
    // Each load has its own start and end.
    isSteady: false,
    end: Math.min(end, last),
    arrived: open.length === 0 ? null : (t) => sumOf(open, (load) => arrivedIn(load, t)),
  };
}

/** @type {(load: { from: number, schedule: Schedule }, t: number) => number} */
function arrivedIn({ from, schedule: { arrived } }, t) {
  return t < from || arrived === null ? 0 : arrived(t - from);
}

/** @type {<T>(items: T[], valueOf: (item: T) => number) => number} */
function sumOf(items, valueOf) {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}
