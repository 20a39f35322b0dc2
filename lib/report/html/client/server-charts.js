import { bytes, decimal, ms, percent } from '../../../ground/decimal.js';

/** @import { TimeChart } from './time-charts.js' */
/** @import { ServerModel } from '../model.js' */

/** @type {(write: (value: number) => string) => (value: number | null) => string} */
const orDash = (write) => (value) => (value === null ? '-' : write(value));

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
    write: orDash((value) => `${ms(value)} ms`),
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
export function chartsOfServer(server) {
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
export function columnsOfServer(values) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`server ${key}`, value]));
}
