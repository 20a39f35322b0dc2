import { bytes, decimal, ms, orDash, percent, rate } from '../../../ground/decimal.js';

/** @import { ServerModel, TimeModel } from '../time-model.js' */

/**
 * The charts over time of the page of a run, and their values: each series has a key, by which `time-charts.js` finds
 * its column, and its figure of the whole run.
 */

/**
 * @typedef {Record<string, (number | null)[]> & { at: number[] }} Time series by key; `at` in seconds
 *
 * @typedef {object} TimeChart
 * @property {string} id
 * @property {number} height
 * @property {(value: number | null) => string} write a value of the legend
 * @property {{ key: string, name: string, color: string, isArea?: boolean, isBars?: boolean, hasHalo?: boolean,
 *   isDashed?: boolean }[]} series
 * @property {boolean} [isLog] a logarithmic axis of times
 * @property {number} [highest] end of the axis; 1: an axis of percentages
 * @property {boolean} [isBytes] an axis of bytes
 */

/** @typedef {TimeModel['byLoad']} LoadCourses */
/** @typedef {Record<'rate' | 'firstEvent' | 'gap', (number | null)[]>} StreamCourse */
/** @typedef {TimeModel & { isLive: boolean, elapsed: number }} PageModel the parts of `model.js` that charts draw */

const writeTime = orDash((value) => `${ms(value)} ms`);
const writeRate = orDash((value) => `${rate(value)}/s`);

/** The charts of every page; those of loads, operations, streams and servers follow. @type {TimeChart[]} */
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

/**
 * The charts of a page, their columns, and the figures of the whole run, which are null while it runs.
 * @type {(model: PageModel) => { charts: TimeChart[], values: Time, whole: Record<string, number | null> | null }}
 */
export function contentOf({ isLive, time, whole, byOperation, byLoad, byStream, server }) {
  const wholeOfAll = () => ({
    ...whole,
    ...columnsOfOperations(byOperation.map((one) => one.whole)),
    ...Object.fromEntries(byLoad.map((one, i) => [`load ${i}`, one.whole])),
    ...Object.fromEntries(byLoad.map((one, i) => [`planned ${i}`, one.wholePlanned])),
    ...columnsOfStreams(byStream.map((one) => one.whole)),
    ...columnsOfServer(server?.whole ?? {}),
  });
  return {
    charts: [
      ...CHARTS,
      ...chartOfLoads(byLoad),
      ...chartOfOperations(byOperation),
      ...chartsOfStreams(byStream),
      ...chartsOfServer(server),
    ],
    values: /** @type {any} */ ({
      ...time,
      ...columnsOfOperations(byOperation.map((one) => one.values)),
      ...columnsOfLoads(byLoad),
      ...columnsOfStreams(byStream),
      ...columnsOfServer(server?.points ?? {}),
    }),
    whole: isLive ? null : /** @type {any} */ (wholeOfAll()),
  };
}

/** @type {(operations: PageModel['byOperation']) => TimeChart[]} */
function chartOfOperations(operations) {
  if (operations.length === 0) return [];
  const series = operations.map(({ name }, i) => ({
    key: `operation ${i}`,
    name,
    color: colorOf(i),
  }));
  return [{ id: 'by-operation', height: 230, write: writeTime, series }];
}

/** The values of operations, by their keys. @type {<T>(values: T[]) => Record<string, T>} */
function columnsOfOperations(values) {
  return Object.fromEntries(values.map((one, i) => [`operation ${i}`, one]));
}

/** The planned rate of a load is a dashed line in its color. @type {(loads: LoadCourses) => TimeChart[]} */
function chartOfLoads(loads) {
  if (loads.length === 0) return [];
  const series = loads.flatMap(({ name, planned }, i) => {
    const color = colorOf(i);
    const measured = { key: `load ${i}`, name, color };
    return planned ? [measured, { key: `planned ${i}`, name: `${name}, planned`, color, isDashed: true }] : [measured];
  });
  return [{ id: 'by-load', height: 230, write: writeRate, series }];
}

/** The columns of the loads, by their keys. @type {(loads: LoadCourses) => Record<string, (number | null)[]>} */
function columnsOfLoads(loads) {
  return Object.fromEntries(
    loads.flatMap(({ values, planned }, i) => [[`load ${i}`, values], ...(planned ? [[`planned ${i}`, planned]] : [])]),
  );
}

/** @type {(streams: ({ name: string } & StreamCourse)[]) => TimeChart[]} the times of an operation have one color */
function chartsOfStreams(streams) {
  if (streams.length === 0) return [];
  const times = streams.flatMap(({ name }, i) => [
    { key: `firstEvent ${i}`, name: `${name}, first event p95`, color: colorOf(i) },
    { key: `gap ${i}`, name: `${name}, gap p99`, color: colorOf(i), isDashed: true },
  ]);
  const rates = streams.map(({ name }, i) => ({ key: `rate ${i}`, name, color: colorOf(i) }));
  return [
    { id: 'stream-times', height: 230, write: writeTime, series: times },
    { id: 'stream-rate', height: 230, write: writeRate, series: rates },
  ];
}

/**
 * The columns of streams, or their figures of the whole run, by key.
 * @type {<T>(streams: Record<'rate' | 'firstEvent' | 'gap', T>[]) => Record<string, T>}
 */
function columnsOfStreams(streams) {
  return Object.fromEntries(
    streams.flatMap(({ rate: events, firstEvent, gap }, i) => [
      [`rate ${i}`, events],
      [`firstEvent ${i}`, firstEvent],
      [`gap ${i}`, gap],
    ]),
  );
}

/** The golden angle keeps neighbours apart, for any number of them. @type {(i: number) => string} */
function colorOf(i) {
  return `hsl(${Math.round(200 + i * 137.5) % 360}deg 65% 50%)`;
}

/** @type {TimeChart[]} */
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

/** The charts of a server, without series that it does not have. @type {(server: ServerModel | null) => TimeChart[]} */
function chartsOfServer(server) {
  const known = server?.points ?? {};
  return SERVER_CHARTS.flatMap((chart) => {
    const series = chart.series
      .filter(({ key }) => known[key]?.some((value) => value !== null))
      .map((one) => ({ ...one, key: `server ${one.key}` }));
    return series.length > 0 ? [{ ...chart, series }] : [];
  });
}

/**
 * Gives figures of a server the keys of its charts, which are apart from those of the load.
 * @type {<T>(values: Record<string, T>) => Record<string, T>}
 */
function columnsOfServer(values) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`server ${key}`, value]));
}
