import { Histogram } from '../../lib/core/measure/histogram.js';
import { PointMaker } from '../../lib/core/measure/point-maker.js';
import { Series } from '../../lib/core/measure/series.js';
import { seeded } from './random.js';

/**
 * The whole points of a run with the intervals that a run has: `timeOf(at)` is the response time of an iteration that
 * ends at this ms, `gapOf()` the ms until the next one.
 */
export function pointsOfRun(seconds, { timeOf, gapOf }) {
  const series = new Series();
  const times = new Histogram();
  const maker = new PointMaker((point) => series.add(point), { times });
  maker.begin(0);
  for (let at = gapOf(); at <= seconds * 1000; at += gapOf()) {
    const ms = timeOf(at);
    maker.completes(at, ms);
    times.update(ms);
  }
  // the last one ends a little later
  maker.close(seconds * 1000 + 3);
  return series.wholePoints();
}

/** Random numbers of a seed: uniform, normal, and exponential with a mean. */
export function drawing(seed) {
  const { next } = seeded(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return { next, normal, exponential: (mean) => -mean * Math.log(1 - next()) };
}

/** Normal quantiles of the shares below. */
const NORMAL = { 0.5: 0, 0.95: 1.6448536, 0.99: 2.3263479 };

/** The figures of lognormal times, whose logarithms have this deviation. */
const lognormal = (median, deviation) => ({
  mean: median * Math.exp(deviation ** 2 / 2),
  ...Object.fromEntries(
    Object.keys(NORMAL).map((share) => [`p${share * 100}`, median * Math.exp(deviation * NORMAL[share])]),
  ),
});

/** Mean arrivals per second; they are at random. */
const RATE = 200;

/** Services in a steady state with their true figures; `start` begins a run. */
export const STEADY = [
  {
    name: 'independent lognormal times',
    truth: lognormal(10, 0.5),
    start:
      ({ normal }) =>
      () =>
        10 * Math.exp(0.5 * normal()),
  },
  {
    name: 'an AR(1) process of iterations, 0.95',
    truth: lognormal(10, 0.5),
    start({ normal }) {
      let z = normal();
      return () => {
        z = 0.95 * z + Math.sqrt(1 - 0.95 ** 2) * normal();
        return 10 * Math.exp(0.5 * z);
      };
    },
  },
  {
    name: 'levels of half seconds that are an AR(1) process, 0.6',
    truth: lognormal(10, Math.hypot(0.5, 0.1)),
    start({ normal }) {
      let [level, until] = [normal(), 500];
      return (at) => {
        for (; at >= until; until += 500) level = 0.6 * level + Math.sqrt(1 - 0.6 ** 2) * normal();
        return 10 * Math.exp(0.1 * level + 0.5 * normal());
      };
    },
  },
  {
    name: 'an M/M/1 queue, 70 % busy',
    truth: exponential(1000 / RATE / 0.7 - 1000 / RATE),
    start({ next, exponential: draw }) {
      const service = (0.7 * 1000) / RATE;
      // in equilibrium
      let wait = next() < 0.7 ? draw(service / 0.3) : 0;
      let before = null;
      let last = 0;
      return (at) => {
        if (before !== null) wait = Math.max(0, wait + before - (at - last));
        last = at;
        before = draw(service);
        return wait + before;
      };
    },
  },
  {
    name: 'two modes, one of ten responses in the slow one',
    truth: bimodal(),
    start:
      ({ next, normal }) =>
      () =>
        (next() < 0.1 ? 60 : 6) * Math.exp(0.2 * normal()),
  },
];

/** The sojourn times of M/M/1 are exponential. */
function exponential() {
  const mean = (0.7 * 1000) / RATE / 0.3;
  return { mean, p50: mean * Math.log(2), p95: mean * Math.log(20), p99: mean * Math.log(100) };
}

/** Quantiles of the mixture: p50 is the normal quantile of 5/9 in the fast mode, p95 the median of the slow one. */
function bimodal() {
  const mean = (0.9 * 6 + 0.1 * 60) * Math.exp(0.02);
  return { mean, p50: 6 * Math.exp(0.2 * 0.1397103), p95: 60, p99: 60 * Math.exp(0.2 * 1.2815516) };
}

/** The points of a run of a service, and the truth with its rate. */
export function steadyRun({ start, truth }, seconds, seed) {
  const draws = drawing(seed);
  const timeOf = start(draws);
  const points = pointsOfRun(seconds, { timeOf, gapOf: () => draws.exponential(1000 / RATE) });
  return { points, truth: { ...truth, 'iterations.completedRate': RATE } };
}
