import { COUNTERS } from '../../lib/core/measure/figures.js';
import { Recorder } from '../../lib/core/measure/recorder.js';
import { readThreshold } from '../../lib/core/measure/thresholds.js';
import { summarize } from '../../lib/core/measure/summary.js';

/** Iterations per second of each simulated shard. */
export const RATE = 100;
const MEDIAN_MS = 20;
const SPREAD = 0.6;
const SENDER = {
  eventLoopUtilization: 0.3,
  eventLoopDelay: { mean: 0.1, p99: 1, max: 4 },
  cpuTime: 500,
  gcTime: 10,
  stall: { longest: 0, extendedTimeouts: 0 },
};

const TRAFFIC = Object.fromEntries(COUNTERS.filter(({ source }) => source === 'transport').map(({ key }) => [key, 0]));

/** one that holds, to be judged */
const { threshold: THRESHOLD } = /** @type {any} */ (readThreshold('p99<9s'));

/** A shard of one operation that records response times of a lognormal distribution, at a given rate. */
export class SimulatedState {
  #recorder = new Recorder();
  #operation = this.#recorder.operations.add('GET /', 'main');
  #random;
  #elapsedMs = 0;

  /** @param {() => number} random */
  constructor(random) {
    this.#random = random;
    this.#recorder.points.begin(0);
  }

  /** Records more seconds. @type {(seconds: number) => void} */
  add(seconds) {
    const recorder = this.#recorder;
    for (let i = 0; i < seconds * RATE; i++) {
      const lane = { isRunning: false };
      const ms = MEDIAN_MS * Math.exp(SPREAD * this.#normal());
      const at = this.#elapsedMs + ((i + 0.5) * 1000) / RATE;
      recorder.started(lane, at);
      recorder.answered(200, 'count');
      this.#operation.answered(200, ms);
      recorder.histograms.ttfb.update(ms / 2);
      recorder.main(ms, NaN, 'completed', at);
      recorder.ended(lane, 'completed', at, ms);
    }
    this.#elapsedMs += seconds * 1000;
  }

  /** @type {(isOver: boolean) => import('../../lib/core/contracts/stats.js').Stats} with counts */
  stats(isOver) {
    if (isOver) this.#recorder.points.close(this.#elapsedMs);
    return summarize(this.#recorder, {
      elapsedMs: this.#elapsedMs,
      measuredMs: this.#elapsedMs,
      isOver,
      withCounts: true,
      planned: null,
      loadGenerator: SENDER,
      server: null,
      sharesLoop: false,
      workers: 1,
      warmup: null,
      traffic: TRAFFIC,
      thresholds: [THRESHOLD],
    });
  }

  /** Box and Muller. */
  #normal() {
    return Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
  }
}
