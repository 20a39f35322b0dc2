import { Intervals } from '../../measure/intervals.js';

/** @import { Stats } from '../../measure/types.js' */

/** Returns each point of the series once, when it is complete. */
export class Sampler {
  #last = -1;

  /** New points, without the last one of the series: workers may still add to it. @type {(stats: Stats) => object[]} */
  finished({ series: { points, interval } }) {
    const last = points.at(-1)?.at ?? 0;
    const end = last - (last % Intervals.unitOf(interval));
    return this.#newOf(points.filter(({ at }) => at < end));
  }

  /** New points when the run is over. @type {(stats: Stats) => object[]} */
  all({ series }) {
    return this.#newOf(series.points);
  }

  /** @type {(points: Stats['series']['points']) => Stats['series']['points']} */
  #newOf(points) {
    const fresh = points.filter(({ at }) => at > this.#last);
    this.#last = fresh.at(-1)?.at ?? this.#last;
    return fresh;
  }
}
