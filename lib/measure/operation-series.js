import { Series } from './series.js';

/**
 * @import { PointSummary, SeriesSummary } from './series.js'
 *
 * @typedef {object} OperationPoint what happened to an operation in one interval
 * @property {string} name
 * @property {string} phase
 * @property {number} count responses
 * @property {number} max service time, ms
 * @property {Uint8Array} counts service times in µs, as {@link import('./hdr-counts.js').HdrCounts#toBytes} returns them
 *
 * @typedef {{ name: string, phase: string, interval: number, points: Pick<PointSummary, 'at' | 'count' | 'p50' | 'p95'>[] }} OperationSeriesSummary
 */

export const MOST_SERIES = 20;
/** of an operation: 20 operations take as much memory as a whole series does */
const MOST_POINTS = 300;

/** The first operations over time, each with at most 300 points. */
export class OperationSeries {
  #interval;
  /** by phase and name @type {Map<string, { name: string, phase: string, series: Series }>} */
  #each = new Map();

  /** @param {{ interval?: number }} [options] interval: ms */
  constructor({ interval } = {}) {
    this.#interval = interval;
  }

  /** @type {(interval: { from: number, to: number }, points: OperationPoint[]) => void} */
  add({ from, to }, points) {
    for (const { name, phase, ...measured } of points) {
      const one = this.#seriesOf(name, phase);
      one?.add({ from, to, errors: 0, failed: 0, area: 0, utilization: 0, bytes: 0, ...measured });
    }
  }

  /** @returns {Pick<SeriesSummary, 'operations'>} empty for a single operation: it has the times of the whole run */
  toJSON() {
    if (this.#each.size < 2) return {};
    const operations = [...this.#each.values()].map(({ name, phase, series }) => {
      const { interval, points } = series.toJSON();
      return {
        name,
        phase,
        interval,
        points: points.map(({ at, count, p50, p95 = null }) => ({ at, count, p50, p95 })),
      };
    });
    return { operations };
  }

  /** @type {(name: string, phase: string) => Series | undefined} */
  #seriesOf(name, phase) {
    const key = `${phase} ${name}`;
    const known = this.#each.get(key);
    if (known || this.#each.size >= MOST_SERIES) return known?.series;
    const series = new Series({ most: MOST_POINTS, interval: this.#interval });
    this.#each.set(key, { name, phase, series });
    return series;
  }
}
