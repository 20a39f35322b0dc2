import { lengthOf } from '../../lib/addons/capacity/load.js';
import { LEAST_ITERATIONS } from '../../lib/core/measure/validity.js';
import { nextStep } from '../../lib/addons/capacity/search.js';
import { judgeStep } from '../../lib/addons/capacity/step.js';

/**
 * Servers without sockets and clocks, for the search of a capacity: first come, first served, by `c` of them. Each kind
 * knows its capacity. `serviceMs(at, waiting)` is the time of one request that starts at `at` (ms since the search began)
 * while `waiting` others do.
 */

const P99 = 0.99;

/** Service times of one mean. */
const exponential = (mean, random) => () => -mean * Math.log(1 - random());

/**
 * The rate at which p99 of the response times of M/M/c is `boundMs`, by bisection of Erlang's formula. T = W + S with
 * P(W > t) = C exp(-(c mu - lambda) t).
 */
function capacityOfMmc({ c, meanMs, boundMs }) {
  const mu = 1 / meanMs;
  const tail = (lambda) => {
    const a = lambda / mu;
    let inverse = 1;
    for (let k = 1; k <= c; k++) inverse = 1 + (inverse * k) / a;
    const blocked = 1 / inverse;
    const waits = blocked / (1 - (a / c) * (1 - blocked));
    const theta = c * mu - lambda;
    const t = boundMs;
    // the convolution of both exponentials; its limit where they are equal
    const sum =
      Math.abs(theta - mu) < 1e-9 * mu
        ? Math.exp(-mu * t) * (1 + mu * t)
        : (mu * Math.exp(-theta * t) - theta * Math.exp(-mu * t)) / (mu - theta);
    return (1 - waits) * Math.exp(-mu * t) + waits * sum;
  };
  let [low, high] = [0, c * mu];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (tail(middle) > 1 - P99) high = middle;
    else low = middle;
  }
  return low * 1000;
}

/** By name: `(random) => { c, capacity, boundMs, serviceMs, arrivals }`. */
export const KINDS = {
  /** random arrivals, exponential times; a bound on p99 that the queue decides */
  'M/M/c': (random) => {
    const c = 1 + Math.floor(random() * 8);
    const capacityOfAll = 100 * 20 ** random();
    const meanMs = (1000 * c) / capacityOfAll;
    const boundMs = meanMs * (8 + 12 * random());
    return {
      c,
      boundMs,
      isPoisson: true,
      capacity: capacityOfMmc({ c, meanMs, boundMs }),
      serviceMs: exponential(meanMs, random),
    };
  },

  /** quick up to its capacity, and without a bound that a queue reaches before */
  'a pool': (random) => {
    const c = 1 + Math.floor(random() * 16);
    const capacity = 50 * 40 ** random();
    const meanMs = (1000 * c) / capacity;
    return { c, boundMs: 20 * meanMs + 1000, capacity, serviceMs: () => meanMs * (0.9 + 0.2 * random()) };
  },

  /** beyond a rate it answers ten times as slowly: a cache that is too small */
  'a cliff': (random) => {
    const capacity = 50 * 40 ** random();
    const recent = new RateMeter(1000);
    return {
      c: 50,
      boundMs: 100,
      capacity,
      serviceMs: (at) => (recent.add(at) > capacity * 1.005 ? 200 + 800 * random() : 10 + 10 * random()),
    };
  },

  /** loses a third of its capacity after a minute */
  'one that degrades': (random) => poolOfFour(random, () => (at) => (at < 60_000 ? 0.67 : 1)),

  /** takes three times as long at first, until it has compiled its code */
  'one that warms up': (random) => poolOfFour(random, () => (at) => 1 + 2 * Math.exp(-at / 8000)),

  /** lognormal times, and a pause of 50 to 150 ms in one second of ten */
  'a noisy one': (random) => {
    const c = 8;
    const capacityOfAll = 50 * 40 ** random();
    const meanMs = (1000 * c) / capacityOfAll;
    const sigma = 0.5;
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    let pauseAt = 0;
    return {
      c,
      boundMs: 20 * meanMs + 1000,
      // the pauses take a hundredth of the time
      capacity: capacityOfAll * 0.99,
      serviceMs(at) {
        const ms = meanMs * Math.exp(sigma * normal() - (sigma * sigma) / 2);
        if (at < pauseAt) return ms;
        pauseAt = at + 20_000 * random();
        return ms + 50 + 100 * random();
      },
    };
  },

  /** after a long queue, it has half its capacity for ten seconds: a cache that is filled anew, retries */
  'one that recovers slowly': (random) =>
    poolOfFour(random, (capacity) => {
      let slowUntil = 0;
      return (at, waiting) => {
        if (waiting > capacity) slowUntil = at + 10_000;
        return at < slowUntil ? 2 : 1;
      };
    }),
};

