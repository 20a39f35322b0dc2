import { bytes, decimal, ms, orDash, percent, rate } from '../../../core/ground/decimal.js';

/** @import { ServerModel, TimeModel } from '../time-model.js' */

/**
 * The charts over time of the page of a run.
 *
 * @typedef {{ name: string, color: string, isArea?: boolean, isBars?: boolean, hasHalo?: boolean, isDashed?: boolean }}
 *   Look of a series
 * @typedef {Look & { values: (number | null)[], whole: number | null }} TimeSeries whole: of the whole run
 *
 * @typedef {object} Frame of a chart
 * @property {string} id
 * @property {number} height
 * @property {(value: number | null) => string} write a value of the legend
 * @property {boolean} [isLog] a logarithmic axis of times
 * @property {number} [highest] end of the axis; 1: an axis of percentages
 * @property {boolean} [isBytes] an axis of bytes
 *
 * @typedef {Frame & { series: TimeSeries[] }} TimeChart
 * @typedef {Frame & { series: (Look & { key: string })[] }} KeyedChart whose values have these keys
 */

/** @typedef {TimeModel & { isLive: boolean, elapsed: number }} PageModel the parts of `model.js` that charts draw */

const writeTime = orDash((value) => `${ms(value)} ms`);
const writeRate = orDash((value) => `${rate(value)}/s`);

/** The charts of every page; those of loads, operations, streams and servers follow. @type {KeyedChart[]} */
const CHARTS = [
  {
    id: 'latency-over-time',
    height: 280,
    write: writeTime,
    isLog: true,
    series: [
      { key: 'p50', name: 'p50', color: 'one', hasHalo: true },
      { key: 'p99', name: 'p99', color: 'two', hasHalo: true },
    ],
  },
  {
    id: 'rate',
    height: 230,
    write: writeRate,
    series: [
      { key: 'rate', name: 'iterations', color: 'one', isArea: true },
      { key: 'errorRate', name: 'errors', color: 'bad', isBars: true },
    ],
  },
  {
    id: 'running',
    height: 180,
    write: rate,
    series: [{ key: 'concurrency', name: 'running', color: 'one', isArea: true }],
  },
  {
    id: 'event-loop',
    height: 180,
    highest: 1,
    write: orDash(percent),
    series: [{ key: 'utilization', name: 'busy', color: 'two', isArea: true }],
  },
];

/** @type {(model: PageModel) => TimeChart[]} */
export function chartsOf({ time, whole, byOperation, byLoad, byStream, server }) {
  return [
    ...CHARTS.map((chart) => withValues(chart, time, whole)),
    ...chartOfLoads(byLoad),
    ...chartOfOperations(byOperation),
    ...chartsOfStreams(byStream),
    ...(server ? chartsOfServer(server) : []),
  ];
}

/**
 * @type {(chart: KeyedChart, values: Record<string, (number | null)[]>, whole: Record<string, number | null |
 *   undefined>) => TimeChart}
 */
function withValues({ series, ...chart }, values, whole) {
  return {
    ...chart,
    series: series.map(({ key, ...look }) => ({ ...look, values: values[key], whole: whole[key] ?? null })),
  };
}

/** The planned rate of a load is a dashed line in its color. @type {(loads: PageModel['byLoad']) => TimeChart[]} */
function chartOfLoads(loads) {
  if (loads.length === 0) return [];
  const series = loads.flatMap(({ name, values, whole, planned, wholePlanned }, i) => {
    const color = colorOf(i);
    const plan = { name: `${name}, planned`, color, isDashed: true, whole: wholePlanned };
    return [{ name, color, values, whole }, ...(planned ? [{ ...plan, values: planned }] : [])];
  });
  return [{ id: 'by-load', height: 230, write: writeRate, series }];
}

/** @type {(operations: PageModel['byOperation']) => TimeChart[]} */
function chartOfOperations(operations) {
  if (operations.length === 0) return [];
  const series = operations.map((one, i) => ({ ...one, color: colorOf(i) }));
  return [{ id: 'by-operation', height: 230, write: writeTime, series }];
}

/** @type {(streams: PageModel['byStream']) => TimeChart[]} the times of an operation have one color */
function chartsOfStreams(streams) {
  if (streams.length === 0) return [];
  const times = streams.flatMap(({ name, firstEvent, gap, whole }, i) => {
    const color = colorOf(i);
    return [
      { name: `${name}, first event p95`, color, values: firstEvent, whole: whole.firstEvent },
      { name: `${name}, gap p99`, color, isDashed: true, values: gap, whole: whole.gap },
    ];
  });
  const rates = streams.map((one, i) => ({
    name: one.name,
    color: colorOf(i),
    values: one.rate,
    whole: one.whole.rate,
  }));
  return [
    { id: 'stream-times', height: 230, write: writeTime, series: times },
    { id: 'stream-rate', height: 230, write: writeRate, series: rates },
  ];
}

/** The golden angle keeps neighbours apart, for any number of them. @type {(i: number) => string} */
function colorOf(i) {
  return `hsl(${Math.round(200 + i * 137.5) % 360}deg 65% 50%)`;
}

/** @type {KeyedChart[]} */
const SERVER_CHARTS = [
  {
    id: 'server-cpu',
    height: 180,
    write: orDash((value) => `${decimal(value, 2)} cores`),
    series: [
      { key: 'cpuCores', name: 'server', color: 'one', isArea: true },
      { key: 'busiestThread', name: 'busiest thread', color: 'two' },
      { key: 'machineCores', name: 'whole machine', color: 'quiet', isDashed: true },
    ],
  },
  {
    id: 'server-memory',
    height: 180,
    write: orDash(bytes),
    isBytes: true,
    series: [
      { key: 'memory', name: 'memory', color: 'one', isArea: true },
      { key: 'heap', name: 'heap', color: 'two' },
    ],
  },
  {
    id: 'server-event-loop',
    height: 180,
    write: writeTime,
    series: [{ key: 'eventLoopDelay', name: 'delay p99', color: 'two', isArea: true }],
  },
  {
    id: 'server-gc',
    height: 180,
    highest: 1,
    write: orDash(percent),
    series: [
      { key: 'eventLoopUtilization', name: 'event loop busy', color: 'one', isArea: true },
      { key: 'gcShare', name: 'garbage collection', color: 'two' },
    ],
  },
  {
    id: 'server-files',
    height: 180,
    write: orDash((value) => decimal(value, 0)),
    series: [
      { key: 'openFiles', name: 'open files', color: 'one' },
      { key: 'resources', name: 'active sockets and timers', color: 'two' },
    ],
  },
];

/** The charts of a server, without series that it does not have. @type {(server: ServerModel) => TimeChart[]} */
function chartsOfServer({ points, whole }) {
  return SERVER_CHARTS.flatMap((chart) => {
    const series = chart.series.filter(({ key }) => points[key]?.some((value) => value !== null));
    return series.length > 0 ? [withValues({ ...chart, series }, points, whole)] : [];
  });
}
