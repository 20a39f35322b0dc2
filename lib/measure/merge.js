import { Exemplars } from './exemplars.js';
import { Histogram } from './histogram.js';
import { Series } from './series.js';
import { judgeThresholds } from './thresholds.js';
import { addThreads } from './thread.js';
import { judge, judgeClient } from './verdict.js';

/**
 * @import { HistogramSummary } from './histogram.js'
 * @import { OperationSummary } from './operations.js'
 * @import { ErrorSample, Stats } from './types.js'
 * @import { Threshold } from './thresholds.js'
 *
 * @typedef {[summary: HistogramSummary, encoded: string | null | undefined]} Held a histogram as a result holds it
 */

/**
 * Several results as one, as if their load had been one run: counts and histograms add up exactly, seconds are laid over
 * each other. Operations are matched by phase and name.
 *
 * @param {Stats[]} results at least one, as the JSON format holds them
 * @param {Threshold[]} [thresholds] judged anew
 * @returns {Stats}
 * @throws {Error} a histogram that cannot be read
 */
export function mergeStats(results, thresholds = []) {
  const measuredElapsed = Math.max(...results.map((stats) => stats.measuredElapsed));
  const perSecond = (/** @type {number} */ count) => (measuredElapsed > 0 ? (count * 1000) / measuredElapsed : 0);
  /** @type {(held: (stats: Stats) => Held) => Histogram} */
  const histogram = (held) => addedUp(results.map(held));
  const main = {
    main: histogram(({ main, histograms }) => [main.histogram, histograms?.main]),
    serviceTime: histogram(({ main, histograms }) => [main.serviceTime, histograms?.serviceTime ?? histograms?.main]),
    ok: histogram(({ main, histograms }) => [main.ok, histograms?.ok]),
  };
  const parts = {
    connect: histogram(({ requests, histograms }) => [requests.connect, histograms?.connect]),
    tls: histogram(({ requests, histograms }) => [requests.tls, histograms?.tls]),
    ttfb: histogram(({ requests, histograms }) => [requests.ttfb, histograms?.ttfb]),
  };
  const startDelay = histogram(({ client, histograms }) => [client.startDelay, histograms?.startDelay]);
  const operations = mergeOperations(results);
  const requests = added(results.map((stats) => stats.requests));
  const series = new Series();
  const exemplars = new Exemplars();
  for (const { exemplars: some } of results) exemplars.add(some);
  for (const stats of results) for (const point of pointsOf(stats)) series.add(point);
  const timers = mergeTimers(results);

  const stats = {
    totalElapsed: Math.max(...results.map(({ totalElapsed }) => totalElapsed)),
    measuredElapsed,
    main: {
      meter: added(results.map((one) => one.main.meter)),
      histogram: main.main.toJSON(),
      serviceTime: main.serviceTime.toJSON(),
      ok: main.ok.toJSON(),
    },
    ...Object.fromEntries(
      Object.entries(timers).map(([name, { meter, histogram: times }]) => [name, { meter, histogram: times.toJSON() }]),
    ),
    iterations: {
      ...added(results.map(({ iterations }) => iterations)),
      maxBacklog: Math.max(...results.map(({ iterations }) => iterations.maxBacklog)),
    },
    requests: {
      ...requests,
      rate: perSecond(requests.answered),
      okRate: perSecond(requests.ok),
      connect: parts.connect.toJSON(),
      tls: parts.tls.toJSON(),
      ttfb: parts.ttfb.toJSON(),
    },
    operations: operations.map(({ operation, times }) => ({ ...operation, serviceTime: times.toJSON() })),
    exemplars: exemplars.toJSON(),
    series: series.toJSON(),
    errors: mergeErrors(results),
  };
  const sent = requests.sent;
  const client = {
    ...addThreads(results.map((one) => one.client)),
    workers: results.reduce((sum, one) => sum + one.client.workers, 0),
    cpuPerRequest: sent > 0 ? results.reduce((sum, one) => sum + one.client.cpu, 0) / sent : null,
    rate: results.some((one) => one.client.rate)
      ? added(results.map((one) => one.client.rate ?? { asked: 0, reached: 0 }))
      : null,
    startDelay: startDelay.toJSON(),
  };
  const judged = judgeClient(stats, client, measuredElapsed);
  const merged = {
    ...stats,
    client: { ...client, ...judged },
    verdict: judge(stats, { ...judged, sharesLoop: false, books: null }),
    histograms: {
      main: main.main.encoded(),
      ok: main.ok.encoded(),
      serviceTime: client.rate ? main.serviceTime.encoded() : null,
      startDelay: startDelay.encoded(),
      connect: parts.connect.encoded(),
      tls: parts.tls.encoded(),
      ttfb: parts.ttfb.encoded(),
      operations: operations.map(({ times }) => times.encoded()),
      timers: Object.fromEntries(Object.entries(timers).map(([name, { histogram: times }]) => [name, times.encoded()])),
      series: series.encoded(),
    },
  };
  return thresholds.length > 0 ? { ...merged, thresholds: judgeThresholds(thresholds, merged) } : merged;
}