/** Four at a time; `factorOf(capacity)` makes the function of `at` and `waiting` by which times are longer. */
function poolOfFour(random, factorOf) {
  const c = 4;
  const capacity = 50 * 40 ** random();
  const meanMs = (1000 * c) / capacity;
  const factor = factorOf(capacity);
  const serviceMs = (at, waiting) => factor(at, waiting) * meanMs * (0.8 + 0.4 * random());
  return { c, boundMs: 20 * meanMs + 500, capacity, serviceMs };
}

/** Events per second over a window, at instants that rise. */
class RateMeter {
  #times = [];
  #first = 0;
  #windowMs;
  constructor(windowMs) {
    this.#windowMs = windowMs;
  }

  add(at) {
    this.#times.push(at);
    while (this.#times[this.#first] <= at - this.#windowMs) this.#first++;
    if (this.#first > 10_000) this.#times = this.#times.slice(this.#first - (this.#first = 0));
    return (
      ((this.#times.length - this.#first) * 1000) / Math.min(this.#windowMs, at - this.#times[0] || this.#windowMs)
    );
  }
}

const SETTLE_MS = 2000;
/** between two steps, ms */
const GAP_MS = 500;
/** the run waits so long for iterations that have not ended */
const GRACE_MS = 5000;

/** Searches the capacity of a simulated server: what the command does, with simulated steps. */
export function searchCapacity(server, random, { within = 0.05, maxSteps = 12, from = 20, stepMs = 10_000 } = {}) {
  const steps = [];
  let now = 0;
  for (;;) {
    const { next, answer } = nextStep(steps, { within, maxSteps, from });
    if (answer) return { answer, steps, ms: now };
    const durationMs = lengthOf(next, { stepMs, needed: LEAST_ITERATIONS });
    const { end, ...measurement } = simulate(server, { from: now, load: next.load, durationMs, random });
    now = end + GAP_MS;
    steps.push({ ...next, ...judgeStep(measurement) });
  }
}

/** A step: settling time, measured time, and the end of its iterations. */
function simulate({ c, boundMs, serviceMs, isPoisson = false }, { from, load, durationMs, random }) {
  const settled = run(c, serviceMs, { from, load, durationMs: SETTLE_MS, random, isPoisson });
  const start = Math.min(settled.end, from + SETTLE_MS + GRACE_MS);
  const measured = run(c, serviceMs, { from: start, load, durationMs, random, isPoisson });
  const { due, times, ends } = measured;
  const limit = durationMs + GRACE_MS;
  const completed = ends.filter((at) => at - start <= limit).length;
  const perInterval = new Array(Math.ceil(durationMs / 1000)).fill(0);
  for (const at of ends) {
    const i = Math.floor((at - start) / 1000);
    if (i < perInterval.length) perInterval[i]++;
  }
  let done = 0;
  const sorted = times.toSorted((a, b) => a - b);
  const p99 = sorted[Math.ceil(sorted.length * P99) - 1] ?? null;
  const judgement = {
    expression: 'p99',
    operator: '<',
    actual: p99,
    bound: boundMs,
    unit: 'ms',
    passed: p99 < boundMs,
  };
  return {
    load,
    isOpen: true,
    durationMs,
    due,
    completed,
    failed: 0,
    progress: perInterval.map((count, i) => ({ at: (i + 1) * 1000, done: (done += count) })),
    median: sorted[Math.floor(sorted.length / 2)] ?? null,
    thresholds: [judgement],
    failures: completed < due * 0.99 ? [{ code: 'dropped', message: 'not started' }] : [],
    saturation: [],
    end: Math.min(measured.end, start + limit),
  };
}

/** Arrivals at a rate, served first come, first served. */
function run(c, serviceMs, { from, load, durationMs, random, isPoisson }) {
  // when each of the servers is free: a heap would be quicker for many of them
  const free = new Array(c).fill(from);
  const [times, ends] = [[], []];
  const gap = 1000 / load;
  let [end, next] = [from, 0];
  const until = from + durationMs;
  for (let at = from + (isPoisson ? -gap * Math.log(1 - random()) : 0), n = 1; at < until; n++) {
    let first = 0;
    for (let i = 1; i < c; i++) if (free[i] < free[first]) first = i;
    const start = Math.max(at, free[first]);
    if (start > until + GRACE_MS) {
      next++;
      at = isPoisson ? at - gap * Math.log(1 - random()) : from + n * gap;
      continue;
    }
    // those that arrived before and have not started, by the time that they wait
    const waiting = Math.max(0, start - at) / gap;
    const done = start + serviceMs(start, waiting);
    free[first] = done;
    times.push(done - at);
    ends.push(done);
    if (done > end) end = done;
    next++;
    at = isPoisson ? at - gap * Math.log(1 - random()) : from + n * gap;
  }
  return { due: next, times, ends, end };
}
