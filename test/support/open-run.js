import { Intervals } from '../../lib/core/measure/point-maker.js';
import { seeded } from './random.js';

/**
 * Simulates open runs against services whose answer is known: servers with a queue, or any number of them.
 *
 * @typedef {object} Service
 * @property {number} servers Infinity: no iteration waits
 * @property {(at: number, random: () => number) => number} seconds of an iteration that begins at a time, s
 *
 * @typedef {object} Load
 * @property {number | ((at: number) => number)} rate iterations per second, at a time in s
 * @property {number} most the highest rate
 * @property {number} length s
 * @property {boolean} [isPoisson]
 */

/** An exponential time. @type {(mean: number) => Service['seconds']} */
export const exponential = (mean) => (_at, random) => -mean * Math.log(1 - random());

/** Returns the parts of a result that tell whether the service kept up. @type {(load: Load, service: Service, seed: number) => object} */
export function simulatedRun({ rate, most, length, isPoisson = false }, { servers, seconds }, seed) {
  const { next } = seeded(seed);
  const rateAt = typeof rate === 'number' ? () => rate : rate;
  const starts = isPoisson ? poissonArrivals(rateAt, { most, length, next }) : evenArrivals(rateAt, length);
  const free = servers === Infinity ? null : new Float64Array(servers);
  const ends = starts.map((at) => {
    const needed = seconds(at, next);
    if (free === null) return at + needed;
    const first = free.indexOf(Math.min(...free));
    free[first] = Math.max(at, free[first]) + needed;
    return free[first];
  });
  return resultOf(starts, ends, { length, isChanging: typeof rate !== 'number' });
}

function poissonArrivals(rateAt, { most, length, next }) {
  const starts = [];
  for (let at = -Math.log(1 - next()) / most; at < length; at += -Math.log(1 - next()) / most)
    if (next() < rateAt(at) / most) starts.push(at);
  return starts;
}

function evenArrivals(rateAt, length) {
  const [starts, step] = [[], 1e-4];
  for (let [at, area] = [0, 1]; at < length; at += step, area += rateAt(at) * step)
    for (; area >= 1; area--) starts.push(at);
  return starts;
}

function resultOf(starts, ends, { length, isChanging }) {
  const events = [
    ...starts.map((at) => [at * 1000, 1]),
    ...ends.map((at, i) => [at * 1000, -1, (at - starts[i]) * 1000]),
  ].sort(([one], [other]) => one - other);
  // The course goes on until the last iteration has ended.
  const total = Math.max(length, ...ends) * 1000;
  const interval = new Intervals().lengthAt(total);
  const points = [];
  let [i, running] = [0, 0];
  for (let from = 0; from < total; from += interval) {
    let [area, last] = [0, from];
    const times = [];
    for (; i < events.length && events[i][0] <= from + interval; i++) {
      const [at, by, took] = events[i];
      area += running * (at - last);
      last = at;
      running += by;
      if (by < 0) times.push(took);
    }
    area += running * (from + interval - last);
    const median = times.sort((one, other) => one - other)[Math.ceil(times.length / 2) - 1] ?? null;
    points.push({
      ...{ at: from, iterations: { completed: times.length, failed: 0 } },
      ...{ responseTime: { median }, concurrency: area / interval },
    });
  }
  const rate = starts.length / length;
  return {
    iterations: { started: starts.length, startedRate: rate, plannedRate: rate, ...(isChanging && { peakRate: 1 }) },
    measuredElapsed: total,
    series: { interval, points },
  };
}