/** @type {(all: Held[]) => Histogram} */
function addedUp(all) {
  const sum = new Histogram();
  for (const [summary, encoded] of all) sum.addEncoded(summary, encoded);
  return sum;
}

/** Numbers by their names, also in objects below; what is no number is left out. @type {<T extends Record<string, any>>(all: T[]) => T} */
function added(all) {
  /** @type {Record<string, any>} */
  const sum = {};
  for (const name of new Set(all.flatMap((one) => Object.keys(one)))) {
    const values = all.map((one) => one[name]).filter((value) => value !== undefined);
    if (values.every((value) => typeof value === 'number'))
      sum[name] = values.reduce((total, value) => total + value, 0);
    else if (values.every((value) => typeof value === 'object' && value !== null)) sum[name] = added(values);
  }
  return /** @type {any} */ (sum);
}

/** @type {(results: Stats[]) => { operation: OperationSummary, times: Histogram }[]} */
function mergeOperations(results) {
  /** @type {Map<string, { operation: OperationSummary, times: Histogram }>} */
  const all = new Map();
  for (const { operations, histograms } of results) {
    operations.forEach(({ serviceTimeByStatus: _left, ...operation }, i) => {
      const key = `${operation.phase} ${operation.name}`;
      const known = all.get(key);
      const { count, errors, statusCodes } = known ? added([known.operation, operation]) : operation;
      const times = known?.times ?? new Histogram();
      times.addEncoded(operation.serviceTime, histograms?.operations[i]);
      all.set(key, { operation: { ...operation, count, errors, statusCodes }, times });
    });
  }
  return [...all.values()];
}

/** @type {(results: Stats[]) => Record<string, { meter: any, histogram: Histogram }>} */
function mergeTimers(results) {
  /** @type {Record<string, { meter: any, histogram: Histogram }>} */
  const all = {};
  for (const { histograms, ...stats } of results) {
    for (const [name, encoded] of Object.entries(histograms?.timers ?? {})) {
      const timer = /** @type {any} */ (stats)[name];
      const known = Object.hasOwn(all, name) ? all[name] : { meter: {}, histogram: new Histogram() };
      known.histogram.addEncoded(timer.histogram, encoded);
      Object.defineProperty(all, name, {
        value: { meter: added([known.meter, timer.meter]), histogram: known.histogram },
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return all;
}

/** The points of a series with their counts. @type {(stats: Stats) => import('./point-maker.js').Point[]} */
function pointsOf({ series: { interval, points }, histograms, measuredElapsed }) {
  return points.map(({ at, count, errors, max, concurrency, utilization }, i) => {
    const to = i === points.length - 1 ? Math.max(at, Math.min(at + interval, measuredElapsed)) : at + interval;
    return {
      from: at,
      to,
      count,
      errors,
      max: max ?? 0,
      area: concurrency * (to - at),
      utilization,
      counts: Buffer.from(histograms?.series[i] ?? '', 'base64'),
    };
  });
}

/** @type {(results: Stats[]) => Stats['errors']} */
function mergeErrors(results) {
  /** @type {Map<string, ErrorSample>} */
  const samples = new Map();
  for (const sample of results.flatMap(({ errors }) => errors.samples)) {
    const key = [sample.kind, sample.code, sample.context, sample.operation].join(' ');
    const known = samples.get(key);
    const firsts = [known?.firstIndex, sample.firstIndex].filter((index) => typeof index === 'number');
    samples.set(key, {
      ...sample,
      count: sample.count + (known?.count ?? 0),
      firstIndex: firsts.length > 0 ? Math.min(...firsts) : null,
    });
  }
  const { count, kinds } = added(results.map(({ errors }) => ({ count: errors.count, kinds: errors.kinds })));
  return { count, kinds, samples: [...samples.values()].sort((a, b) => b.count - a.count) };
}
